package io.fabrichealth.collect.prometheus;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A metric that tells of the probes of flows.
 *
 * @param tool the prober
 * @param labels of the source (empty where the target is it), the destination (empty where all
 *     peers together are it), and what tells flows apart
 * @param micros microseconds in the unit of a bucket
 * @param inFlight probes that may be under way when the page is made
 * @param lostLabel the label, its only element, that says of peers whether they answered; empty for
 *     all others
 * @param lostValue what it is where they did not
 */
record ProbeMetric(
    String tool,
    Counts counts,
    Labels labels,
    double micros,
    int inFlight,
    List<byte[]> lostLabel,
    @Nullable String lostValue) {

  /** What the values count. */
  enum Counts {
    SENT,
    ANSWERED,
    BUCKET,
    PEERS
  }

  /** The labels that name a flow; lists of at most one but for the last. */
  record Labels(List<byte[]> source, List<byte[]> destination, List<byte[]> flow) {}
}
