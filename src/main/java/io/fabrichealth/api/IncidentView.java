package io.fabrichealth.api;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Resolution;
import io.fabrichealth.incident.Severity;
import io.fabrichealth.runtime.FabricSnapshot;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The life of one physical fault. */
record IncidentView(
    UUID id,
    SubjectView subject,
    Cause cause,
    Severity severity,
    Incident.State state,
    @Schema(minimum = "0", maximum = "1") double probability,
    Instant openedAt,
    @Schema(description = "as of when probability and evidence are") Instant updatedAt,
    @Nullable Instant resolvedAt,
    String summary,
    String recommendedAction,
    @Schema(description = "id of what suppresses it; null where nothing does")
        @Nullable String suppressedBy,
    @Schema(description = "why it ended; null where it has not") @Nullable Resolution resolution,
    @Schema(description = "earlier incidents of the subject in the 30 days before")
        RepeatsView repeats,
    @Schema(description = "what it costs now; empty once it is over") ImpactView impact,
    @Schema(description = "ids of all that the fault touches") List<String> members,
    @Schema(description = "begins with the prior") List<EvidenceView> evidence,
    @Schema(description = "who changed what and when, the oldest first")
        List<IncidentChangeView> changes) {

  static IncidentView of(Incident incident, FabricSnapshot now) {
    return new IncidentView(
        incident.id(),
        SubjectView.of(incident.subject()),
        incident.cause(),
        incident.severity(),
        incident.state(),
        incident.probability(),
        incident.openedAt(),
        incident.updatedAt(),
        incident.resolvedAt(),
        incident.summary(),
        incident.cause().recommendedAction(),
        incident.suppressedBy(),
        incident.resolution(),
        RepeatsView.of(incident.repeats()),
        ImpactView.of(ImpactView.costs(incident, now)),
        incident.members(),
        incident.evidence().stream().map(EvidenceView::of).toList(),
        incident.changes().stream().map(IncidentChangeView::of).toList());
  }
}
