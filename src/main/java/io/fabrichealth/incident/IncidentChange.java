package io.fabrichealth.incident;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of the trail that an incident leaves: who changed what, and when.
 *
 * @param by name that the person gave; {@link #SERVICE} where nobody did
 * @param detail what it was and is, or what brought it about; null where the kind says it all
 * @param comment in the person's words; null where none were given
 */
public record IncidentChange(
    Instant at, String by, Kind kind, @Nullable String detail, @Nullable String comment) {
  /** Who changes what no person does. */
  public static final String SERVICE = "fabric-health";

  /** What changed. */
  public enum Kind {
    OPENED,
    CAUSE_CHANGED,
    SEVERITY_RAISED,
    ACKNOWLEDGED,
    SUPPRESSED,
    /** No longer suppressed. */
    RELEASED,
    RESOLVED
  }

  static IncidentChange byService(Instant at, Kind kind, @Nullable String detail) {
    return new IncidentChange(at, SERVICE, kind, detail, null);
  }
}
