package io.fabrichealth.api;

import io.fabrichealth.api.ReadingsView.Refused;
import io.fabrichealth.capture.ProbeRecord;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.latency.ProbeSample;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;

/** The samples of one body, and what of it cannot be used. */
final class LatencySamplesRequest {
  private static final long MOST_BYTES = 32L << 20;
  private static final int MOST_REFUSED = 100;
  private static final Duration OLDEST = Duration.ofMinutes(10);
  private static final Duration AHEAD = Duration.ofMinutes(1);

  private final List<EngineInput> probes = new ArrayList<>();
  private final List<Refused> refused = new ArrayList<>();
  private int refusedCount;

  private LatencySamplesRequest() {}

  /**
   * Reads a body.
   *
   * @throws ApiProblem where it is no JSON, or larger than allowed; nothing of it is taken then
   */
  static LatencySamplesRequest read(InputStream body, Instant now) throws IOException {
    LatencySamplesRequest samples = new LatencySamplesRequest();
    JsonRecords.read(body, MOST_BYTES, (in, pointer) -> samples.take(in, pointer, now));
    return samples;
  }

  private void take(JsonParser in, String pointer, Instant now) {
    ProbeRecord read = ProbeRecord.read(in);
    read.problems().forEach(problem -> refuse(pointer, problem));
    ProbeSample sample = read.sample();
    if (sample == null) {
      return;
    }
    Instant at = read.at() == null ? now : read.at();
    if (at.isBefore(now.minus(OLDEST)) || at.isAfter(now.plus(AHEAD))) {
      refuse(
          pointer + "/at",
          "must be within the last 10 minutes of the service's clock, which is %s".formatted(now));
    } else {
      probes.add(new EngineInput.Probe(at, sample));
    }
  }

  private void refuse(String pointer, String detail) {
    refusedCount++;
    if (refused.size() < MOST_REFUSED) {
      refused.add(new Refused(pointer, ApiProblem.abridged(detail)));
    }
  }

  List<EngineInput> probes() {
    return probes;
  }

  /** The first of {@link #refusedCount}. */
  List<Refused> refused() {
    return refused;
  }

  int refusedCount() {
    return refusedCount;
  }
}
