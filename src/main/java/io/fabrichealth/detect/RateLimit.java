package io.fabrichealth.detect;

import org.apache.commons.statistics.distribution.GammaDistribution;

/**
 * How often something may happen at a healthy port, and how strongly a count speaks against that.
 *
 * <p>Healthy: the rate is unknown but around {@code normal} or below (a Gamma prior of shape 1),
 * and a few stray events come whatever the exposure. Degraded: the rate lies anywhere, in orders of
 * magnitude, from half the error limit up to {@code worst}. Both predict the count with their rate
 * integrated out, and the nats are the logarithm of the ratio of the two. With much exposure, a
 * rate at the error limit gives about 6 nats, one and a half times the limit about 10; with little
 * exposure, the same rate gives less.
 *
 * <p>Source: Gamma-Poisson posteriors of rare errors; the three levels are those of NVIDIA's field
 * thresholds (normal, warning = 5 normal, error = 10 normal).
 *
 * @param normal events per unit of exposure that are usual
 * @param worst largest rate that is possible
 * @param strays events that are usual in the span of a memory, whatever the exposure
 * @param ceiling surprise, in nats, at which a memory stops to grow, so that it can clear again
 */
record RateLimit(double normal, double worst, double strays, double ceiling) {
  private static final double WARNING = 5;
  private static final double ERROR = 10;

  private static final double NOTHING = 1e-9;

  /** Standard deviations beyond which the tail of a Gamma distribution is not computed. */
  private static final double FAR = 9;

  /** Events per unit of exposure that mean an error. */
  double error() {
    return ERROR * normal;
  }

  /**
   * Log-likelihood ratio of degraded against healthy, in nats; 0 without events: a clean counter
   * says nothing of faults that other counters see. What faded until next to nothing is left of it
   * is no event either; of that little, the ratio could not be computed.
   */
  double nats(double count, double exposure) {
    if (!(count > NOTHING) || !(exposure > 0)) {
      return 0;
    }
    double low = WARNING * normal;
    double mass = gammaBetween(count, exposure * low, exposure * worst);
    double degraded = Math.log(mass / count / Math.log(worst / low));
    double mean = exposure * normal + strays;
    double healthy = -count * Math.log1p(1 / mean) - Math.log1p(mean);
    return degraded - healthy;
  }

  /** The count beyond which more events make nothing surer. */
  double cap(double exposure) {
    return ceiling / Math.log1p(1 / (exposure * normal + strays));
  }

  /** Probability that a Gamma variable of that shape and scale 1 lies between the two. */
  private static double gammaBetween(double shape, double low, double high) {
    double width = FAR * Math.sqrt(shape + 1);
    if (low > shape + width + FAR * FAR || high < shape - width) {
      return 0;
    }
    boolean isLowFar = low < shape - width;
    boolean isHighFar = high > shape + width + FAR * FAR;
    if (isLowFar && isHighFar) {
      return 1;
    }
    GammaDistribution gamma = GammaDistribution.of(shape, 1);
    if (low > shape) {
      return gamma.survivalProbability(low) - (isHighFar ? 0 : gamma.survivalProbability(high));
    }
    return (isHighFar ? 1 : gamma.cumulativeProbability(high))
        - (isLowFar ? 0 : gamma.cumulativeProbability(low));
  }
}
