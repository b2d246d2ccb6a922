package io.fabrichealth.api;

import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.topology.Ambiguity;
import io.fabrichealth.topology.PlanDiff;
import io.fabrichealth.topology.PlanDiff.Cable;
import io.fabrichealth.topology.PortProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;

/** How what is seen differs from the plan; what was not read is unknown, never missing. */
record TopologyDiffView(
    Instant at,
    @Schema(description = "false where there is no plan: then nothing can differ from it")
        boolean planned,
    @Schema(description = "cables that should be seen and are not") List<PlannedCableView> missing,
    @Schema(description = "cables that are seen and not planned") List<CableView> extra,
    @Schema(description = "cables whose ends are exchanged; each group is one mistake")
        List<SwapView> swapped,
    @Schema(description = "ports of planned cables that see another port than planned")
        List<MoveView> moved,
    @Schema(description = "what ports have otherwise than planned") List<DifferenceView> properties,
    @Schema(description = "planned ports that their device does not have")
        List<PortIdView> portsNotSeen,
    @Schema(description = "planned cables of which nothing can be said, and why")
        List<PlannedCableView> unknown,
    @Schema(description = "names that could mean several things and were taken for none")
        List<AmbiguityView> ambiguous) {

  /** Two ports. */
  record CableView(PortIdView a, PortIdView b) {
    static CableView of(Cable cable) {
      return new CableView(PortIdView.of(cable.a()), PortIdView.of(cable.b()));
    }
  }

  /** A planned cable and what is to be said of it. */
  record PlannedCableView(PortIdView a, PortIdView b, String reason) {
    static PlannedCableView of(PlanDiff.PlannedCable cable) {
      return new PlannedCableView(
          PortIdView.of(cable.cable().a()), PortIdView.of(cable.cable().b()), cable.reason());
    }
  }

  /** Cables that join the same ports in another way than planned. */
  record SwapView(List<CableView> planned, List<CableView> seen) {}

  /** A port of a planned cable, and what is at its other end instead. */
  record MoveView(CableView planned, PortIdView port, PortIdView seen) {}

  /** What a port has otherwise than planned. */
  record DifferenceView(
      String device, String port, PortProperty what, String planned, String seen) {}

  /** A name that could mean several things. */
  record AmbiguityView(Ambiguity.Kind kind, String name, List<String> candidates) {}

  static TopologyDiffView of(FabricSnapshot snapshot) {
    PlanDiff diff = PlanDiff.of(snapshot.plan(), snapshot.fabric());
    return new TopologyDiffView(
        snapshot.at(),
        !snapshot.plan().devices().isEmpty() || !snapshot.plan().ports().isEmpty(),
        diff.missing().stream().map(PlannedCableView::of).toList(),
        diff.extra().stream().map(CableView::of).toList(),
        diff.swapped().stream()
            .map(swap -> new SwapView(cables(swap.planned()), cables(swap.seen())))
            .toList(),
        diff.moved().stream()
            .map(
                move ->
                    new MoveView(
                        CableView.of(move.planned()),
                        PortIdView.of(move.port()),
                        PortIdView.of(move.seen())))
            .toList(),
        diff.properties().stream()
            .map(
                one ->
                    new DifferenceView(
                        one.port().device(),
                        one.port().port(),
                        one.what(),
                        one.planned(),
                        one.seen()))
            .toList(),
        diff.notSeen().stream().map(PortIdView::of).toList(),
        diff.unknown().stream().map(PlannedCableView::of).toList(),
        snapshot.fabric().names().ambiguities().stream()
            .map(one -> new AmbiguityView(one.kind(), one.name(), one.candidates()))
            .toList());
  }

  private static List<CableView> cables(List<Cable> cables) {
    return cables.stream().map(CableView::of).toList();
  }
}
