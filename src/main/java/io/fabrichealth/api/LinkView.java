package io.fabrichealth.api;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.topology.EndsComparison;
import io.fabrichealth.topology.EndsComparison.End;
import io.fabrichealth.topology.EndsComparison.Mismatch;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.verdict.Coverage;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Verdict;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A link, what is known of it and what to do about it. */
record LinkView(
    @Schema(example = "leaf1:Ethernet1/1--gpu-001:mlx5_0/1") String id,
    PortIdView a,
    @Schema(description = "null for a half-link: a port whose peer is unknown")
        @Nullable PortIdView b,
    @Schema(allowableValues = {"host-leaf", "leaf-spine", "spine-core", "other"}) String tier,
    @Nullable Integer rail,
    @Schema(description = "nominal, of the slower end; null where unknown")
        @Nullable Long speedBitsPerSecond,
    @Schema(description = "null where unknown") @Nullable Integer lanes,
    LinkState state,
    @Schema(
            minimum = "0",
            maximum = "1",
            description = "that the link is faulty; null while nothing was read")
        @Nullable Double probability,
    @Nullable Cause cause,
    @Schema(description = "when the state began; null while nothing was read")
        @Nullable Instant since,
    String summary,
    @Nullable String recommendedAction,
    @Nullable UUID incidentId,
    ImpactView impact,
    CoverageView coverage,
    @Schema(description = "what each end says, a first") List<LinkEndView> ends,
    @Schema(description = "what the ends do not have alike") List<MismatchView> mismatches) {

  /**
   * How much of what should be read is read.
   *
   * @param missing what is not, as {@code port signal reason}
   */
  record CoverageView(@Schema(minimum = "0", maximum = "1") double ratio, List<String> missing) {
    static CoverageView of(Coverage coverage) {
      return new CoverageView(coverage.ratio(), coverage.missing());
    }
  }

  static LinkView of(Link link, FabricSnapshot snapshot, @Nullable UUID incidentId) {
    Fabric fabric = snapshot.fabric();
    Verdict verdict = snapshot.verdicts().get(Subject.of(link));
    Cause cause = verdict == null ? null : verdict.cause();
    PortId b = link.b();
    long speed = nominal(link, fabric, Port::speedBitsPerSecond);
    long lanes = nominal(link, fabric, Port::lanes);
    List<End> ends = link.ends().stream().map(end -> LinkEndView.end(end, snapshot)).toList();
    List<Mismatch> mismatches =
        ends.size() < 2 ? List.of() : EndsComparison.mismatches(ends.getFirst(), ends.getLast());
    return new LinkView(
        link.id(),
        PortIdView.of(link.a()),
        b == null ? null : PortIdView.of(b),
        link.tier().label(),
        link.rail(),
        speed == 0 ? null : speed,
        lanes == 0 ? null : (int) lanes,
        verdict == null ? LinkState.UNKNOWN : verdict.state(),
        verdict == null ? null : verdict.probability(),
        cause,
        verdict == null ? null : verdict.since(),
        verdict == null ? "Not read yet." : verdict.summary(),
        cause == null ? null : cause.recommendedAction(),
        incidentId,
        ImpactView.of(verdict == null ? List.of() : verdict.impacts()),
        CoverageView.of(verdict == null ? Coverage.NONE : verdict.coverage()),
        ends.stream().map(end -> LinkEndView.of(end, snapshot)).toList(),
        mismatches.stream().map(each -> MismatchView.of(each, link, snapshot.plan())).toList());
  }

  /** The smaller value of both ends, 0 where neither is known. */
  private static long nominal(Link link, Fabric fabric, ToLongFunction<Port> property) {
    return link.ends().stream()
        .map(fabric::port)
        .filter(Objects::nonNull)
        .mapToLong(property)
        .filter(value -> value > 0)
        .min()
        .orElse(0);
  }
}
