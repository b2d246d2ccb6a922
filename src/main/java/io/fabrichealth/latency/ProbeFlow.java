package io.fabrichealth.latency;

import io.fabrichealth.latency.ProbeSample.Endpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Probes that take the same way: those of one flow, or, where the path is known, all between two
 * ends that take it.
 *
 * @param sourcePort null where the path is known, or the source port is not
 * @param bytes size of a probe; null where unknown
 */
public record ProbeFlow(
    Endpoint src,
    Endpoint dst,
    @Nullable Integer sourcePort,
    @Nullable Integer bytes,
    List<String> path,
    List<List<String>> candidates,
    List<String> returnPath) {

  static ProbeFlow of(ProbeSample sample) {
    return new ProbeFlow(
        sample.src(),
        sample.dst(),
        sample.path().isEmpty() ? sample.sourcePort() : null,
        sample.bytes(),
        sample.path(),
        sample.candidates(),
        sample.returnPath());
  }
}
