package io.fabrichealth.incident;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import java.time.Instant;

/** What is remembered of an incident that ended. */
public record EndedIncident(
    String fingerprint, Subject subject, Cause cause, Resolution resolution, Instant resolvedAt) {

  /**
   * Of an incident that is resolved.
   *
   * @throws IllegalArgumentException where it is not
   */
  public static EndedIncident of(Incident incident) {
    Resolution resolution = incident.resolution();
    Instant at = incident.resolvedAt();
    if (resolution == null || at == null) {
      throw new IllegalArgumentException("incident " + incident.id() + " is not resolved");
    }
    return new EndedIncident(
        incident.fingerprint(), incident.subject(), incident.cause(), resolution, at);
  }
}
