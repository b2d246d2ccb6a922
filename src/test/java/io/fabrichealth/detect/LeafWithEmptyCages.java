package io.fabrichealth.detect;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;

/** A leaf of twenty ports, of which some are wired to a spine. */
final class LeafWithEmptyCages {
  private static final int PORTS = 20;

  private LeafWithEmptyCages() {}

  /**
   * @param wired ports with a link, the first ones
   */
  static Fabric fabric(int wired) {
    Fabric.Builder fabric =
        Fabric.builder()
            .device(Device.of("leaf1", Role.LEAF))
            .device(Device.of("spine1", Role.SPINE));
    for (int number = 1; number <= wired; number++) {
      fabric.link(
          Link.between(
              new PortId("leaf1", "Ethernet1/" + number),
              new PortId("spine1", "Ethernet1/" + number),
              Tier.LEAF_SPINE,
              null));
    }
    for (int number = wired + 1; number <= PORTS; number++) {
      fabric.link(Link.half(new PortId("leaf1", "Ethernet1/" + number), null));
    }
    return fabric.build();
  }
}
