package io.fabrichealth.incident;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Says which incidents are expected, so that nobody is woken by them. What is suppressed is found,
 * kept and shown like any other.
 */
@FunctionalInterface
public interface Suppressor {

  /** Suppresses nothing. */
  Suppressor NONE = (incident, at) -> null;

  /**
   * @return id of what suppresses the incident at that time; null where nothing does
   */
  @Nullable String suppressedBy(Incident incident, Instant at);
}
