package io.fabrichealth.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabrichealth.capture.CaptureSummary;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.runtime.Replay;
import io.fabrichealth.runtime.ReplayComparison;
import java.nio.file.Path;
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
    Skipped skipped,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Comparison comparison) {

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

  /** What other thresholds would have done. */
  record Comparison(
      String thresholds, List<Found> gained, List<Found> lost, List<Moved> moved, int same) {

    static Comparison of(Path thresholds, ReplayComparison comparison) {
      return new Comparison(
          thresholds.toString(),
          comparison.gained().stream().map(Found::of).toList(),
          comparison.lost().stream().map(Found::of).toList(),
          comparison.moved().stream().map(Moved::of).toList(),
          comparison.same());
    }
  }

  /** An incident that opens at another time, or of another cause. */
  record Moved(
      String id, About subject, String cause, Instant openedAt, double secondsLater, String then) {

    static Moved of(ReplayComparison.Moved moved) {
      return new Moved(
          moved.present().id().toString(),
          About.of(moved.present().subject()),
          moved.present().cause().name(),
          moved.present().openedAt(),
          moved.later().toNanos() / 1e9,
          moved.other().cause().name());
    }
  }

  static ReplayReport of(
      Replay.Outcome outcome, CaptureSummary read, @Nullable Comparison comparison) {
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
            read.brokenOff()),
        comparison);
  }
}
