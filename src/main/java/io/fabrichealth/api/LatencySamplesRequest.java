package io.fabrichealth.api;

import io.fabrichealth.api.ApiProblem.Kind;
import io.fabrichealth.api.ReadingsView.Refused;
import io.fabrichealth.capture.ProbeRecord;
import io.fabrichealth.collect.probes.ProbeReport;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.latency.ProbeSample;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;

/** The samples of one body, and what of it cannot be used. */
final class LatencySamplesRequest {
  private static final long MOST_BYTES = 4L << 20;
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
    RecordsRequest.read(body, MOST_BYTES, (in, pointer) -> samples.take(in, pointer, now));
    return samples;
  }

  /**
   * Reads what a tool printed.
   *
   * @throws ApiProblem where it is larger than allowed
   */
  static LatencySamplesRequest read(InputStream body, LatencyImportRequest of, Instant now)
      throws IOException {
    byte[] text = body.readNBytes((int) MOST_BYTES + 1);
    if (text.length > MOST_BYTES) {
      throw new ApiProblem(
          Kind.TOO_LARGE, "The body may have %d MB.".formatted(MOST_BYTES >> 20), List.of());
    }
    ProbeReport report =
        ProbeReport.read(
            of.format(),
            of.source(),
            of.destination(),
            new BufferedReader(
                new InputStreamReader(new ByteArrayInputStream(text), StandardCharsets.UTF_8)));
    LatencySamplesRequest samples = new LatencySamplesRequest();
    report
        .problems()
        .forEach(problem -> samples.refuse("line " + problem.line(), problem.detail()));
    Instant at = of.at() == null ? now : of.at();
    report.samples().forEach(sample -> samples.add(at, sample, now, "at"));
    if (report.samples().isEmpty() && report.problems().isEmpty()) {
      samples.refuse("", "holds no result of " + of.format());
    }
    return samples;
  }

  private void take(JsonParser in, String pointer, Instant now) {
    ProbeRecord read = ProbeRecord.read(in);
    read.problems().forEach(problem -> refuse(pointer, problem));
    ProbeSample sample = read.sample();
    if (sample == null) {
      return;
    }
    add(read.at() == null ? now : read.at(), sample, now, pointer + "/at");
  }

  private void add(Instant at, ProbeSample sample, Instant now, String pointer) {
    if (at.isBefore(now.minus(OLDEST)) || at.isAfter(now.plus(AHEAD))) {
      refuse(
          pointer,
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
