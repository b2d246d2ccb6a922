package io.fabrichealth.verdict;

/**
 * How likely a fault is before anything was seen.
 *
 * <p>Links: hard failures 3, slow error drift 1, dirty optics 2, corruption 1, flaps 20, downgrades
 * .3 a day in 10,000 links add up to about 3e-3 per link-day. The other subjects get the same: a
 * host fails 2 to 7 times in 1,000 host-days, for switches nothing better is published.
 *
 * <p>Source: rates per class as collected from published incident reports (Llama 3, CorrOpt,
 * Alibaba HPN, Meta RSC).
 */
public final class Prior {
  /** Probability that a subject has a fault on any one day. */
  public static final double PER_DAY = 3e-3;

  /** The same as log-odds, in nats: about -5.8. */
  static final double LOG_ODDS = logit(PER_DAY);

  private Prior() {}

  /**
   * The log-likelihood ratio, in nats, that takes a subject from the prior to this probability: of
   * evidence that came with a probability of its own.
   *
   * @param probability above 0 and below 1
   */
  public static double natsTo(double probability) {
    return logit(probability) - LOG_ODDS;
  }

  static double logit(double probability) {
    return Math.log(probability) - Math.log1p(-probability);
  }

  static double probability(double logOdds) {
    return logOdds >= 0
        ? 1 / (1 + Math.exp(-logOdds))
        : Math.exp(logOdds) / (1 + Math.exp(logOdds));
  }
}
