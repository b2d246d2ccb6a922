package io.fabrichealth.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RateLimitTest {
  private static final RateLimit LIMIT = new RateLimit(1e-15, 1e-6, 0, 35);

  @Test
  void no_events_say_nothing_and_neither_does_no_exposure() {
    assertThat(LIMIT.nats(0, 1e15)).isZero();
    assertThat(LIMIT.nats(5, 0)).isZero();
    assertThat(LIMIT.nats(Double.NaN, 1e15)).isZero();
  }

  @Test
  void what_faded_for_days_is_still_a_number() {
    RateLimit ratio = new RateLimit(1e-6, .5, 0, Double.POSITIVE_INFINITY);
    for (double left = 1; left > 0; left /= 10) {
      assertThat(ratio.nats(6e9 * left, 4e12 * left)).as("%s left", left).isNotNaN();
    }
    assertThat(ratio.nats(Double.MIN_VALUE, Double.MIN_VALUE)).isZero();
  }

  @Test
  void more_events_in_the_same_exposure_say_more() {
    double before = LIMIT.nats(1, 4e12);
    for (int count = 2; count < 100; count++) {
      double nats = LIMIT.nats(count, 4e12);
      assertThat(nats).isGreaterThan(before);
      before = nats;
    }
  }

  @Test
  void it_is_the_ratio_of_the_two_predictions() {
    // 3 events in 4e14 bits. Healthy: geometric of mean .4. Degraded: integrated by hand.
    double healthy = Math.pow(.4 / 1.4, 3) / 1.4;
    double low = Math.log(5e-15);
    double high = Math.log(1e-6);
    int steps = 2_000_000;
    double degraded = 0;
    for (int step = 0; step < steps; step++) {
      double mean = 4e14 * Math.exp(low + (high - low) * (step + .5) / steps);
      degraded += Math.exp(-mean) * mean * mean * mean / 6 / steps;
    }

    assertThat(LIMIT.nats(3, 4e14)).isCloseTo(Math.log(degraded / healthy), within(1e-4));
  }

  @Test
  void with_much_exposure_it_turns_at_the_error_limit() {
    double exposure = 1e22;

    assertThat(LIMIT.nats(.5 * LIMIT.error() * exposure, exposure)).isLessThan(1.5);
    assertThat(LIMIT.nats(LIMIT.error() * exposure, exposure)).isBetween(4.0, 7.0);
    assertThat(LIMIT.nats(1.5 * LIMIT.error() * exposure, exposure)).isGreaterThan(8.76);
    assertThat(LIMIT.nats(.1 * LIMIT.error() * exposure, exposure)).isNegative();
  }

  @Test
  void huge_counts_and_exposures_are_numbers_too() {
    for (double count : new double[] {1e-9, .5, 1, 1e3, 1e9, 1e15, 1.8e19}) {
      for (double exposure : new double[] {1, 1e6, 1e12, 1e18, 1e24}) {
        assertThat(LIMIT.nats(count, exposure)).isNotNaN();
      }
    }
  }

  @Test
  void a_memory_stops_to_grow_where_more_would_make_nothing_surer() {
    double cap = LIMIT.cap(4e13);

    assertThat(cap).isBetween(9.0, 15.0);
    assertThat(LIMIT.nats(cap, 4e13)).isGreaterThan(20);
  }
}
