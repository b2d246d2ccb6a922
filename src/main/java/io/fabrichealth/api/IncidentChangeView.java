package io.fabrichealth.api;

import io.fabrichealth.incident.IncidentChange;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One line of an incident's trail. */
record IncidentChangeView(
    Instant at,
    @Schema(description = "the person; fabric-health where the service did") String by,
    IncidentChange.Kind kind,
    @Schema(description = "what it was and is, or why") @Nullable String detail,
    @Nullable String comment) {

  static IncidentChangeView of(IncidentChange change) {
    return new IncidentChangeView(
        change.at(), change.by(), change.kind(), change.detail(), change.comment());
  }
}
