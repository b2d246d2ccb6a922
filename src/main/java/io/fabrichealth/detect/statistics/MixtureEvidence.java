package io.fabrichealth.detect.statistics;

/**
 * Evidence, as an e-value, that something began to go wrong at a moment nobody knows.
 *
 * <p>For each moment there is the product of the likelihood ratios since then; this is their mean
 * under weights that add up to 1, one share of it for each step within the horizon, where those to
 * come count 1. So its expectation is at most 1 for as long as nothing is wrong, whenever one
 * looks, and it is above {@code 1 / a} with probability {@code a} at most. (The exponential of a
 * cumulative sum is the largest of the products instead, and has no such bound.) E-values may be
 * averaged, and compared across links with {@link EvidenceScreen}, whatever their dependence.
 *
 * <p>Source: Vovk and Wang, "E-values: calibration, combination and applications", 2021; Shin,
 * Ramdas and Rinaldo, "E-detectors", 2023.
 *
 * @param logProducts logarithm of the weighted sum of the products begun so far
 * @param steps taken
 * @param horizon steps in which the moment lies; a new one begins after them
 */
public record MixtureEvidence(double logProducts, int steps, int horizon) {

  public MixtureEvidence {
    if (horizon < 1 || steps < 0 || steps > horizon) {
      throw new IllegalArgumentException(
          "%d steps of %d, expected 1 or more, and none beyond".formatted(steps, horizon));
    }
  }

  public static MixtureEvidence within(int horizon) {
    return new MixtureEvidence(Double.NEGATIVE_INFINITY, 0, horizon);
  }

  /**
   * After a step.
   *
   * @param logRatio logarithm of the likelihood ratio of "wrong" against "well" in this step, whose
   *     exponential has an expectation of at most 1 while all is well
   */
  public MixtureEvidence plus(double logRatio) {
    MixtureEvidence now = steps < horizon ? this : within(horizon);
    double begun = logSum(now.logProducts, -Math.log(horizon));
    return new MixtureEvidence(begun + logRatio, now.steps + 1, horizon);
  }

  /** Logarithm of the e-value. */
  public double log() {
    return steps == horizon
        ? logProducts
        : logSum(logProducts, Math.log((double) (horizon - steps) / horizon));
  }

  /** Logarithm of the sum of two numbers that are given by theirs. */
  public static double logSum(double one, double other) {
    double larger = Math.max(one, other);
    return Double.isInfinite(larger)
        ? larger
        : larger + Math.log1p(Math.exp(Math.min(one, other) - larger));
  }
}
