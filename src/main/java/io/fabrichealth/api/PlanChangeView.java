package io.fabrichealth.api;

import io.fabrichealth.runtime.PlanImport.Imported;
import io.fabrichealth.runtime.PlanImport.Refused;
import io.fabrichealth.runtime.TopologyPlan;
import io.fabrichealth.topology.Fabric;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of a plan that was put or imported. */
record PlanChangeView(
    @Schema(description = "false of a dry run: nothing changed") boolean stored,
    @Schema(description = "of the plan as it is then") int devices,
    int ports,
    int links,
    @Schema(description = "links that were not in the plan before") int linksAdded,
    @Schema(description = "links that were in the plan before") int linksRemoved,
    @Schema(description = "rows that were not taken") List<RefusedView> refused,
    @Schema(description = "what the document does not say, or was left out on purpose")
        List<String> remarks,
    @Schema(description = "the plan as it would be; null unless it is a dry run")
        @Nullable TopologyView plan) {

  /** A row that was not taken. */
  record RefusedView(
      @Schema(description = "from 1; null where unknown") @Nullable Integer line,
      @Schema(description = "null where it is the row") @Nullable String field,
      String problem) {
    static RefusedView of(Refused refused) {
      return new RefusedView(
          refused.line() == 0 ? null : refused.line(), refused.field(), refused.problem());
    }
  }

  static PlanChangeView of(
      boolean dryRun, TopologyPlan.Change change, Imported imported, Instant at) {
    Fabric before = change.before();
    Fabric after = change.after();
    return new PlanChangeView(
        !dryRun,
        after.devices().size(),
        after.ports().size(),
        after.links().size(),
        missing(after, before),
        missing(before, after),
        imported.refused().stream().map(RefusedView::of).toList(),
        imported.remarks(),
        dryRun ? TopologyView.of(after, at) : null);
  }

  private static int missing(Fabric of, Fabric in) {
    return (int) of.links().stream().filter(link -> in.link(link.id()) == null).count();
  }
}
