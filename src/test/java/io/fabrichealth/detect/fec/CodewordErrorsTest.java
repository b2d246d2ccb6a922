package io.fabrichealth.detect.fec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.topology.FecMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodewordErrorsTest {

  /** Exact values, worked out with rational numbers. */
  @ParameterizedTest
  @CsvSource({
    "3.8e-4, 3.79e-3, 6.3e-10, 1.1e-3, 1.2e-5",
    "2.4e-4, 2.40e-3, 8.2e-13, 5.2e-5, 4.2e-7",
    "1.0e-4, 1.00e-3, 1.4e-18, 8.9e-8, 5.3e-10",
    "5.0e-5, 5.0e-4, 2.7e-23, 4.4e-10, 2.3e-12",
    "2.0e-5, 2.0e-4, 1.3e-29, 3.3e-13, 1.6e-15",
    "1.0e-5, 1.0e-4, 2.1e-34, 1.4e-15, 6.5e-18",
    "1.0e-6, 1.0e-5, 2.2e-50, 1.4e-23, 6.7e-26",
    "1.0e-8, 1.0e-7, 2.2e-82, 1.4e-39, 6.7e-42"
  })
  void lost_codewords_of_independent_errors(
      double bits, double symbols, double kp4, double kr4, double lowLatency) {
    assertThat(CodewordErrors.symbolErrorRatio(bits, 10)).isCloseTo(symbols, within(symbols / 100));
    assertThat(lost(FecMode.RS544, bits)).isCloseTo(Math.log10(kp4), within(.04));
    assertThat(lost(FecMode.RS528, bits)).isCloseTo(Math.log10(kr4), within(.04));
    assertThat(lost(FecMode.RS272, bits)).isCloseTo(Math.log10(lowLatency), within(.04));
  }

  private static double lost(FecMode mode, double bits) {
    return CodewordErrors.logLostRatio(mode, bits) / Math.log(10);
  }

  @Test
  void many_errors_lose_nearly_all_and_none_lose_nothing() {
    assertThat(lost(FecMode.RS544, .1)).isCloseTo(0, within(1e-9));
    assertThat(CodewordErrors.logLostRatio(FecMode.RS544, 0)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(CodewordErrors.logLostRatio(FecMode.RS544, 1)).isZero();
  }

  @Test
  void there_and_back_again() {
    for (double ratio : new double[] {1e-12, 3e-7, 2.4e-4, 1e-2}) {
      double symbols = CodewordErrors.symbolErrorRatio(ratio, 10);
      assertThat(CodewordErrors.bitErrorRatioOf(symbols, 10)).isCloseTo(ratio, within(ratio / 1e6));
    }
    double log = CodewordErrors.logLostRatio(FecMode.RS272, 3e-6);
    assertThat(CodewordErrors.bitErrorRatio(FecMode.RS272, log)).isCloseTo(3e-6, within(1e-14));
  }

  @Test
  void margins_are_amplitudes_of_the_eye() {
    assertThat(CodewordErrors.marginDecibels(2.4e-4, 2.4e-4)).isCloseTo(0, within(1e-9));
    assertThat(CodewordErrors.marginDecibels(1e-8, 2.4e-4)).isCloseTo(4.1, within(.05));
    assertThat(CodewordErrors.marginDecibels(1e-3, 2.4e-4)).isNegative();
    assertThat(CodewordErrors.marginDecibels(0, 2.4e-4)).isFinite().isGreaterThan(10);
    double oneBelow = CodewordErrors.ratioWithMargin(1, 2.4e-4);
    assertThat(oneBelow).isCloseTo(4.5e-5, within(1e-6));
    assertThat(CodewordErrors.marginDecibels(oneBelow, 2.4e-4)).isCloseTo(1, within(1e-6));
  }

  @Test
  void a_lost_codeword_takes_frames_with_it() {
    assertThat(CodewordErrors.frameLossRatio(1e-9, 1, 8)).isCloseTo(1.125e-9, within(1e-15));
    assertThat(CodewordErrors.frameLossRatio(1e-9, 2, 8)).isCloseTo(2.125e-9, within(1e-15));
    assertThat(CodewordErrors.frameLossRatio(1e-9, 4, 8)).isCloseTo(4.125e-9, within(1e-15));
    // 4,116 octets are 6.4 messages of 5,140 bits: 7 codewords, and one more of the interleaving.
    assertThat(CodewordErrors.packetLossRatio(FecMode.RS544, 1e-9, 4096, 2))
        .isCloseTo(8e-9, within(1e-14));
    assertThat(CodewordErrors.packetLossRatio(FecMode.RS544, 1, 64, 1)).isEqualTo(1);
  }
}
