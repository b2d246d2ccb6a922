package io.fabrichealth.incident;

import io.fabrichealth.finding.Cause;
import org.jspecify.annotations.Nullable;

/** What of an incident others are told when it changes. */
public record Standing(Incident.State state, boolean suppressed, Cause cause, Severity severity) {

  public static Standing of(Incident incident) {
    return new Standing(
        incident.state(), incident.suppressedBy() != null, incident.cause(), incident.severity());
  }

  /** What is told when an incident came from one standing to another. */
  public enum Event {
    /** Also where it is no longer suppressed. */
    OPENED,
    /** Its cause or severity. */
    CHANGED,
    ACKNOWLEDGED,
    /** It goes on, but is expected or part of something else. */
    SUPPRESSED,
    RESOLVED;

    /**
     * The event; null where nobody need be told.
     *
     * @param before null where nobody knows of it yet
     */
    public static @Nullable Event between(@Nullable Standing before, Standing after) {
      if (before == null || !before.isToldOf()) {
        // One that came and went while nothing could be written is told of once.
        boolean cameAndWent = before == null && after.state() == Incident.State.RESOLVED;
        return after.isToldOf() ? OPENED : cameAndWent && !after.suppressed() ? RESOLVED : null;
      }
      if (after.state() == Incident.State.RESOLVED) {
        return RESOLVED;
      }
      if (after.suppressed()) {
        return SUPPRESSED;
      }
      if (before.cause() != after.cause() || before.severity() != after.severity()) {
        return CHANGED;
      }
      boolean taken =
          after.state() == Incident.State.ACKNOWLEDGED && before.state() == Incident.State.OPEN;
      return taken ? ACKNOWLEDGED : null;
    }
  }

  /** Whether it goes on and others hear of it. */
  public boolean isToldOf() {
    return !suppressed && state != Incident.State.RESOLVED;
  }
}
