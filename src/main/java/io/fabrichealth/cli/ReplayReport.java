package io.fabrichealth.cli;

import io.fabrichealth.capture.CaptureSummary;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.runtime.Replay;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What {@code replay} prints: the contract is {@code docs/reference/replay.schema.json}. */
record ReplayReport(
    List<Found> incidents,
    long records,
    int links,
    double virtualSeconds,
    Coverage coverage,
    Skipped skipped) {

  record About(String type, String id) {
    static About of(Subject subject) {
      return new About(subject.type().label(), subject.id());
    }
  }

  /** An incident. */
  record Found(
      String id,
      About subject,
      String cause,
      String severity,
      double probability,
      Instant openedAt,
      @Nullable Instant resolvedAt,
      @Nullable String suppressedBy,
      String summary,
      String recommendedAction,
      List<String> members,
      List<Line> evidence) {

    static Found of(Incident incident) {
      return new Found(
          incident.id().toString(),
          About.of(incident.subject()),
          incident.cause().name(),
          incident.severity().name(),
          incident.probability(),
          incident.openedAt(),
          incident.resolvedAt(),
          incident.suppressedBy(),
          incident.summary(),
          incident.cause().recommendedAction(),
          incident.members(),
          incident.evidence().stream().map(Line::of).toList());
    }
  }

  /** A line of the evidence. */
  record Line(
      String family,
      String signal,
      About subject,
      String observed,
      String expected,
      String reference,
      double nats,
      Instant from,
      Instant to,
      String source) {

    static Line of(Evidence evidence) {
      return new Line(
          evidence.family().label(),
          evidence.signal(),
          About.of(evidence.subject()),
          evidence.observed(),
          evidence.expected(),
          evidence.reference().label(),
          evidence.nats(),
          evidence.from(),
          evidence.to(),
          evidence.source());
    }
  }

  /** How much there was to judge by. */
  record Coverage(double ratio, long unknownLinks) {}

  /** What was not used. */
  record Skipped(
      long lines,
      long values,
      long latePolls,
      long unbelievableReadings,
      Map<String, Long> passedOver,
      List<String> problems,
      @Nullable String brokenOff) {}

  static ReplayReport of(Replay.Outcome outcome, CaptureSummary read) {
    return new ReplayReport(
        outcome.incidents().stream().map(Found::of).toList(),
        outcome.records(),
        outcome.links(),
        outcome.virtualTime().toNanos() / 1e9,
        new Coverage(outcome.coverageRatio(), outcome.unknownLinks()),
        new Skipped(
            read.unusable(),
            read.refusedValues(),
            outcome.dropped(),
            outcome.quarantined(),
            new TreeMap<>(read.passedOver()),
            read.firstUnusable().stream().map(CaptureSummary.BadLine::toString).toList(),
            read.brokenOff()));
  }
}
