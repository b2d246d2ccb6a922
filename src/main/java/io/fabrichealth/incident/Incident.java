package io.fabrichealth.incident;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Subject;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The life of one physical fault.
 *
 * @param id derived from the fingerprint and {@code openedAt}, so that writing it twice is harmless
 * @param fingerprint what makes two reports the same fault; at most one incident of a fingerprint
 *     is not resolved
 * @param severity from certainty and impact
 * @param evidence as of {@code updatedAt}; begins with the prior
 * @param members ids of all that the fault touches
 * @param suppressedBy id of what suppresses it: of the maintenance, or of the incident that it
 *     turned out to be a part of; null where nothing does
 * @param resolution why it ended; null where it has not
 * @param repeats earlier incidents of the subject
 * @param changes who changed what and when, the oldest first
 * @param version grows by one with each stored change
 */
public record Incident(
    UUID id,
    String fingerprint,
    Subject subject,
    Cause cause,
    Severity severity,
    State state,
    double probability,
    Instant openedAt,
    Instant updatedAt,
    @Nullable Instant resolvedAt,
    String summary,
    List<String> members,
    List<Evidence> evidence,
    @Nullable String suppressedBy,
    @Nullable Resolution resolution,
    Repeats repeats,
    List<IncidentChange> changes,
    long version) {

  public Incident {
    members = List.copyOf(members);
    evidence = List.copyOf(evidence);
    changes = List.copyOf(changes);
  }

  /** Where in its life an incident is. */
  public enum State {
    OPEN,
    ACKNOWLEDGED,
    RESOLVED
  }
}
