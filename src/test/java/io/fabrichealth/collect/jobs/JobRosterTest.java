package io.fabrichealth.collect.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobRank;
import io.fabrichealth.collective.ProcessGroup;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobRosterTest {

  @Test
  void a_job_record_of_a_capture_is_a_roster() throws InvalidRosterException {
    Job job =
        JobRoster.of(
            """
            {"type":"job","at":"2026-03-01T00:00:00Z","job":"train-7","ended":false,
             "ranks":[{"rank":1,"host":"gpu-001","gpu":1},
                      {"rank":0,"host":"gpu-001","gpu":0,"port":"mlx5_0/1"}],
             "groups":[{"name":"dp0","ranks":[8,0]}]}
            """,
            0);

    assertThat(job)
        .isEqualTo(
            new Job(
                "train-7",
                List.of(
                    new JobRank(0, "gpu-001", 0, "mlx5_0/1"), new JobRank(1, "gpu-001", 1, null)),
                List.of(new ProcessGroup("dp0", "dp0", List.of(0, 8)))));
  }

  @Test
  void slurm_tells_hosts_and_tasks_of_a_job() throws InvalidRosterException {
    Job job =
        JobRoster.of(
            """
            JobId=4711 JobName=llm-70b
               NodeList=gpu-[008-010,101]
               NumNodes=4 NumCPUs=256 NumTasks=16 CPUs/Task=16 ReqB:S:C:T=0:0:*:*
            """,
            0);

    assertThat(job.name()).isEqualTo("llm-70b");
    assertThat(job.ranks()).hasSize(16);
    assertThat(job.ranks().get(7)).isEqualTo(new JobRank(7, "gpu-009", 3, null));
    assertThat(job.ranks().getLast()).isEqualTo(new JobRank(15, "gpu-101", 3, null));
  }

  @Test
  void one_task_a_node_means_as_many_ranks_as_gpus() throws InvalidRosterException {
    Job job = JobRoster.of("JobName=x NodeList=a[1-2] NumTasks=2 TresPerNode=gres/gpu:h100:8", 0);

    assertThat(job.ranks()).hasSize(16);
  }

  @Test
  void pods_are_ordered_by_their_index_and_not_by_their_name() throws InvalidRosterException {
    String pod =
        """
        {"metadata":{"name":"train-worker-%d"},
         "spec":{"nodeName":"node%d","containers":[
           {"resources":{"limits":{"nvidia.com/gpu":"2","cpu":"8"}}}]}}
        """;
    Job job =
        JobRoster.of(
            "{\"kind\":\"List\",\"items\":[%s,%s,%s,{\"metadata\":{\"name\":\"pending-9\"}}]}"
                .formatted(pod.formatted(10, 10), pod.formatted(2, 2), pod.formatted(0, 0)),
            0);

    assertThat(job.ranks())
        .extracting(JobRank::host)
        .containsExactly("node0", "node0", "node2", "node2", "node10", "node10");
    assertThat(job.ranks()).extracting(JobRank::gpu).containsExactly(0, 1, 0, 1, 0, 1);
  }

  @Test
  void a_master_is_rank_0() throws InvalidRosterException {
    Job job =
        JobRoster.of(
            """
            {"items":[{"metadata":{"name":"t-worker-0"},"spec":{"nodeName":"b"}},
                      {"metadata":{"name":"t-master-0"},"spec":{"nodeName":"a"}}]}
            """,
            1);

    assertThat(job.ranks()).extracting(JobRank::host).containsExactly("a", "b");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a1|a1",
        "gpu[1-3]|gpu1 gpu2 gpu3",
        "gpu[08-10],login|gpu08 gpu09 gpu10 login",
        "r[1-2]n[1,3]|r1n1 r1n3 r2n1 r2n3",
      })
  void hostlists_are_expanded_as_slurm_means_them(String text, String hosts)
      throws InvalidRosterException {
    assertThat(Hostlist.expand(text)).containsExactly(hosts.split(" "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gpu[1-3|a bracket is not closed",
        "gpu1]|brackets do not match",
        "gpu[a-b]|is not a number",
        "gpu[3-1]|the range 3-1",
        "gpu[1-99999999]|the range",
        "a[1-999]b[1-999]|more than",
        "$(id)|is not a host",
        ",,|no host",
        "gpu[1-2]|how many ranks each has",
        "{\"ranks\":5}|ranks: a list",
        "{\"ranks\":[{\"rank\":-1}]}|ranks[0].rank",
        "{\"ranks\":[{\"rank\":1},{\"rank\":1}]}|rank 1 twice",
        "{\"ranks\":[{\"rank\":1}],\"groups\":{\"dp\":[1]}}|groups: a list",
        "{\"items\":[]}|no pod has a spec.nodeName",
        "{\"ranks\"|not JSON at line 1",
      })
  void what_is_wrong_is_named(String text, String problem) {
    assertThatThrownBy(() -> JobRoster.of(text, 0))
        .isInstanceOf(InvalidRosterException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void a_hostlist_of_endless_brackets_is_refused() {
    assertThatThrownBy(() -> Hostlist.expand("[0]".repeat(1_000_000)))
        .isInstanceOf(InvalidRosterException.class)
        .hasMessageContaining("more than 253 characters");
  }
}
