package io.fabrichealth.detect.fec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.topology.FecMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Estimates against truths that are known: of the families that are tried, and of none of them. */
class HistogramFitTest {
  private static final int CORRECTABLE = 15;

  /** Two minutes of 400G. */
  private static final double CODEWORDS = 78.125e6 * 120;

  private static final int[][] MERGED = {{0, 0}, {1, 1}, {2, 3}, {4, 7}, {8, 15}};
  private static final int[][] TEN = {
    {0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 7}, {8, 8}, {9, 9}
  };

  private final HistogramFit fit = new HistogramFit();

  record Case(String name, double logLost, Truth truth) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** The ten cases, with true ratios, on which the methods in use were measured. */
  static List<Case> published() {
    return List.of(
        new Case("noise 1e-6", -49.66, Truth.bitErrors(1e-6)),
        new Case("noise 1e-5", -33.67, Truth.bitErrors(1e-5)),
        new Case("noise 1e-4", -17.86, Truth.bitErrors(1e-4)),
        new Case("noise 2.4e-4", -12.08, Truth.bitErrors(2.4e-4)),
        new Case("bursts .005 .1", -17.16, Truth.bursts(.005, .1)),
        new Case("bursts .005 .3", -10.11, Truth.bursts(.005, .3)),
        new Case("bursts .05 .3", -8.82, Truth.bursts(.05, .3)),
        new Case("bursts .1 .4", -6.59, Truth.bursts(.1, .4)),
        new Case("1e-6 at 2 %", -7.07, Truth.bitErrors(1e-5).mixedWith(symbols(.02), 1e-6)),
        new Case("1e-7 at 1.5 %", -9.03, Truth.bitErrors(1e-6).mixedWith(symbols(.015), 1e-7)));
  }

  private static Truth symbols(double ratio) {
    return Truth.binomial(544, ratio);
  }

  @ParameterizedTest
  @MethodSource("published")
  void the_published_cases_are_met_within_a_twentieth_of_a_decade(Case published) {
    assertThat(published.truth().logLost(CORRECTABLE)).isCloseTo(published.logLost(), within(.02));
    List<Double> errors = new ArrayList<>();
    Random random = new Random(20);
    for (int draw = 0; draw < 20; draw++) {
      double[] counts = published.truth().draw(CODEWORDS, CORRECTABLE, random);
      errors.add(Math.abs(estimate(counts, null).logLostRatio() - published.truth().logLost(15)));
    }
    Collections.sort(errors);
    assertThat(errors.get(10)).isLessThan(.05);
  }

  private TailEstimate estimate(double[] counts, double @Nullable [] lanes) {
    return Objects.requireNonNull(
        fit.fit(
            SymbolHistogram.of(
                FecMode.RS544, Arrays.copyOf(counts, 16), null, counts[16], Double.NaN),
            lanes));
  }

  /** Truths of which none is a family that is fitted. */
  static List<Function<Random, Truth>> outsiders() {
    return List.of(
        // Two lanes ten times worse than six.
        random -> {
          double good = between(random, 1e-5, 1e-3);
          return Truth.lanes(
              544, good, good, good, good, good, good, Math.min(.02, good * 10), good * 10);
        },
        // Eight lanes, each of its own.
        random -> {
          double middle = between(random, 1e-6, 3e-4);
          double[] lanes = new double[8];
          Arrays.setAll(
              lanes, lane -> Math.min(.05, middle * Math.pow(10, random.nextGaussian() * .7)));
          return Truth.lanes(544, lanes);
        },
        // Bursts, and now and then a bad time.
        random ->
            Truth.bursts(between(random, 1e-4, .05), random.nextDouble(.05, .4))
                .mixedWith(symbols(between(random, .008, .03)), between(random, 1e-7, 1e-4)),
        // A bad time in which the errors come in bursts.
        random ->
            Truth.bitErrors(between(random, 1e-7, 1e-5))
                .mixedWith(
                    Truth.bursts(random.nextDouble(2, 5), random.nextDouble(.1, .5)),
                    between(random, 1e-7, 1e-4)),
        // Three states.
        random ->
            Truth.bitErrors(between(random, 1e-7, 1e-5))
                .mixedWith(symbols(between(random, .002, .008)), between(random, 1e-5, 1e-3))
                .mixedWith(symbols(between(random, .01, .03)), between(random, 1e-7, 1e-5)),
        // Noise that doubles within the interval.
        random -> {
          double ratio = between(random, 1e-6, 1e-4);
          Truth truth = Truth.bitErrors(ratio);
          for (int part = 1; part < 7; part++) {
            truth =
                truth.mixedWith(
                    Truth.bitErrors(ratio * Math.pow(10, (part - 3) * .05)), 1.0 / (part + 1));
          }
          return truth;
        });
  }

  private static double between(Random random, double low, double high) {
    return low * Math.pow(high / low, random.nextDouble());
  }

  private static final class Score {
    private final List<Double> errors = new ArrayList<>();
    private int covered;

    void add(TailEstimate estimate, double truth) {
      errors.add(Math.abs(estimate.logLostRatio() - truth));
      covered += estimate.low() <= truth && truth <= estimate.high() ? 1 : 0;
    }

    double quantile(double of) {
      Collections.sort(errors);
      return errors.get((int) (of * errors.size()));
    }

    double coverage() {
      return (double) covered / errors.size();
    }
  }

  private Score score(Function<double[], SymbolHistogram> device, boolean insiders) {
    Score score = new Score();
    for (Function<Random, Truth> outsider : outsiders()) {
      Random random = new Random(5);
      for (int draw = 0; draw < 25; draw++) {
        Truth truth = outsider.apply(random);
        double[] counts = truth.draw(CODEWORDS, CORRECTABLE, random);
        score.add(
            Objects.requireNonNull(fit.fit(device.apply(counts), null)),
            truth.logLost(CORRECTABLE));
      }
    }
    for (Case insider : insiders ? published() : List.<Case>of()) {
      Random random = new Random(6);
      for (int draw = 0; draw < 10; draw++) {
        double[] counts = insider.truth().draw(CODEWORDS, CORRECTABLE, random);
        score.add(
            Objects.requireNonNull(fit.fit(device.apply(counts), null)),
            insider.truth().logLost(CORRECTABLE));
      }
    }
    return score;
  }

  @Test
  void truths_of_no_family_are_met_too_and_the_interval_holds_them() {
    Score score =
        score(
            counts ->
                SymbolHistogram.of(
                    FecMode.RS544, Arrays.copyOf(counts, 16), null, counts[16], Double.NaN),
            true);

    assertThat(score.quantile(.5)).isLessThan(.3);
    assertThat(score.quantile(.95)).isLessThan(1);
    assertThat(score.coverage()).isBetween(.9, .99);
  }

  @Test
  void merged_bins_ten_bins_and_no_count_of_lost_codewords_cost_little() {
    Score merged =
        score(
            c ->
                SymbolHistogram.of(
                    FecMode.RS544,
                    new double[] {c[0], c[1], c[2] + c[3], sum(c, 4, 8), sum(c, 8, 16)},
                    MERGED,
                    c[16],
                    Double.NaN),
            false);
    Score ten =
        score(
            c -> SymbolHistogram.of(FecMode.RS544, Arrays.copyOf(c, 10), TEN, c[16], Double.NaN),
            false);
    Score blind =
        score(
            c ->
                SymbolHistogram.of(
                    FecMode.RS544, Arrays.copyOf(c, 16), null, Double.NaN, Double.NaN),
            false);

    for (Score score : List.of(merged, ten, blind)) {
      assertThat(score.quantile(.5)).isLessThan(.3);
      assertThat(score.quantile(.95)).isLessThan(1.5);
      assertThat(score.coverage()).isGreaterThan(.7);
    }
  }

  private static double sum(double[] counts, int from, int to) {
    return Arrays.stream(counts, from, to).sum();
  }

  @Test
  void lanes_that_are_counted_explain_what_no_single_ratio_does() {
    double[] ratios = {1e-3, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5};
    Truth truth = Truth.lanes(544, ratios);
    Random random = new Random(3);
    double[] counts = truth.draw(CODEWORDS, CORRECTABLE, random);
    double[] byLane =
        Arrays.stream(ratios).map(ratio -> Truth.poisson(ratio * 68 * CODEWORDS, random)).toArray();

    TailEstimate known = estimate(counts, byLane);

    assertThat(known.shape()).isEqualTo(Shape.LANES);
    assertThat(known.bursty()).isFalse();
    assertThat(known.logLostRatio()).isCloseTo(truth.logLost(CORRECTABLE), within(.02));
  }

  @Test
  void noise_and_bursts_are_told_apart() {
    Random random = new Random(4);
    assertThat(estimate(Truth.bitErrors(3e-5).draw(CODEWORDS, 15, random), null).shape())
        .isEqualTo(Shape.NOISE);
    assertThat(estimate(Truth.bursts(.02, .3).draw(CODEWORDS, 15, random), null).shape())
        .isEqualTo(Shape.BURSTS);
    Truth onOff = Truth.bitErrors(1e-7).mixedWith(symbols(.02), 1e-6);
    assertThat(estimate(onOff.draw(CODEWORDS, 15, random), null).bursty()).isTrue();
  }

  @Test
  void a_bin_at_its_end_is_left_out_and_the_others_tell_the_same() {
    Truth truth = Truth.bursts(.05, .3);
    double[] counts = Arrays.copyOf(truth.draw(CODEWORDS, 15, new Random(8)), 16);
    counts[1] = Double.NaN;

    TailEstimate estimate =
        fit.fit(SymbolHistogram.of(FecMode.RS544, counts, null, 14, CODEWORDS), null);

    assertThat(Objects.requireNonNull(estimate).logLostRatio())
        .isCloseTo(truth.logLost(CORRECTABLE), within(.3));
  }

  @Test
  void lost_codewords_beyond_all_belief_are_believed() {
    double[] counts = Truth.bitErrors(1e-8).draw(CODEWORDS, CORRECTABLE, new Random(2));
    counts[16] = 5000;

    TailEstimate estimate = estimate(counts, null);

    assertThat(estimate.logLostRatio()).isCloseTo(Math.log10(5000 / CODEWORDS), within(.02));
    assertThat(estimate.bursty()).isTrue();
  }

  @Test
  void without_errors_or_codewords_there_is_nothing_to_say() {
    assertThat(fit.fit(histogram(1e9, 0, 0), null)).isNull();
    assertThat(fit.fit(histogram(0, 0, 0), null)).isNull();
    assertThat(fit.fit(histogram(), null)).isNull();
    assertThat(fit.fit(histogram(Double.NaN, Double.NaN), null)).isNull();
  }

  @Test
  void nonsense_yields_a_number_or_nothing_and_never_an_exception() {
    Random random = new Random(99);
    for (int round = 0; round < 300; round++) {
      double[] counts = new double[1 + random.nextInt(24)];
      Arrays.setAll(
          counts,
          bin ->
              random.nextInt(4) == 0
                  ? random.nextInt(9) == 0 ? Double.NaN : 0
                  : Math.rint(Math.pow(10, random.nextDouble(0, 19))));
      double lost = random.nextBoolean() ? Double.NaN : random.nextInt(1000);
      TailEstimate estimate =
          fit.fit(
              SymbolHistogram.of(FecMode.RS544, counts, null, lost, Double.NaN),
              random.nextBoolean() ? null : new double[] {1, 0, 1e12});
      if (estimate != null) {
        assertThat(estimate.logLostRatio()).isNotNaN().isLessThanOrEqualTo(1e-9);
        assertThat(estimate.low()).isLessThanOrEqualTo(estimate.logLostRatio());
        assertThat(estimate.high()).isGreaterThanOrEqualTo(estimate.logLostRatio());
      }
    }
  }

  private static SymbolHistogram histogram(double... counts) {
    return SymbolHistogram.of(FecMode.RS544, counts, null, Double.NaN, Double.NaN);
  }
}
