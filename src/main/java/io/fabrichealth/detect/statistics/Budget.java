package io.fabrichealth.detect.statistics;

/**
 * How often an alarm may be false, and what follows from it for every statistic that is looked at
 * with each poll.
 *
 * <p>A statistic that is a likelihood ratio in nats, begun anew again and again (CUSUM), passes
 * {@code h} by chance once in {@code e^h} polls at most. For {@code a} false alarms a day and link,
 * with {@code n} statistics of a link looked at every {@code t} seconds, {@code h = ln(86400 / t *
 * n / a)}: 27.3 nats for 1e-6, 80 and 10 s. What a detector may call evidence is what is left of
 * its statistic when the price of looking so often is paid, such that a statistic at its threshold
 * just opens an incident.
 *
 * <p>Source: average run length of CUSUM, Lorden 1971; Bonferroni over statistics and days.
 */
public final class Budget {
  private static final double DAY_SECONDS = 86_400;

  private final double threshold;
  private final double opening;

  /**
   * @param falseAlarmsPerLinkDay above 0
   * @param pollSeconds above 0
   * @param statisticsPerLink at least 1
   * @param openingNats evidence in nats with which a subject without history opens an incident
   */
  public Budget(
      double falseAlarmsPerLinkDay,
      double pollSeconds,
      double statisticsPerLink,
      double openingNats) {
    threshold = Math.log(DAY_SECONDS / pollSeconds * statisticsPerLink / falseAlarmsPerLinkDay);
    opening = openingNats;
  }

  /** What a statistic must reach, in nats. */
  public double threshold() {
    return threshold;
  }

  public boolean isReached(double statistic) {
    return statistic >= threshold;
  }

  /** What is left of a statistic, in nats; below 0 where it speaks for nothing. */
  public double evidence(double statistic) {
    return statistic - (threshold - opening);
  }
}
