package io.fabrichealth.latency;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One aggregate of the probes of one flow, as a prober tells it.
 *
 * @param src where the probes start
 * @param dst where they are answered
 * @param tool what probed, for example {@code smokeping}
 * @param sourcePort of the flow; null where unknown
 * @param bytes size of a probe; null where unknown
 * @param path ids of the links on the way out, in order; empty where unknown
 * @param candidates ways out one of which the flow takes, where {@code path} is not known
 * @param returnPath ids of the links on the way back, in order; empty where it is the way out
 * @param sent probes of this aggregate
 * @param lost those of them that were not answered
 * @param rtt null where no answer came, or the tool times none
 */
public record ProbeSample(
    Endpoint src,
    Endpoint dst,
    String tool,
    @Nullable Integer sourcePort,
    @Nullable Integer bytes,
    List<String> path,
    List<List<String>> candidates,
    List<String> returnPath,
    long sent,
    long lost,
    @Nullable RoundTrip rtt) {

  public ProbeSample {
    path = List.copyOf(path);
    candidates = candidates.stream().map(List::copyOf).toList();
    returnPath = List.copyOf(returnPath);
    if (sent < 0 || lost < 0 || lost > sent) {
      throw new IllegalArgumentException("sent " + sent + ", lost " + lost + ": lost > sent >= 0");
    }
  }

  /** One of a flow that comes back the way it went, if that is known. */
  public ProbeSample(
      Endpoint src,
      Endpoint dst,
      String tool,
      @Nullable Integer sourcePort,
      @Nullable Integer bytes,
      List<String> path,
      long sent,
      long lost,
      @Nullable RoundTrip rtt) {
    this(src, dst, tool, sourcePort, bytes, path, List.of(), List.of(), sent, lost, rtt);
  }

  /** The same between ends that are written otherwise. */
  public ProbeSample between(Endpoint one, Endpoint other) {
    return new ProbeSample(
        one, other, tool, sourcePort, bytes, path, candidates, returnPath, sent, lost, rtt);
  }

  /**
   * One end of a flow.
   *
   * @param device its name, or the address where only that is known
   * @param port null where unknown
   */
  public record Endpoint(String device, @Nullable String port) {}

  /** Full round-trip times in microseconds; NaN where the tool does not tell. */
  public record RoundTrip(double min, double median, double p99, double max) {}
}
