package io.fabrichealth.latency;

import java.util.List;

/**
 * A candidate that loses packets.
 *
 * @param candidate its number
 * @param logBayes log of the Bayes factor of "lossy" against "healthy", other faults given; nats
 * @param nats the same, with the chance that a rival is it instead: what is left for this one
 * @param rate the ratio of the packets crossing it that it loses: posterior mean
 * @param low lower end of the rate's interval of .95
 * @param high its upper end
 * @param lost packets that it explains
 * @param rivals other candidates that explain the same packets, the best first
 */
public record LossFault(
    int candidate,
    double logBayes,
    double nats,
    double rate,
    double low,
    double high,
    double lost,
    List<Rival> rivals) {

  public LossFault {
    rivals = List.copyOf(rivals);
  }

  /**
   * What may be lossy instead.
   *
   * @param logBayes as of the fault, if it were the one
   * @param nats the same, with the chance that it is another of them
   */
  public record Rival(int candidate, double logBayes, double nats) {}
}
