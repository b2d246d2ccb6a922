package io.fabrichealth.collect.snmp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BootClockTest {
  private static final Instant START = Instant.parse("2026-02-01T04:00:00Z");
  private static final long HOUR = 360_000;
  private static final int UNKNOWN = -1;

  private final BootClock clock = new BootClock();

  @Test
  void a_late_answer_does_not_move_the_boot() {
    Instant first = clock.read(START, HOUR, UNKNOWN);
    String boot = clock.identity();
    Instant second = clock.read(START.plusSeconds(14), HOUR + 1000, UNKNOWN);

    assertThat(clock.identity()).isEqualTo(boot);
    assertThat(Duration.between(first, second)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void an_uptime_that_began_anew_is_another_boot() {
    clock.read(START, HOUR, UNKNOWN);
    String boot = clock.identity();
    clock.read(START.plusSeconds(10), 300, UNKNOWN);

    assertThat(clock.identity()).isNotEqualTo(boot);
  }

  @Test
  void an_uptime_that_passes_its_end_is_the_same_boot() {
    long almost = (1L << 32) - 500;
    Instant before = clock.read(START, almost, UNKNOWN);
    String boot = clock.identity();
    Instant after = clock.read(START.plusSeconds(10), 500, UNKNOWN);
    Instant later = clock.read(START.plusSeconds(20), 1500, UNKNOWN);

    assertThat(clock.identity()).isEqualTo(boot);
    assertThat(Duration.between(before, after)).isEqualTo(Duration.ofSeconds(10));
    assertThat(Duration.between(after, later)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void a_clock_that_runs_a_little_fast_never_looks_like_a_restart() {
    clock.read(START, HOUR, UNKNOWN);
    String boot = clock.identity();
    for (int pass = 1; pass <= 10_000; pass++) {
      // 0.1 % fast: after 10,000 passes it is 100 seconds ahead.
      clock.read(START.plusSeconds(10L * pass), HOUR + 1001L * pass, UNKNOWN);
    }

    assertThat(clock.identity()).isEqualTo(boot);
  }

  @Test
  void more_engine_boots_are_another_boot_whatever_the_uptime_says() {
    clock.read(START, HOUR, 7);
    String boot = clock.identity();
    clock.read(START.plusSeconds(10), HOUR + 1000, 7);
    assertThat(clock.identity()).isEqualTo(boot);
    clock.read(START.plusSeconds(20), HOUR + 2000 + 400, 8);

    assertThat(clock.identity()).isNotEqualTo(boot);
  }
}
