package io.fabrichealth.detect.fec;

import io.fabrichealth.topology.FecMode;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Bit errors, symbol errors and lost codewords of independent errors, in log space: a codeword is
 * lost with 1e-82 as exactly as with .1.
 *
 * <p>Source: binomial errors in a codeword of n symbols of which t can be corrected. Gray-coded
 * PAM4 errs by one bit a slip, so the relation of bit and symbol errors holds for it too.
 */
public final class CodewordErrors {
  private static final double NEGLIGIBLE = 1e-18;
  private static final double[] LOG_FACTORIAL = new double[1024];
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  static {
    for (int n = 1; n < LOG_FACTORIAL.length; n++) {
      LOG_FACTORIAL[n] = LOG_FACTORIAL[n - 1] + Math.log(n);
    }
  }

  private CodewordErrors() {}

  /** Ratio of symbols with at least one bit error, of independent bit errors. */
  public static double symbolErrorRatio(double bitErrorRatio, int symbolBits) {
    return -Math.expm1(symbolBits * Math.log1p(-bitErrorRatio));
  }

  /** The bit error ratio at which that many symbols err. */
  public static double bitErrorRatioOf(double symbolErrorRatio, int symbolBits) {
    return -Math.expm1(Math.log1p(-symbolErrorRatio) / symbolBits);
  }

  /** Natural logarithm of the ratio of codewords that are lost at this bit error ratio. */
  public static double logLostRatio(FecMode mode, double bitErrorRatio) {
    return logTail(
        mode.codewordSymbols(),
        mode.correctableSymbols(),
        symbolErrorRatio(bitErrorRatio, mode.symbolBits()));
  }

  /** The bit error ratio at which a codeword is lost with that probability, given as its log. */
  public static double bitErrorRatio(FecMode mode, double logLostRatio) {
    double low = Math.log(1e-18);
    double high = Math.log(.1);
    while (high - low > 1e-12) {
      double middle = (low + high) / 2;
      if (logLostRatio(mode, Math.exp(middle)) < logLostRatio) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Math.exp((low + high) / 2);
  }

  /** Natural logarithm of the probability of more than {@code most} errors in n trials. */
  static double logTail(int n, int most, double p) {
    if (!(p > 0)) {
      return Double.NEGATIVE_INFINITY;
    }
    if (p >= 1) {
      return 0;
    }
    double odds = p / (1 - p);
    if (n * p > most) {
      double term = Math.exp(n * Math.log1p(-p));
      double within = term;
      for (int k = 0; k < most; k++) {
        term *= (n - k) / (k + 1.0) * odds;
        within += term;
      }
      return Math.log1p(-Math.min(within, 1));
    }
    int first = most + 1;
    double term = 1;
    double sum = 1;
    for (int k = first; k < n && term > NEGLIGIBLE * sum; k++) {
      term *= (n - k) / (k + 1.0) * odds;
      sum += term;
    }
    return logChoose(n, first) + first * Math.log(p) + (n - first) * Math.log1p(-p) + Math.log(sum);
  }

  private static double logChoose(int n, int k) {
    return LOG_FACTORIAL[n] - LOG_FACTORIAL[k] - LOG_FACTORIAL[n - k];
  }

  /** Standard deviations beyond which a Gaussian lies with that probability (Q^-1). */
  public static double inverseQ(double probability) {
    return NORMAL.inverseSurvivalProbability(Math.min(.5, probability));
  }

  /**
   * How much smaller the eye may become, in electrical decibels (optical ones are half of it),
   * until the error ratio is at its limit; negative beyond it.
   */
  public static double marginDecibels(double bitErrorRatio, double limit) {
    return 20 * Math.log10(inverseQ(Math.max(bitErrorRatio, 1e-300)) / inverseQ(limit));
  }

  /** The error ratio that is that far, in electrical decibels, below the limit. */
  public static double ratioWithMargin(double marginDecibels, double limit) {
    return NORMAL.survivalProbability(inverseQ(limit) * Math.pow(10, marginDecibels / 20));
  }

  /**
   * Ratio of 64-octet frames that are lost: a lost codeword takes the frames that it holds in whole
   * or in part, and with interleaving its neighbours' too.
   *
   * <p>Source: port_fec_flr of SONiC; 8 frames of 64 octets fit in a codeword of RS(544,514).
   *
   * @param interleaved codewords that are interleaved: 1, 2 or 4
   */
  public static double frameLossRatio(double lostRatio, int interleaved, int framesPerCodeword) {
    return Math.min(1, lostRatio * (1 + interleaved * framesPerCodeword) / framesPerCodeword);
  }

  /** Ratio of packets of that many octets that are lost, on wires with 20 octets between them. */
  public static double packetLossRatio(
      FecMode mode, double lostRatio, int octets, int interleaved) {
    double codewords =
        Math.ceil((octets + 20) * 8.0 / (mode.messageSymbols() * mode.symbolBits()))
            + interleaved
            - 1;
    return -Math.expm1(codewords * Math.log1p(-lostRatio));
  }
}
