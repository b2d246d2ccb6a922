package io.fabrichealth.detect.statistics;

import org.apache.commons.statistics.distribution.GammaDistribution;

/**
 * What is known of the rate of rare events: a Gamma distribution. Events are counted, exposure has
 * any unit (seconds, bits, packets), the rate is events per unit of exposure.
 *
 * <p>Source: conjugate prior of the Poisson rate; the predictive distribution of a count is
 * negative binomial.
 *
 * @param shape pseudo-events, above 0; below 1 the rate is likely to be next to nothing
 * @param exposure in which these came, above 0
 */
public record GammaPosterior(double shape, double exposure) {
  private static final double LEAST_SHAPE = .05;
  private static final double MOST_SHAPE = 1e4;

  /** What a cohort without any event is taken to have had. */
  private static final double UNSEEN = .5;

  public GammaPosterior {
    if (!(shape > 0) || !(exposure > 0)) {
      throw new IllegalArgumentException(
          "shape %s and exposure %s, expected above 0".formatted(shape, exposure));
    }
  }

  /**
   * Empirical Bayes: the prior under which a cohort's counts have the mean and the spread that they
   * have. The spread that Poisson counts have anyway is taken off first; the shape is kept within
   * .05 (members differ by orders of magnitude) and 10,000 (all alike). A cohort without events
   * gives the mean of half an event.
   *
   * @param counts one a member
   * @param exposures of the same members; those without one are left out
   * @throws IllegalArgumentException where no member has an exposure
   */
  public static GammaPosterior ofCohort(double[] counts, double[] exposures) {
    double events = 0;
    double total = 0;
    double squares = 0;
    int members = 0;
    for (int member = 0; member < counts.length; member++) {
      if (exposures[member] > 0) {
        events += counts[member];
        total += exposures[member];
        squares += exposures[member] * exposures[member];
        members++;
      }
    }
    if (members == 0) {
      throw new IllegalArgumentException("no member of the cohort has an exposure");
    }
    double mean = Math.max(events, UNSEEN) / total;
    double spread = 0;
    for (int member = 0; member < counts.length; member++) {
      if (exposures[member] > 0) {
        double apart = counts[member] / exposures[member] - mean;
        spread += exposures[member] * apart * apart;
      }
    }
    double between = (spread - (members - 1) * mean) / (total - squares / total);
    double shape = between > 0 ? mean * mean / between : MOST_SHAPE;
    shape = Math.max(LEAST_SHAPE, Math.min(MOST_SHAPE, shape));
    return new GammaPosterior(shape, shape / mean);
  }

  /** After that many more events in that much more exposure. */
  public GammaPosterior plus(double count, double more) {
    return new GammaPosterior(shape + count, exposure + more);
  }

  public double mean() {
    return shape / exposure;
  }

  /** Probability that the rate is above the limit. */
  public double above(double limit) {
    return limit <= 0 ? 1 : GammaDistribution.of(shape, 1 / exposure).survivalProbability(limit);
  }

  /** The rate that is not exceeded with that probability, above 0 and below 1. */
  public double bound(double probability) {
    return GammaDistribution.of(shape, 1 / exposure).inverseCumulativeProbability(probability);
  }

  /**
   * Logarithm of the probability that a count in that exposure is {@code count} or more: how well
   * it goes with what is known of the rate. Exact far into the tail, where a probability would be
   * 0.
   */
  public double logTail(double count, double inExposure) {
    return NegativeBinomial.logTail(count, shape, inExposure / (exposure + inExposure));
  }
}
