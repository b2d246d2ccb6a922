package io.fabrichealth.api;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.JobImpact;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.IncidentExplanation;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.verdict.Counterfactual;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Why an incident is open and what to do about it. */
record ExplanationView(
    UUID incidentId,
    @Schema(description = "one paragraph for people") String text,
    Cause cause,
    @Schema(minimum = "0", maximum = "1") double probability,
    @Schema(description = "sum of the nats of the evidence; logit of the probability")
        double logOdds,
    @Schema(description = "what is going on") String meaning,
    @Schema(description = "what that does to jobs") String effect,
    @Schema(description = "what it costs now; empty once it is over") ImpactView impact,
    String recommendedAction,
    @Schema(description = "what to look at, in this order") List<String> checks,
    @Schema(description = "the verdict without each kind of evidence, the strongest kind first")
        List<Without> counterfactuals,
    RepeatsView repeats,
    @Schema(description = "begins with the prior") List<EvidenceView> evidence) {

  /** What would be left without one family. */
  record Without(
      @Schema(example = "phy") String family,
      double logOdds,
      @Schema(minimum = "0", maximum = "1") double probability) {

    static Without of(Counterfactual counterfactual) {
      return new Without(
          counterfactual.without().label(), counterfactual.logOdds(), counterfactual.probability());
    }
  }

  static ExplanationView of(Incident incident, FabricSnapshot snapshot, Instant now) {
    List<JobImpact> costs = ImpactView.costs(incident, snapshot);
    IncidentExplanation explanation = IncidentExplanation.of(incident, costs, now);
    return new ExplanationView(
        incident.id(),
        explanation.text(),
        incident.cause(),
        incident.probability(),
        explanation.logOdds(),
        explanation.guidance().meaning(),
        explanation.guidance().impact(),
        ImpactView.of(costs),
        incident.cause().recommendedAction(),
        explanation.guidance().checks(),
        explanation.counterfactuals().stream().map(Without::of).toList(),
        RepeatsView.of(incident.repeats()),
        incident.evidence().stream().map(EvidenceView::of).toList());
  }
}
