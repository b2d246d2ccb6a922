package io.fabrichealth.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collective.log.Text;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.SubjectType;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogAnalysisTest {
  private static final String WORLD = "ID 0 PG GUID 0(default_pg)";

  private static String timeout(
      int rank, String group, int groupRank, long awaited, long enqueued) {
    return ("[rank%d]:[E1003 18:37:01.8 ProcessGroupNCCL.cpp:1895] [PG %s Rank %d]  failure"
            + " detected by watchdog at work sequence id: %d PG status: last enqueued work: %d,"
            + " last completed work: %d%n")
        .formatted(rank, group, groupRank, awaited, enqueued, awaited - 1);
  }

  private static String dumped(int rank, String group, int groupRank, long enqueued) {
    return ("[rank%d]:[E1003 18:37:01.8 ProcessGroupNCCL.cpp:1683] [PG %s Rank %d] Received a dump"
            + " signal due to a collective timeout from  rank 0 and we will try our best to"
            + " dump the debug info. Last enqueued NCCL work: %d, last completed NCCL work:"
            + " %d.%n")
        .formatted(rank, group, groupRank, enqueued, enqueued);
  }

  private static String world(long awaited, int... ranks) {
    return IntStream.of(ranks)
        .mapToObj(rank -> timeout(rank, WORLD, rank, awaited, awaited))
        .collect(Collectors.joining());
  }

  private static JobAnalysis analysis(Job job, String text) {
    return LogAnalysis.of(job, List.of(Text.job(text)));
  }

  private static JobAnalysis analysis(String text) {
    return analysis(Job.UNNAMED, text);
  }

  private static CollectiveFinding only(JobAnalysis analysis) {
    assertThat(analysis.findings()).hasSize(1);
    assertThat(analysis.findings().getFirst().evidence()).isNotEmpty();
    return analysis.findings().getFirst();
  }

  @Test
  void the_rank_that_never_reported_is_what_the_others_wait_for() {
    JobAnalysis analysis = analysis("world size: 4\n" + world(808, 0, 1, 3));

    assertThat(only(analysis).cause()).isEqualTo(Cause.HUNG_RANK);
    assertThat(only(analysis).ranks()).containsExactly(2);
    assertThat(only(analysis).subject().type()).isEqualTo(SubjectType.RANK);
    assertThat(only(analysis).subject().id()).isEqualTo("-/2");
    assertThat(analysis.victims()).containsExactly(0, 1, 3);
  }

  @Test
  void the_rank_that_enqueued_less_is_what_the_others_wait_for() {
    JobAnalysis analysis = analysis(world(79, 0, 1, 3) + dumped(2, WORLD, 2, 78));

    assertThat(only(analysis).cause()).isEqualTo(Cause.HUNG_RANK);
    assertThat(only(analysis).ranks()).containsExactly(2);
    assertThat(only(analysis).probability()).isGreaterThan(.9);
  }

  @Test
  void all_entered_and_none_left_blames_nobody() {
    JobAnalysis analysis = analysis("world size: 4\n" + world(808, 0, 1, 2, 3));

    assertThat(only(analysis).cause()).isEqualTo(Cause.COLLECTIVE_STALLED);
    assertThat(only(analysis).ranks()).isEmpty();
  }

  @Test
  void who_waits_in_another_group_is_no_culprit() {
    Job job =
        new Job(
            "train-7",
            List.of(),
            List.of(
                new ProcessGroup("0", "default_pg", List.of(0, 1, 2, 3)),
                new ProcessGroup("1", "tp", List.of(0, 1)),
                new ProcessGroup("2", "tp", List.of(2, 3))));
    JobAnalysis analysis =
        analysis(job, world(40, 0, 1) + timeout(2, "ID 1 PG GUID 2(tp)", 0, 900, 900));

    assertThat(only(analysis).cause()).isEqualTo(Cause.HUNG_RANK);
    assertThat(only(analysis).ranks()).containsExactly(3);
    assertThat(only(analysis).subject().id()).isEqualTo("train-7/3");
  }

  @Test
  void a_group_that_stands_still_is_not_hung_by_those_who_wait_for_it() {
    Job job =
        new Job(
            "-",
            List.of(),
            List.of(
                new ProcessGroup("0", "default_pg", List.of(0, 1, 2, 3)),
                new ProcessGroup("2", "tp", List.of(2, 3))));
    String tensor = "ID 1 PG GUID 2(tp)";
    JobAnalysis analysis =
        analysis(job, world(40, 0, 1) + timeout(2, tensor, 0, 9, 9) + timeout(3, tensor, 1, 9, 9));

    assertThat(only(analysis).cause()).isEqualTo(Cause.COLLECTIVE_STALLED);
    assertThat(only(analysis).ranks()).isEmpty();
  }

  @Test
  void groups_entered_in_different_orders_are_a_deadlock() {
    Job job =
        new Job(
            "-",
            List.of(),
            List.of(
                new ProcessGroup("0", "default_pg", List.of(0, 1)),
                new ProcessGroup("1", "tp", List.of(0, 1))));
    JobAnalysis analysis = analysis(job, world(40, 0) + timeout(1, "ID 1 PG GUID 1(tp)", 1, 9, 9));

    assertThat(only(analysis).cause()).isEqualTo(Cause.COLLECTIVE_DEADLOCK);
    assertThat(only(analysis).ranks()).containsExactly(0, 1);
  }

  @Test
  void a_rank_that_failed_before_the_others_timed_out_is_the_cause() {
    JobAnalysis analysis =
        analysis(
            """
            [rank2]: Traceback (most recent call last):
            [rank2]:   File "train.py", line 15, in <module>
            [rank2]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB
            """
                + world(808, 0, 1, 3));

    assertThat(only(analysis).cause()).isEqualTo(Cause.RANK_FAILED);
    assertThat(only(analysis).ranks()).containsExactly(2);
    assertThat(only(analysis).summary()).contains("out of memory");
    assertThat(analysis.victims()).containsExactly(0, 1, 3);
  }

  @Test
  void what_a_rank_raises_after_it_timed_out_is_no_cause() {
    JobAnalysis analysis =
        analysis(
            "world size: 4\n"
                + world(808, 0, 1, 3)
                + """
                [rank1]: Traceback (most recent call last):
                [rank1]:   File "train.py", line 15, in <module>
                [rank1]: AttributeError: 'NoneType' object has no attribute 'close'
                """);

    assertThat(only(analysis).cause()).isEqualTo(Cause.HUNG_RANK);
    assertThat(only(analysis).ranks()).containsExactly(2);
  }

  @Test
  void the_launchers_own_signals_are_no_failures() {
    JobAnalysis analysis =
        analysis(
            """
            Failures:
            [0]:
              host      : node1
              rank      : 0 (local_rank: 0)
              exitcode  : -15 (pid: 5348)  (SIGTERM)
            ============================================================
            """);

    assertThat(analysis.findings()).isEmpty();
    assertThat(analysis.victims()).containsExactly(0);
  }

  @Test
  void a_killed_process_names_its_host() {
    JobAnalysis analysis = analysis("srun: error: gpu-004: task 3: Killed\n");

    assertThat(only(analysis).cause()).isEqualTo(Cause.RANK_FAILED);
    assertThat(only(analysis).ranks()).containsExactly(3);
    assertThat(only(analysis).hosts()).containsExactly("gpu-004");
  }

  @Test
  void a_draw_between_two_operations_blames_neither() {
    JobAnalysis analysis =
        analysis(
            "[rank0]: RuntimeError: Detected mismatch between collectives on ranks. Rank 0 is"
                + " running collective: CollectiveFingerPrint(SequenceNumber=5, OpType=ALLREDUCE,"
                + " TensorShape=[1024], TensorDtypes=Float, x=y), but Rank 1 is running collective:"
                + " CollectiveFingerPrint(SequenceNumber=5, OpType=BROADCAST, TensorShape=[1024],"
                + " TensorDtypes=Float, x=y).\n");

    assertThat(only(analysis).cause()).isEqualTo(Cause.COLLECTIVE_MISMATCH);
    assertThat(only(analysis).ranks()).isEmpty();
  }

  @Test
  void numbers_of_sends_and_receives_are_not_compared() {
    Job job =
        new Job(
            "-",
            List.of(),
            List.of(
                new ProcessGroup("0", "default_pg", List.of(0, 1, 2)),
                new ProcessGroup("4", "pp", List.of(0, 1, 2))));
    String pipeline = "ID 1 PG GUID 4(pp)";
    String receive =
        "[rank2]:[E1003 18:37:01.8 ProcessGroupNCCL.cpp:607] [Rank 2] Watchdog caught collective"
            + " operation timeout: WorkNCCL(SeqNum=900, OpType=RECV, NumelIn=8, NumelOut=8,"
            + " Timeout(ms)=1800000) ran for 1800017 milliseconds before timing out.\n";
    JobAnalysis analysis =
        analysis(job, receive + timeout(2, pipeline, 2, 900, 900) + dumped(1, pipeline, 1, 20));

    assertThat(only(analysis).ranks()).containsExactly(0);
  }

  @Test
  void a_healthy_log_says_nothing() {
    assertThat(analysis("[rank0]: step 1\n[rank1]: step 1\n").findings()).isEmpty();
  }
}
