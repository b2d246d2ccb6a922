package io.fabrichealth.latency;

import java.util.Arrays;

/**
 * What is believed before a packet was sent.
 *
 * @param logOdds of each candidate, that it is lossy; nats
 * @param leastRate ratio of the packets that a lossy candidate loses at least; five times the
 *     background where that is more
 * @param mostRate ratio that it loses at most; between the two, the prior is even in the logarithm
 */
public record LossPrior(double[] logOdds, double leastRate, double mostRate) {

  public LossPrior {
    if (!(leastRate > 0 && leastRate < mostRate && mostRate <= 1)) {
      throw new IllegalArgumentException("0 < " + leastRate + " < " + mostRate + " <= 1");
    }
  }

  /** The same log-odds for each candidate, any rate. */
  public static LossPrior even(int candidates, double logOdds) {
    return even(candidates, logOdds, 1e-6, 1);
  }

  public static LossPrior even(int candidates, double logOdds, double leastRate, double mostRate) {
    double[] all = new double[candidates];
    Arrays.fill(all, logOdds);
    return new LossPrior(all, leastRate, mostRate);
  }
}
