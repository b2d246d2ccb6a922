package io.fabrichealth.collect.wiring;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects cables; each port is the end of one. Keeps the good rows and lists the others. */
final class CableList {
  private final Refusals refusals = new Refusals();
  private final Map<String, Device> devices = new LinkedHashMap<>();
  private final Fabric.Builder fabric = Fabric.builder();
  private final Map<PortId, Integer> rows = new HashMap<>();

  Refusals refusals() {
    return refusals;
  }

  void device(String name, Role role) {
    Device before = devices.get(name);
    if (before == null || before.role() == Role.SWITCH) {
      devices.put(name, Device.of(name, role));
    }
  }

  /**
   * @param row where the cable stands; a line, or the number of an element
   */
  void cable(int row, Port a, Port b) {
    if (a.id().equals(b.id())) {
      refusals.add(row, null, "both ends are " + Refusals.quoted(a.id().id()));
      return;
    }
    for (Port end : List.of(a, b)) {
      Integer before = rows.get(end.id());
      if (before != null) {
        refusals.add(
            row, null, "port " + Refusals.quoted(end.id().id()) + " is also an end at " + before);
        return;
      }
    }
    for (Port end : List.of(a, b)) {
      rows.put(end.id(), row);
      device(end.id().device(), Role.SWITCH);
      fabric.port(end);
    }
    fabric.link(Link.between(a.id(), b.id(), Tier.OTHER, null));
  }

  void port(Port port) {
    device(port.id().device(), Role.SWITCH);
    fabric.port(port);
  }

  ImportedWiring build(List<String> remarks) {
    devices.values().forEach(fabric::device);
    return new ImportedWiring(fabric.build(), refusals.list(), refusals.with(remarks));
  }
}
