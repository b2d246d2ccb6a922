package io.fabrichealth.detect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BerTrendTest {
  private static final double HOUR_NANOS = 3.6e12;
  private final Random random = new Random(1);

  private BerTrend.Line line(double hours, double decadesPerHour, double amplitude, boolean told) {
    BerTrend trend = BerTrend.NONE;
    for (double hour = 0; hour <= hours; hour += 1.0 / 12) {
      double wave = Math.sin(2 * Math.PI * hour / 24);
      double log = -7 + decadesPerHour * hour + amplitude * wave + .02 * random.nextGaussian();
      trend = trend.next(log, told ? 50 + 5 * wave : Double.NaN, (long) (hour * HOUR_NANOS), 144);
    }
    return trend.line();
  }

  @Test
  void a_drift_is_found_with_its_slope() {
    BerTrend.Line line = line(12, .05, 0, false);

    assertThat(line.decadesPerHour()).isCloseTo(.05, within(.002));
    assertThat(line.deviations()).isGreaterThan(20);
    assertThat(line.hours()).isCloseTo(12, within(.1));
  }

  @Test
  void what_the_temperature_does_is_taken_out_of_it() {
    assertThat(line(12, 0, .5, true).decadesPerHour()).isCloseTo(0, within(.002));
    assertThat(line(12, .05, .5, true).decadesPerHour()).isCloseTo(.05, within(.004));
    assertThat(Math.abs(line(9, 0, .5, false).decadesPerHour())).isGreaterThan(.01);
  }

  @Test
  void few_samples_or_none_say_nothing() {
    assertThat(BerTrend.NONE.line().deviations()).isZero();
    assertThat(line(.2, .05, 0, true).deviations()).isZero();
  }
}
