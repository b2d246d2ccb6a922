package io.fabrichealth.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardErrorCorrectionTest {

  /** Exact values of the code, computed elsewhere and rounded to two or three digits. */
  @ParameterizedTest
  @CsvSource({
    "3.8e-4, 3.79e-3, 2.06,    .874,   6.3e-10",
    "2.4e-4, 2.40e-3, 1.30,    .729,   8.2e-13",
    "1.0e-4, 1.00e-3, .544,    .420,   1.4e-18",
    "5.0e-5, 5.0e-4,  .272,    .238,   2.7e-23",
    "2.0e-5, 2.0e-4,  .109,    .103,   1.3e-29",
    "1.0e-5, 1.0e-4,  .0544,   5.3e-2, 2.1e-34",
    "1.0e-6, 1.0e-5,  .00544,  5.4e-3, 2.2e-50",
    "1.0e-8, 1.0e-7,  5.44e-5, 5.4e-5, 2.25e-82",
  })
  void independent_bit_errors_give_the_known_ratios(
      double bitErrorRatio, double symbols, double perCodeword, double errored, double lost) {
    double[] lanes = {bitErrorRatio, bitErrorRatio, bitErrorRatio, bitErrorRatio};
    double[] wrong = ForwardErrorCorrection.wrongSymbols(lanes);
    double mean = IntStream.range(0, wrong.length).mapToDouble(k -> k * wrong[k]).sum();

    assertThat(ForwardErrorCorrection.symbolErrorRatio(bitErrorRatio))
        .isCloseTo(symbols, withinPercentage(1));
    assertThat(mean).isCloseTo(perCodeword, withinPercentage(1));
    assertThat(1 - wrong[0]).isCloseTo(errored, withinPercentage(2));
    assertThat(ForwardErrorCorrection.uncorrectableRatio(lanes))
        .isCloseTo(lost, withinPercentage(8));
  }

  @Test
  void the_number_of_lanes_does_not_matter_where_all_err_alike() {
    assertThat(ForwardErrorCorrection.uncorrectableRatio(2.4e-4))
        .isCloseTo(
            ForwardErrorCorrection.uncorrectableRatio(2.4e-4, 2.4e-4, 2.4e-4, 2.4e-4),
            withinPercentage(.001));
  }

  @Test
  void one_bad_lane_of_four_loses_less_than_four_bad_ones_and_more_than_their_mean() {
    double one = ForwardErrorCorrection.uncorrectableRatio(1e-3, 1e-9, 1e-9, 1e-9);

    assertThat(one).isLessThan(ForwardErrorCorrection.uncorrectableRatio(1e-3));
    // 136 symbols have fewer ways to 16 errors than 544 at a quarter of the rate.
    assertThat(one).isLessThan(ForwardErrorCorrection.uncorrectableRatio(2.5e-4));
    assertThat(one).isGreaterThan(ForwardErrorCorrection.uncorrectableRatio(2e-4));
  }

  @Test
  void no_errors_lose_nothing() {
    assertThat(ForwardErrorCorrection.uncorrectableRatio(0, 0, 0, 0)).isZero();
    assertThat(ForwardErrorCorrection.wrongSymbols(0.0, 0.0)[0]).isCloseTo(1, within(0.0));
  }

  @Test
  void a_lane_without_a_signal_loses_all() {
    assertThat(ForwardErrorCorrection.uncorrectableRatio(.5, 1e-9, 1e-9, 1e-9))
        .isCloseTo(1, within(1e-9));
  }
}
