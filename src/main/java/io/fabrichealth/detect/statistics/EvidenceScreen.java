package io.fabrichealth.detect.statistics;

import java.util.Arrays;

/**
 * Judges many e-values at once (e-BH): those are rejected that stand out of all together. The
 * expected share of wrong ones among them is bounded whatever the dependence between them, so that
 * what one fabric costs in false alarms is paid once, not once a link.
 *
 * <p>Source: Wang and Ramdas, "False discovery rate control with e-values", 2022.
 */
public final class EvidenceScreen {

  private EvidenceScreen() {}

  /**
   * The least log-evidence of those that are rejected: with m values and the k largest of them, all
   * of these have {@code m / (alpha k)} or more, for the largest such k.
   *
   * @param logs logarithms of e-values, one a candidate
   * @param alpha bound of the share of wrong ones, above 0 and below 1
   * @return positive infinity where none is rejected
   */
  public static double threshold(double[] logs, double alpha) {
    double[] sorted = logs.clone();
    Arrays.sort(sorted);
    for (int rejected = sorted.length; rejected > 0; rejected--) {
      double least = Math.log(sorted.length / (alpha * rejected));
      if (sorted[sorted.length - rejected] >= least) {
        return least;
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  /**
   * Logarithm of an e-value that has the weight of that p-value: about 1 / (p ln² p), and 0 where
   * it says nothing.
   *
   * @param logP logarithm of the p-value, 0 or below
   */
  public static double ofProbability(double logP) {
    double surprise = -logP;
    if (!(surprise > 1)) {
      return Math.log(.5);
    }
    // (1 - p + p ln p) / (p ln^2 p)
    double p = Math.exp(logP);
    return surprise - 2 * Math.log(surprise) + Math.log1p(-p - p * surprise);
  }
}
