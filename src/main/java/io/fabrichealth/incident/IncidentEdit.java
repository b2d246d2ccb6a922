package io.fabrichealth.incident;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.verdict.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An incident on its way to its next version: what is not set stays. */
final class IncidentEdit {
  private final Incident of;
  private UUID id;
  private Instant openedAt;
  private Cause cause;
  private Severity severity;
  private Incident.State state;
  private double probability;
  private Instant updatedAt;
  private @Nullable Instant resolvedAt;
  private @Nullable Resolution resolution;
  private String summary;
  private List<String> members;
  private List<Evidence> evidence;
  private @Nullable String suppressedBy;
  private Repeats repeats;
  private List<IncidentChange> changes;
  private long version;

  IncidentEdit(Incident of) {
    this.of = of;
    id = of.id();
    openedAt = of.openedAt();
    cause = of.cause();
    severity = of.severity();
    state = of.state();
    probability = of.probability();
    updatedAt = of.updatedAt();
    resolvedAt = of.resolvedAt();
    resolution = of.resolution();
    summary = of.summary();
    members = of.members();
    evidence = of.evidence();
    suppressedBy = of.suppressedBy();
    repeats = of.repeats();
    changes = new ArrayList<>(of.changes());
    version = of.version() + 1;
  }

  /** Under the identity of another. */
  IncidentEdit as(Incident other, List<IncidentChange> trail) {
    id = other.id();
    openedAt = other.openedAt();
    repeats = other.repeats();
    changes = new ArrayList<>(trail);
    version = Math.max(of.version(), other.version()) + 1;
    return this;
  }

  IncidentEdit judged(Verdict verdict, Cause now, Severity urgency) {
    cause = now;
    severity = urgency;
    probability = verdict.probability();
    summary = verdict.summary();
    members = verdict.members();
    evidence = verdict.evidence();
    return this;
  }

  IncidentEdit at(Instant time) {
    updatedAt = time;
    return this;
  }

  IncidentEdit state(Incident.State next) {
    state = next;
    return this;
  }

  IncidentEdit resolved(Resolution reason) {
    state = Incident.State.RESOLVED;
    resolution = reason;
    resolvedAt = updatedAt;
    return this;
  }

  IncidentEdit suppressedBy(@Nullable String by) {
    suppressedBy = by;
    return this;
  }

  IncidentEdit note(IncidentChange change) {
    changes.add(change);
    return this;
  }

  Incident done() {
    return new Incident(
        id,
        of.fingerprint(),
        of.subject(),
        cause,
        severity,
        state,
        probability,
        openedAt,
        updatedAt,
        resolvedAt,
        summary,
        members,
        evidence,
        suppressedBy,
        resolution,
        repeats,
        changes,
        version);
  }
}
