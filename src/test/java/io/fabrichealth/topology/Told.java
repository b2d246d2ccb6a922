package io.fabrichealth.topology;

import io.fabrichealth.topology.Neighbour.PortIdKind;
import java.util.ArrayList;
import java.util.List;

/** What a device tells, put together for tests. */
final class Told {
  static final long SPEED = 400_000_000_000L;

  private final String device;
  private final Role role;
  private String systemName;
  private boolean neighboursRead = true;
  private final List<String> chassisIds = new ArrayList<>();
  private final List<SeenPort> ports = new ArrayList<>();
  private final List<Neighbour> neighbours = new ArrayList<>();

  private Told(String device, Role role) {
    this.device = device;
    this.role = role;
    systemName = device;
  }

  static Told by(String device, Role role) {
    return new Told(device, role);
  }

  Told calledItself(String name) {
    systemName = name;
    return this;
  }

  Told chassis(String id) {
    chassisIds.add(id);
    return this;
  }

  Told port(String name, String... aliases) {
    ports.add(new SeenPort(name, SPEED, 9216, true, List.of(aliases)));
    return this;
  }

  Told port(SeenPort port) {
    ports.add(port);
    return this;
  }

  /** The port has a neighbour that gives its port's name. */
  Told sees(String local, String system, String port) {
    return sees(new Neighbour(local, system, system, port, PortIdKind.INTERFACE_NAME, null));
  }

  Told sees(Neighbour neighbour) {
    if (ports.stream().noneMatch(port -> port.name().equals(neighbour.localPort()))) {
      port(neighbour.localPort());
    }
    neighbours.add(neighbour);
    return this;
  }

  Told withoutNeighbours() {
    neighboursRead = false;
    return this;
  }

  Sighting sighting() {
    return new Sighting(
        device, role, systemName, null, chassisIds, ports, neighbours, neighboursRead);
  }

  static Fabric joined(Fabric plan, Fabric known, Told... all) {
    List<Sighting> sightings = new ArrayList<>();
    for (Told one : all) {
      sightings.add(one.sighting());
    }
    return Wiring.join(plan, known, sightings);
  }

  static Fabric joined(Told... all) {
    return joined(Fabric.EMPTY, Fabric.EMPTY, all);
  }

  static PortId id(String text) {
    int colon = text.indexOf(':');
    return new PortId(text.substring(0, colon), text.substring(colon + 1));
  }

  /** A plan of cables, as {@code leaf1:E1--spine1:E1}. */
  static Fabric plan(String... links) {
    Fabric.Builder plan = Fabric.builder();
    for (String link : links) {
      String[] ends = link.split("--");
      for (String end : ends) {
        plan.device(Device.of(id(end).device(), Role.SWITCH));
      }
      plan.link(Link.between(id(ends[0]), id(ends[1]), Tier.OTHER, null));
    }
    return plan.build();
  }
}
