package io.fabrichealth.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabrichealth.capture.ProbeRecord;
import io.fabrichealth.collect.probes.ProbeReport;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.latency.ProbeSample;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;

/** The samples of one body, and what of it cannot be used. */
final class LatencySamplesRequest {
  private static final int MOST_BYTES = 4 << 20;
  private static final RecordsRequest BODIES = new RecordsRequest(MOST_BYTES);
  private static final Duration OLDEST = Duration.ofMinutes(10);
  private static final Duration AHEAD = Duration.ofMinutes(1);

  private final List<EngineInput> probes = new ArrayList<>();
  private final RefusedProblems refused = new RefusedProblems();

  private LatencySamplesRequest() {}

  /**
   * Reads a body.
   *
   * @throws ApiProblem where it is no JSON, or larger than allowed; nothing of it is taken then
   */
  static LatencySamplesRequest read(InputStream body, Instant now) throws IOException {
    LatencySamplesRequest samples = new LatencySamplesRequest();
    BODIES.read(body, (in, pointer) -> samples.take(in, pointer, now));
    return samples;
  }

  /**
   * Reads what a tool printed.
   *
   * @throws ApiProblem where it is larger than allowed
   */
  static LatencySamplesRequest read(InputStream body, LatencyImportRequest of, Instant now)
      throws IOException {
    String text = new String(WholeRequest.read(body, MOST_BYTES, "The body"), UTF_8);
    ProbeReport report =
        ProbeReport.read(
            of.format(), of.source(), of.destination(), new BufferedReader(new StringReader(text)));
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
    refused.add(pointer, ApiProblem.abridged(detail));
  }

  List<EngineInput> probes() {
    return probes;
  }

  RefusedProblems refused() {
    return refused;
  }
}
