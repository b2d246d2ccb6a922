package io.fabrichealth.collect.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobAnalyzer;
import io.fabrichealth.collective.log.JobLog;
import io.fabrichealth.collective.log.RasStatus;
import io.fabrichealth.finding.Cause;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RasJsonTest {
  private static String member(int rank, long count, String status) {
    return """
    {"rank":%d,"host":"gpu-00%d","pid":%d,"cuda_dev":0,"nvml_dev":0,
     "status":{"init_state":0,"async_error":0,"finalize_called":false%s},
     "collective_counts":{"AllReduce":%d,"Broadcast":2}}\
    """
        .formatted(rank, rank, 100 + rank, status, count);
  }

  private static String answer(long... counts) {
    StringBuilder ranks = new StringBuilder();
    for (int rank = 0; rank < counts.length; rank++) {
      ranks.append(rank == 0 ? "" : ",").append(member(rank, counts[rank], ""));
    }
    return answer(counts.length, ranks.toString(), "");
  }

  private static String answer(int size, String ranks, String missing) {
    return """
    {"nccl_version":"2.28.7","communicators_count":1,"communicators":[
      {"hash":"0xabc","secondary_hash":"0x1","size":%d,"ranks_count":1,"missing_ranks_count":0,
       "ranks":[%s],"missing_ranks":[%s]}],"ras":{"collection_time_sec":0.1,"timeouts_count":1}}
    """
        .formatted(size, ranks, missing);
  }

  private static RasJson.Reading read(String text) {
    return RasJson.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "ras.json");
  }

  private static List<CollectiveFinding> findings(String text) {
    JobLog log = JobLog.of("ras.json", List.of(), read(text).answers());
    return JobAnalyzer.analyze(Job.UNNAMED, List.of(), List.of(), List.of(log)).findings();
  }

  @Test
  void an_answer_is_read() {
    RasStatus status = read(answer(5, 6)).answers().getFirst();

    assertThat(status.version()).isEqualTo("2.28.7");
    assertThat(status.timeouts()).isEqualTo(1);
    assertThat(status.communicators().getFirst().hash()).isEqualTo("0xabc:0x1");
    assertThat(status.communicators().getFirst().ranks())
        .extracting(RasStatus.Member::operations)
        .containsExactly(7L, 8L);
    assertThat(read(answer(5, 6)).members()).isEqualTo(2);
  }

  @Test
  void counts_that_differ_once_are_normal() {
    assertThat(findings(answer(5, 5, 4, 5))).isEmpty();
  }

  @Test
  void counts_that_differ_and_move_are_normal() {
    assertThat(findings(answer(5, 5, 4, 5) + answer(6, 6, 5, 6))).isEmpty();
  }

  @Test
  void the_rank_that_stays_behind_is_named_though_it_is_one() {
    List<CollectiveFinding> findings = findings(answer(5, 5, 4, 5) + answer(5, 5, 4, 5));

    assertThat(findings).extracting(CollectiveFinding::cause).containsExactly(Cause.HUNG_RANK);
    assertThat(findings.getFirst().ranks()).containsExactly(2);
    assertThat(findings.getFirst().hosts()).containsExactly("gpu-002");
  }

  @Test
  void those_behind_are_named_though_they_are_the_most() {
    List<CollectiveFinding> findings = findings(answer(5, 4, 4, 4) + answer(5, 4, 4, 4));

    assertThat(findings.getFirst().ranks()).containsExactly(1, 2, 3);
  }

  @Test
  void a_pause_is_no_hang() {
    assertThat(findings(answer(5, 5, 5) + answer(5, 5, 5))).isEmpty();
  }

  @Test
  void a_dead_rank_has_failed_and_garbage_is_not_believed() {
    String missing =
        member(1, 0, ",\"unresponsive\":true,\"considered_dead\":true")
            + ","
            + member(70000, 0, ",\"considered_dead\":true");
    List<CollectiveFinding> findings = findings(answer(3, member(0, 5, ""), missing));

    assertThat(findings).extracting(CollectiveFinding::cause).containsExactly(Cause.RANK_FAILED);
    assertThat(findings.getFirst().ranks()).containsExactly(1);
  }

  @Test
  void silence_once_weighs_less_than_twice() {
    String silent = answer(2, member(0, 5, ""), member(1, 0, ",\"unresponsive\":1"));

    assertThat(findings(silent).getFirst().probability())
        .isLessThan(findings(silent + silent).getFirst().probability());
  }

  @Test
  void a_file_that_breaks_says_where() {
    RasJson.Reading reading = read(answer(5, 5) + "{\"communicators\":[");

    assertThat(reading.answers()).hasSize(1);
    assertThat(reading.reason()).contains("byte");
  }
}
