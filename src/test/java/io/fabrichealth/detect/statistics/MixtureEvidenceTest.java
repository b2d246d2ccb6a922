package io.fabrichealth.detect.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class MixtureEvidenceTest {
  private static final int RUNS = 40_000;
  private static final int STEPS = 100;
  private static final double MEAN = .2;
  private static final double RISE = 1.5;

  /** Means over many healthy runs, at their ends. */
  private record Means(double evidence, double ofCusum, double beyondTen) {}

  @Test
  void its_mean_stays_at_one_while_all_is_well_and_that_of_a_cumulative_sum_does_not() {
    Means means = healthy(MEAN);

    // The standard error is about .02.
    assertThat(means.evidence()).isBetween(.9, 1.05);
    assertThat(means.ofCusum()).isGreaterThan(2);
    assertThat(means.beyondTen()).isLessThan(.1);
  }

  @Test
  void it_stays_below_one_where_fewer_events_come_than_are_due() {
    assertThat(healthy(MEAN / 2).evidence()).isLessThan(1);
  }

  @Test
  void it_grows_without_bound_from_when_something_is_wrong() {
    Random random = new Random(7);
    MixtureEvidence evidence = MixtureEvidence.within(1_000);
    for (int step = 0; step < 500; step++) {
      evidence = evidence.plus(logRatio(poisson(random, step < 300 ? MEAN : 3 * MEAN)));
    }

    assertThat(evidence.log()).isGreaterThan(10);
  }

  @Test
  void a_horizon_is_followed_by_the_next() {
    MixtureEvidence evidence = MixtureEvidence.within(10);
    for (int step = 0; step < 10; step++) {
      evidence = evidence.plus(1);
    }
    assertThat(evidence.log()).isGreaterThan(7);

    assertThat(evidence.plus(0).log()).isCloseTo(0, within(1e-9));
  }

  @Test
  void before_the_first_step_it_is_one() {
    assertThat(MixtureEvidence.within(10).log()).isZero();
    assertThat(MixtureEvidence.within(10).plus(Double.NEGATIVE_INFINITY).log())
        .isCloseTo(Math.log(.9), within(1e-9));
  }

  private static Means healthy(double mean) {
    Random random = new Random(3);
    double evidences = 0;
    double ofCusums = 0;
    int beyond = 0;
    for (int run = 0; run < RUNS; run++) {
      MixtureEvidence evidence = MixtureEvidence.within(STEPS);
      double cusum = 0;
      boolean reached = false;
      for (int step = 0; step < STEPS; step++) {
        double ratio = logRatio(poisson(random, mean));
        evidence = evidence.plus(ratio);
        cusum = Math.max(0, cusum + ratio);
        reached |= evidence.log() >= Math.log(10);
      }
      evidences += Math.exp(evidence.log()) / RUNS;
      ofCusums += Math.exp(cusum) / RUNS;
      beyond += reached ? 1 : 0;
    }
    return new Means(evidences, ofCusums, (double) beyond / RUNS);
  }

  private static double logRatio(int count) {
    return count * Math.log(RISE) - MEAN * (RISE - 1);
  }

  static int poisson(Random random, double mean) {
    double limit = Math.exp(-mean);
    double product = random.nextDouble();
    int count = 0;
    while (product > limit) {
      product *= random.nextDouble();
      count++;
    }
    return count;
  }
}
