package io.fabrichealth.topology;

import java.util.HashSet;
import java.util.Set;

/** Adds to a plan what another document says. */
public final class PlanMerge {
  private PlanMerge() {}

  /**
   * The plan with the devices, ports and links of the addition. Where both speak of one device or
   * port, the addition counts; a device of which it knows nothing but that it is a switch stays
   * what it was. A planned link that has an end in common with one of the addition goes.
   */
  public static Fabric of(Fabric plan, Fabric addition) {
    Fabric.Builder merged = Fabric.builder();
    plan.devices().forEach(merged::device);
    for (Device device : addition.devices()) {
      if (device.role() != Role.SWITCH || plan.device(device.name()) == null) {
        merged.device(device);
      }
    }
    plan.ports().forEach(merged::port);
    addition.ports().forEach(merged::port);
    Set<PortId> wired = new HashSet<>();
    for (Link link : addition.links()) {
      if (!link.isHalf()) {
        wired.addAll(link.ends());
        merged.link(link);
      }
    }
    plan.links().stream()
        .filter(link -> link.ends().stream().noneMatch(wired::contains))
        .forEach(merged::link);
    return merged.build();
  }
}
