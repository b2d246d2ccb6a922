package io.fabrichealth.collect.gnmi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Time goes by the device's stamps, as far as they can be believed. */
class DeviceClockTest {
  private static final Instant HERE = Instant.parse("2026-03-01T10:00:00Z");
  private static final Duration APART = Duration.ofHours(7);

  private final DeviceClock clock = new DeviceClock();

  private void stamp(Instant there, Instant here) {
    clock.stamp(GnmiCollector.nanos(there), GnmiCollector.nanos(here));
  }

  private Instant tell(Instant here) {
    return clock.tell(GnmiCollector.nanos(here));
  }

  private static Instant there(long seconds) {
    return HERE.minus(APART).plusSeconds(seconds);
  }

  @Test
  void the_newest_stamp_is_the_time_of_the_readings() {
    stamp(there(2), HERE.plusSeconds(2));
    stamp(there(1), HERE.plusSeconds(3));

    assertThat(tell(HERE.plusSeconds(4))).isEqualTo(there(2));
  }

  @Test
  void time_goes_on_where_nothing_was_sent_and_stays_before_the_next_stamp() {
    stamp(there(0), HERE);
    tell(HERE);

    Instant between = tell(HERE.plusSeconds(10));
    assertThat(between).isEqualTo(there(5));
    stamp(there(4), HERE.plusSeconds(11));
    // Late, but not set back.
    assertThat(tell(HERE.plusSeconds(20))).isAfter(between);
    stamp(there(21), HERE.plusSeconds(21));
    assertThat(tell(HERE.plusSeconds(22))).isEqualTo(there(21));
  }

  @Test
  void one_odd_stamp_moves_nothing() {
    stamp(there(0), HERE);
    stamp(there(86_400), HERE.plusSeconds(1));
    stamp(there(2), HERE.plusSeconds(2));

    assertThat(tell(HERE.plusSeconds(3))).isEqualTo(there(2));
  }

  @Test
  void a_clock_that_was_set_anew_is_believed_once_its_stamps_agree() {
    stamp(there(0), HERE);
    tell(HERE);
    for (int second = 1; second <= 30; second++) {
      stamp(there(second - 3_600), HERE.plusSeconds(second));
    }

    assertThat(tell(HERE.plusSeconds(31))).isEqualTo(there(30 - 3_600));
  }

  @Test
  void what_is_no_time_in_nanoseconds_is_none() {
    clock.stamp(0, GnmiCollector.nanos(HERE));
    clock.stamp(-5, GnmiCollector.nanos(HERE));
    clock.stamp(HERE.toEpochMilli(), GnmiCollector.nanos(HERE));
    clock.stamp(Long.MAX_VALUE, GnmiCollector.nanos(HERE));

    assertThat(tell(HERE)).isNull();
  }
}
