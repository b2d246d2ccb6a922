package io.fabrichealth.latency;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.latency.ProbeSample.Endpoint;
import io.fabrichealth.topology.PortId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the paths of probes tell of one link, switch or shared component.
 *
 * @param family {@code LOSS} or {@code LATENCY}
 * @param nats log of the Bayes factor of "this one" against "healthy, or a rival"; no prior in it
 * @param amount ratio of the crossing probes that it loses, or the microseconds by which it delays
 *     each: posterior mean
 * @param low lower end of the interval that holds the amount with a probability of .95
 * @param high its upper end
 * @param sent probes that crossed it, weighted where their path is uncertain; one that crosses it
 *     twice counts twice
 * @param lost probes whose loss it explains; 0 for delays
 * @param from the port that sends in the bad direction; null where both are bad or they cannot be
 *     told apart
 * @param pairs between whom it is seen, the worst first, at most 20
 * @param rivals what may be it instead, the best first; empty where there is no doubt
 */
public record PathFinding(
    Subject subject,
    Cause cause,
    Family family,
    double nats,
    double amount,
    double low,
    double high,
    double sent,
    double lost,
    @Nullable PortId from,
    List<Pair> pairs,
    List<Subject> rivals) {

  public PathFinding {
    pairs = List.copyOf(pairs);
    rivals = List.copyOf(rivals);
  }

  /**
   * Two ends whose probes cross the subject.
   *
   * @param excessMicros by how much their shortest round trip grew; NaN where that is not asked
   */
  public record Pair(Endpoint src, Endpoint dst, long sent, long lost, double excessMicros) {}
}
