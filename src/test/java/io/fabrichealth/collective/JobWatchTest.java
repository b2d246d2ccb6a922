package io.fabrichealth.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.topology.Fabric;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class JobWatchTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Duration STEP = Duration.ofSeconds(1);
  private static final double TRANSFER = 40_000;
  private static final double LATE = 300_000;

  private final JobWatch watch = new JobWatch("train", START);
  private Instant now = START;
  private long sequence;

  @Test
  void a_rank_that_is_last_eight_times_in_a_row_is_named_whatever_was_before() {
    steps(40, -1);
    steps(8, 2);

    assertThat(watch.look(now, Fabric.EMPTY))
        .singleElement()
        .extracting(JobFinding::finding)
        .satisfies(
            found -> {
              assertThat(found.cause()).isEqualTo(Cause.COMPUTE_STRAGGLER);
              assertThat(found.subject()).isEqualTo(Subject.rank("train", 2));
            });
  }

  @Test
  void seven_times_among_others_are_not_enough() {
    steps(40, -1);
    steps(7, 2);

    assertThat(watch.look(now, Fabric.EMPTY)).isEmpty();
  }

  @Test
  void a_rank_that_is_late_now_and_then_less_often_than_not_is_not_named() {
    for (int i = 0; i < 12; i++) {
      steps(2, 2);
      steps(2, -1);
    }

    assertThat(watch.look(now, Fabric.EMPTY)).isEmpty();
  }

  /** Steps of four ranks; the late one, if any, comes so much later that all others wait. */
  private void steps(int count, int late) {
    for (int i = 0; i < count; i++) {
      now = now.plus(STEP);
      Collective.Builder of =
          new Collective.Builder("train", "world", sequence++, "all_reduce")
              .bytes(1 << 20)
              .algorithm("RING", "SIMPLE");
      for (int rank = 0; rank < 4; rank++) {
        double waits = late < 0 || rank == late ? 0 : LATE;
        double at = now.toEpochMilli() * 1e3;
        of.row(rank, at, at + 4, TRANSFER + waits + rank);
      }
      watch.take(now, of.build());
    }
  }
}
