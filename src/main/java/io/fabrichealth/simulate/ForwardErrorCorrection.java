package io.fabrichealth.simulate;

import java.util.Arrays;

/**
 * What the Reed-Solomon code RS(544,514) ("KP4") makes of bit errors: symbols of 10 bits, up to 15
 * of them correctable in a codeword, which is spread evenly over the lanes.
 *
 * <p>Source: IEEE 802.3 clause 91 and 119; errors of a lane are taken as independent.
 */
public final class ForwardErrorCorrection {
  static final int CODEWORD_SYMBOLS = 544;
  static final int CORRECTABLE_SYMBOLS = 15;
  static final int SYMBOL_BITS = 10;
  static final int CODEWORD_BITS = CODEWORD_SYMBOLS * SYMBOL_BITS;

  /** Where most codewords can be corrected, more wrong symbols than these do not occur. */
  private static final int MOST_SYMBOLS = 120;

  private ForwardErrorCorrection() {}

  /** Probability that a symbol holds at least one wrong bit. */
  public static double symbolErrorRatio(double bitErrorRatio) {
    return -Math.expm1(SYMBOL_BITS * Math.log1p(-bitErrorRatio));
  }

  /**
   * Probability that a codeword has more wrong symbols than can be corrected.
   *
   * @param laneBitErrorRatios one for each lane; their number divides 544
   */
  static double uncorrectableRatio(double... laneBitErrorRatios) {
    double[] codeword = wrongSymbols(laneBitErrorRatios);
    double correctable = Arrays.stream(codeword, 0, CORRECTABLE_SYMBOLS + 1).sum();
    if (correctable < .5) {
      return 1 - correctable;
    }
    // Its complement would drown in rounding: the terms themselves, small ones first.
    double uncorrectable = 0;
    for (int wrong = codeword.length - 1; wrong > CORRECTABLE_SYMBOLS; wrong--) {
      uncorrectable += codeword[wrong];
    }
    return uncorrectable;
  }

  /** Probability of each number of wrong symbols in a codeword, up to {@link #MOST_SYMBOLS}. */
  static double[] wrongSymbols(double... laneBitErrorRatios) {
    return wrongSymbols(CODEWORD_SYMBOLS, MOST_SYMBOLS, laneBitErrorRatios);
  }

  /**
   * Probability of each number of wrong symbols in a codeword of any Reed-Solomon code of 10-bit
   * symbols.
   *
   * @param codewordSymbols spread evenly over the lanes
   * @param most the largest number that is looked at
   */
  public static double[] wrongSymbols(int codewordSymbols, int most, double... laneBitErrorRatios) {
    double[] codeword = new double[most + 1];
    codeword[0] = 1;
    int symbols = codewordSymbols / laneBitErrorRatios.length;
    for (double bitErrorRatio : laneBitErrorRatios) {
      codeword = convolve(codeword, binomial(symbols, most, symbolErrorRatio(bitErrorRatio)));
    }
    return codeword;
  }

  private static double[] binomial(int trials, int most, double probability) {
    double[] terms = new double[most + 1];
    terms[0] = Math.exp(trials * Math.log1p(-probability));
    double odds = probability / (1 - probability);
    for (int k = 1; k <= Math.min(trials, most); k++) {
      terms[k] = terms[k - 1] * odds * (trials - k + 1) / k;
    }
    return terms;
  }

  private static double[] convolve(double[] left, double[] right) {
    double[] sum = new double[left.length];
    for (int i = 0; i < left.length; i++) {
      for (int j = 0; i + j < sum.length; j++) {
        sum[i + j] += left[i] * right[j];
      }
    }
    return sum;
  }
}
