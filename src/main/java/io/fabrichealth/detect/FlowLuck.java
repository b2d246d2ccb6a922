package io.fabrichealth.detect;

import org.apache.commons.statistics.distribution.ChiSquaredDistribution;

/** What lot does to flows that choose among equal links. Source: the multinomial distribution. */
final class FlowLuck {
  /** Chance that there are more flows than {@link #mostFlows} says, if they are alike. */
  private static final double DOUBT = .05;

  private FlowLuck() {}

  /** Nats against luck, if {@code idle} of {@code links} were chosen by none of the flows. */
  static double nats(double flows, int links, int idle) {
    double ways = 0;
    for (int chosen = 1; chosen <= idle; chosen++) {
      ways += Math.log((double) (links - idle + chosen) / chosen);
    }
    return flows * Math.log((double) links / (links - idle)) - ways;
  }

  /**
   * How many flows there are at most, as told by how unevenly they lie: of {@code n} like flows
   * over {@code k} links, the squared coefficient of variation of the loads is {@code (k - 1) / n}
   * on average.
   *
   * @param loads of the links among which the flows choose, in any unit; NaN does not count
   */
  static double mostFlows(double[] loads) {
    int links = 0;
    double sum = 0;
    double squares = 0;
    for (double load : loads) {
      if (!Double.isNaN(load)) {
        links++;
        sum += load;
        squares += load * load;
      }
    }
    if (links < 2 || !(sum > 0)) {
      return 0;
    }
    double mean = sum / links;
    double variation = Math.max(0, squares / links - mean * mean) * links / (links - 1);
    double most = ChiSquaredDistribution.of(links - 1).inverseSurvivalProbability(DOUBT);
    return variation == 0 ? Double.POSITIVE_INFINITY : most * mean * mean / variation;
  }
}
