package io.fabrichealth.simulate;

import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What goes wrong in the demo fabric and when, and what only looks so. */
public record DemoScript(List<Fault> faults, List<Confounder> confounders) {
  public DemoScript {
    faults = List.copyOf(faults);
    confounders = List.copyOf(confounders);
  }

  /** Three faults that set in after some seconds, and one leaf that is congested all the time. */
  public static DemoScript standard() {
    PortId dirty = DemoPlan.hca(2, 1);
    PortId flapping = DemoPlan.uplink(2, 1, 1);
    List<Confounder> confounders = new ArrayList<>(healthy().confounders());
    confounders.add(
        new Confounder.Incast(DemoPlan.leaf(3), List.of(DemoPlan.hca(1, 3), DemoPlan.hca(6, 7))));
    return new DemoScript(
        List.of(
            new Fault.DirtyLane(Duration.ofSeconds(10), linkAt(dirty), dirty, 2, 1.5e-4, 3.5),
            new Fault.SlowReceiver(Duration.ofSeconds(12), DemoPlan.hca(5, 4), .65),
            new Fault.FlappingLink(
                Duration.ofSeconds(15),
                linkAt(flapping),
                Duration.ofSeconds(12),
                Duration.ofSeconds(15))),
        confounders);
  }

  /** No fault and no congestion: only what every fabric has. */
  public static DemoScript healthy() {
    return new DemoScript(
        List.of(),
        List.of(
            new Confounder.HighLane(DemoPlan.hca(0, 6), 3, 2e-7),
            new Confounder.MiscalibratedModule(DemoPlan.leafPortOf(4, 2), -2)));
  }

  private static Link linkAt(PortId port) {
    Fabric plan = DemoPlan.fabric();
    return Objects.requireNonNull(plan.linkAt(port));
  }
}
