package io.fabrichealth.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankRecordersTest {
  private static final ProcessGroup WORLD = new ProcessGroup("0", "default_pg", List.of(0, 1));

  /** A dump of one backend with so many collectives of the world, the last of them open or not. */
  private static FlightRecorder dump(
      int rank, String backend, String name, int count, boolean isLastOpen, long from) {
    FlightRecorder.Builder builder =
        new FlightRecorder.Builder(rank, backend + rank)
            .version("2.10")
            .statuses(List.of(new GroupStatus(0, count, -1, count)))
            .tables(
                List.of(WORLD),
                List.of(
                    new Operation(
                        backend, name, -1, -1, List.of(), List.of(), List.of(), List.of())),
                List.of());
    for (int at = 1; at <= count; at++) {
      boolean isOpen = isLastOpen && at == count;
      builder
          .entry(at - 1L, 0, 0, 0, -1)
          .sequences(at, 0, at)
          .times(
              from + at,
              FlightRecorder.ABSENT,
              isOpen ? FlightRecorder.ABSENT : from + at + 1,
              FlightRecorder.ABSENT)
          .state(isOpen ? EntryState.SCHEDULED : EntryState.COMPLETED, false, !isOpen);
    }
    return builder.build();
  }

  private static JobAnalysis analyze(FlightRecorder... dumps) {
    HangAnalysis hang = HangAnalysis.of(Job.UNNAMED, List.of(dumps), List.of());
    return new JobAnalysis(hang.findings(), hang.victims(), hang.unknown());
  }

  @Test
  void who_is_idle_in_one_backend_but_waits_in_the_other_is_not_to_blame() {
    JobAnalysis analysis =
        analyze(
            dump(0, "nccl", "all_reduce", 5, true, 100),
            dump(1, "nccl", "all_reduce", 4, false, 100),
            dump(0, "gloo", "barrier", 2, false, 50),
            dump(1, "gloo", "barrier", 3, true, 200));

    assertThat(analysis.findings())
        .extracting(CollectiveFinding::cause)
        .containsExactly(Cause.COLLECTIVE_DEADLOCK);
  }

  @Test
  void numbers_of_two_backends_are_not_compared() {
    JobAnalysis analysis =
        analyze(
            dump(0, "nccl", "all_reduce", 5, false, 100),
            dump(1, "nccl", "all_reduce", 5, false, 100),
            dump(0, "gloo", "barrier", 2, false, 50),
            dump(1, "gloo", "barrier", 3, true, 200));

    assertThat(analysis.findings())
        .extracting(CollectiveFinding::ranks)
        .containsExactly(List.of(0));
    assertThat(analysis.victims()).containsExactly(1);
  }

  @Test
  void of_the_same_dump_twice_the_one_that_goes_further_counts() {
    JobAnalysis analysis =
        analyze(
            dump(0, "nccl", "all_reduce", 3, false, 100),
            dump(0, "nccl", "all_reduce", 5, false, 100),
            dump(1, "nccl", "all_reduce", 5, false, 100));

    assertThat(analysis.findings()).isEmpty();
  }
}
