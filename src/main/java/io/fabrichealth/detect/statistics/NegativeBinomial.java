package io.fabrichealth.detect.statistics;

import org.apache.commons.numbers.gamma.LogGamma;
import org.apache.commons.numbers.gamma.RegularizedBeta;

/**
 * Counts whose rate is not known, or differs from one time to the next: negative binomial, the
 * distribution of a Poisson count whose rate is Gamma distributed.
 */
public final class NegativeBinomial {
  private static final double SMALLEST = 1e-250;
  private static final double NEGLIGIBLE = 1e-12;
  private static final int MOST_TERMS = 100_000;

  private NegativeBinomial() {}

  /**
   * Logarithm of P(K >= count).
   *
   * @param count 0 or more
   * @param shape of the Gamma distribution, above 0
   * @param share of the exposure in which it is counted in the exposure of prior and count
   *     together, from 0 to below 1
   */
  public static double logTail(double count, double shape, double share) {
    if (count <= 0) {
      return 0;
    }
    if (share <= 0) {
      return Double.NEGATIVE_INFINITY;
    }
    double tail = RegularizedBeta.value(share, count, shape);
    if (tail > SMALLEST) {
      return Math.log(tail);
    }
    double term = 1;
    double sum = 0;
    for (int more = 0; more < MOST_TERMS && term > sum * NEGLIGIBLE; more++) {
      sum += term;
      term *= (shape + count + more) / (count + more + 1) * share;
    }
    return logProbability(count, shape, share) + Math.log(sum);
  }

  /** Logarithm of P(K = count). */
  public static double logProbability(double count, double shape, double share) {
    return LogGamma.value(shape + count)
        - LogGamma.value(shape)
        - LogGamma.value(count + 1)
        + shape * Math.log1p(-share)
        + (count > 0 ? count * Math.log(share) : 0);
  }

  /**
   * Log-likelihood ratio of a mean that is {@code factor} times as large against {@code mean}, both
   * with the same shape. The expectation of its exponential is at most 1 for every count of that
   * mean or less that is not more spread, Poisson counts among them, since it is convex in the
   * count.
   *
   * @param mean above 0
   * @param factor above 1
   */
  public static double logRatio(double count, double mean, double shape, double factor) {
    return count * Math.log(factor)
        - (shape + count) * Math.log1p(mean * (factor - 1) / (shape + mean));
  }
}
