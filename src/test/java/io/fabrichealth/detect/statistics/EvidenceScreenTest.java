package io.fabrichealth.detect.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class EvidenceScreenTest {

  @Test
  void one_of_many_must_pay_for_all() {
    double[] logs = new double[1000];
    double needed = Math.log(1000 / .01);
    logs[17] = needed - .01;
    assertThat(EvidenceScreen.threshold(logs, .01)).isInfinite();

    logs[17] = needed + .01;
    assertThat(EvidenceScreen.threshold(logs, .01)).isCloseTo(needed, within(1e-9));
  }

  @Test
  void many_together_need_less_each() {
    double[] logs = new double[1000];
    Arrays.fill(logs, 0, 50, Math.log(1000 / .01 / 50) + .01);

    assertThat(EvidenceScreen.threshold(logs, .01))
        .isCloseTo(Math.log(1000 / .01 / 50), within(1e-9));
  }

  @Test
  void nothing_stands_out_of_nothing() {
    assertThat(EvidenceScreen.threshold(new double[0], .01)).isInfinite();
    assertThat(EvidenceScreen.threshold(new double[] {0, 0, 1}, .01)).isInfinite();
    assertThat(EvidenceScreen.threshold(new double[] {Double.NaN, 0}, .01)).isInfinite();
  }

  @Test
  void a_probability_becomes_evidence_whose_mean_is_one() {
    int steps = 200_000;
    double mean = 0;
    for (int step = 0; step < steps; step++) {
      mean += Math.exp(EvidenceScreen.ofProbability(Math.log((step + .5) / steps))) / steps;
    }
    // What lies below the smallest of these probabilities adds up to 1 / ln(steps) at most.
    assertThat(mean).isBetween(.8, 1.0);

    assertThat(EvidenceScreen.ofProbability(-30)).isCloseTo(30 - 2 * Math.log(30), within(1e-6));
    assertThat(EvidenceScreen.ofProbability(0)).isNegative();
    assertThat(EvidenceScreen.ofProbability(Double.NaN)).isNegative();
  }
}
