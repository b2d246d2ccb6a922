package io.fabrichealth.detect.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;
import org.junit.jupiter.api.Test;

/** Posteriors, predictions, cumulative sums and cohorts. */
class RareEventsTest {

  @Test
  void nothing_seen_bounds_the_rate_at_three_by_exposure() {
    GammaPosterior posterior = new GammaPosterior(1, 1e-9).plus(0, 100);

    assertThat(posterior.bound(.95)).isCloseTo(3.00 / 100, within(1e-4));
    assertThat(posterior.above(.0461)).isCloseTo(.01, within(1e-4));
    assertThat(posterior.above(0)).isOne();
  }

  @Test
  void a_cohort_gives_the_prior_that_it_was_drawn_from() {
    Random seed = new Random(5);
    UniformRandomProvider random = seed::nextLong;
    int members = 4_000;
    double[] counts = new double[members];
    double[] exposures = new double[members];
    var rates = AhrensDieterMarsagliaTsangGammaSampler.of(random, .6, 1e-3 / .6);
    for (int member = 0; member < members; member++) {
      exposures[member] = 1e4 * (1 + member % 3);
      double mean = rates.sample() * exposures[member];
      counts[member] = mean > 0 ? PoissonSampler.of(random, Math.max(mean, 1e-12)).sample() : 0;
    }

    GammaPosterior prior = GammaPosterior.ofCohort(counts, exposures);

    assertThat(prior.shape()).isCloseTo(.6, within(.06));
    assertThat(prior.mean()).isCloseTo(1e-3, within(5e-5));
  }

  @Test
  void cohorts_without_events_or_without_spread_have_floors() {
    double[] exposures = new double[50];
    Arrays.fill(exposures, 100);

    assertThat(GammaPosterior.ofCohort(new double[50], exposures).mean())
        .isCloseTo(.5 / 5000, within(1e-12));
    double[] alike = new double[50];
    Arrays.fill(alike, 7);
    assertThat(GammaPosterior.ofCohort(alike, exposures).shape()).isEqualTo(1e4);
    double[] oneBad = new double[50];
    oneBad[3] = 1e6;
    assertThat(GammaPosterior.ofCohort(oneBad, exposures).shape()).isEqualTo(.05);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GammaPosterior.ofCohort(new double[2], new double[2]));
    assertThatIllegalArgumentException().isThrownBy(() -> new GammaPosterior(0, 1));
  }

  @Test
  void the_tail_of_a_prediction_is_that_of_its_probabilities() {
    double share = 3 / (3 + 2.0);
    double tail = 0;
    for (int count = 2_000; count >= 12; count--) {
      tail += Math.exp(NegativeBinomial.logProbability(count, 1.5, share));
    }

    assertThat(new GammaPosterior(1.5, 2).logTail(12, 3)).isCloseTo(Math.log(tail), within(1e-9));
    assertThat(new GammaPosterior(1.5, 2).logTail(0, 3)).isZero();
    assertThat(new GammaPosterior(1.5, 2).logTail(3, 0)).isEqualTo(Double.NEGATIVE_INFINITY);
  }

  @Test
  void a_tail_is_a_number_where_its_probability_is_none() {
    double far = new GammaPosterior(2, 1e6).logTail(5_000, 1);

    assertThat(far).isBetween(-70_000.0, -60_000.0);
    double before = 0;
    for (int count = 1; count < 2_000; count += 7) {
      double tail = new GammaPosterior(2, 10).logTail(count, 1);
      assertThat(tail).isLessThan(before);
      before = tail;
    }
  }

  @Test
  void the_likelihood_ratio_of_dispersed_counts_is_evidence_also_of_plain_ones() {
    double mean = .3;
    double expectation = 0;
    for (int count = 0; count < 60; count++) {
      double probability = Math.exp(-mean + count * Math.log(mean) - logFactorial(count));
      expectation += probability * Math.exp(NegativeBinomial.logRatio(count, mean, .5, 3));
    }
    assertThat(expectation).isLessThanOrEqualTo(1);

    double share = mean / (mean + .5);
    double own = 0;
    for (int count = 0; count < 400; count++) {
      own +=
          Math.exp(
              NegativeBinomial.logProbability(count, .5, share)
                  + NegativeBinomial.logRatio(count, mean, .5, 3));
    }
    assertThat(own).isCloseTo(1, within(1e-6));
  }

  private static double logFactorial(int count) {
    double sum = 0;
    for (int factor = 2; factor <= count; factor++) {
      sum += Math.log(factor);
    }
    return sum;
  }

  @Test
  void cumulative_sums_find_a_large_rise_at_once_and_a_small_one_in_the_end() {
    double threshold = new Budget(1e-6, 10, 80, 8.75).threshold();
    assertThat(samplesUntil(threshold, .1, 10)).isLessThanOrEqualTo(5);
    assertThat(samplesUntil(threshold, 10, 20)).isBetween(5, 20);
    assertThat(samplesUntil(threshold, 10, 15)).isBetween(10, 60);
  }

  private static int samplesUntil(double threshold, double expected, double mean) {
    Random random = new Random(11);
    CusumBank bank = CusumBank.EMPTY;
    int samples = 0;
    while (bank.nats() < threshold) {
      bank = bank.plus(MixtureEvidenceTest.poisson(random, mean), expected);
      samples++;
    }
    return samples;
  }

  @Test
  void cumulative_sums_stay_low_while_the_rate_is_as_expected() {
    Random random = new Random(13);
    CusumBank bank = CusumBank.EMPTY;
    double highest = 0;
    for (int sample = 0; sample < 200_000; sample++) {
      bank = bank.plus(MixtureEvidenceTest.poisson(random, 1), 1);
      highest = Math.max(highest, bank.nats());
    }

    // One in e^h samples for each of four sums: 13.6 nats once in 200,000.
    assertThat(highest).isBetween(4.0, 18.0);
    assertThat(CusumBank.EMPTY.plus(0, 5)).isSameAs(CusumBank.EMPTY);
  }

  @Test
  void a_few_bad_members_do_not_move_a_cohort() {
    double[] values = new double[40];
    for (int member = 0; member < values.length; member++) {
      values[member] = 10 + member % 5;
    }
    values[0] = 1e9;
    values[1] = Double.NaN;
    RobustCohort cohort = RobustCohort.of(values);

    assertThat(cohort.members()).isEqualTo(39);
    assertThat(cohort.median()).isEqualTo(12);
    assertThat(cohort.spread()).isCloseTo(1.4826, within(1e-9));
    assertThat(cohort.deviation(15, 0)).isCloseTo(3 / 1.4826, within(1e-9));
    assertThat(cohort.deviation(15, 10)).isCloseTo(.3, within(1e-9));
  }

  @Test
  void a_small_cohort_is_no_measure() {
    assertThat(RobustCohort.of(new double[19]).isMeasure()).isFalse();
    assertThat(RobustCohort.of(new double[19]).deviation(5, 1)).isZero();
    assertThat(RobustCohort.of(new double[20]).deviation(5, 0)).isZero();
    assertThat(RobustCohort.of(new double[0]).median()).isNaN();
  }

  @Test
  void counts_fade_on_two_scales() {
    FadingCounts counts = FadingCounts.EMPTY.plus(100, 1e6, 0).plus(0, 1e6, 300);

    assertThat(counts.recent()).isCloseTo(100 / Math.E, within(1e-9));
    assertThat(counts.past()).isGreaterThan(99);
    GammaPosterior prior = new GammaPosterior(1, 1e7);
    assertThat(counts.recentAfter(prior).mean()).isLessThan(counts.pastAfter(prior).mean());
  }

  @Test
  void what_a_statistic_is_worth_follows_from_the_budget() {
    Budget budget = new Budget(1e-6, 10, 80, 8.75);

    assertThat(budget.threshold()).isCloseTo(27.3, within(.05));
    assertThat(budget.evidence(budget.threshold())).isCloseTo(8.75, within(1e-9));
    assertThat(budget.isReached(27)).isFalse();
    assertThat(budget.isReached(28)).isTrue();
  }
}
