package io.fabrichealth.simulate;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The simulated ports, links and HCAs of a plan, by what they are to each other. */
final class Cabling {
  private final Map<String, Integer> deviceNumbers = new LinkedHashMap<>();
  private final Map<String, SimulatedLink> links = new LinkedHashMap<>();
  private final Map<PortId, SimulatedPort> ports = new LinkedHashMap<>();
  private final Map<String, List<SimulatedPort>> portsByDevice = new LinkedHashMap<>();
  private final Map<PortId, Hca> hcas = new LinkedHashMap<>();
  private final Map<String, List<Uplink>> uplinks = new LinkedHashMap<>();
  private final List<List<Uplink>> bundles;
  private final Draws draws;

  Cabling(Fabric plan, DemoScript script, Draws draws) {
    this.draws = draws;
    for (Device device : plan.devices()) {
      deviceNumbers.put(device.name(), deviceNumbers.size() + 1);
    }
    for (Link link : plan.links()) {
      PortId b = Objects.requireNonNull(link.b());
      links.put(link.id(), new SimulatedLink(link, direction(link.a(), b), direction(b, link.a())));
    }
    for (Port port : plan.ports()) {
      add(plan, port, script);
    }
    Map<String, List<Uplink>> byPair = new LinkedHashMap<>();
    for (SimulatedLink link : links.values()) {
      if (link.link().tier() == Tier.LEAF_SPINE) {
        Uplink uplink = uplink(plan, link);
        uplinks.computeIfAbsent(uplink.leaf(), leaf -> new ArrayList<>()).add(uplink);
        byPair
            .computeIfAbsent(uplink.leaf() + " " + uplink.spine(), pair -> new ArrayList<>())
            .add(uplink);
      }
    }
    bundles = List.copyOf(byPair.values());
  }

  private void add(Fabric plan, Port port, DemoScript script) {
    String device = port.id().device();
    SimulatedLink link = link(Objects.requireNonNull(plan.linkAt(port.id())).id());
    boolean isA = port.id().equals(link.link().a());
    Direction in = isA ? link.bToA() : link.aToB();
    List<SimulatedPort> siblings = portsByDevice.computeIfAbsent(device, name -> new ArrayList<>());
    double offset = 0;
    for (Confounder confounder : script.confounders()) {
      switch (confounder) {
        case Confounder.HighLane high when high.receiver().equals(port.id()) ->
            in.setBitErrorRatio(high.lane(), high.bitErrorRatio());
        case Confounder.MiscalibratedModule module when module.port().equals(port.id()) ->
            offset = module.offsetDecibels();
        case Confounder.HighLane other -> {}
        case Confounder.MiscalibratedModule other -> {}
        case Confounder.Incast incast -> {}
      }
    }
    SimulatedPort simulated =
        new SimulatedPort(
            port,
            link,
            isA ? link.aToB() : link.bToA(),
            in,
            new OpticalModule(in.lanes(), offset, draws),
            SimulatedPort.mac(deviceNumber(device), siblings.size() + 1));
    siblings.add(simulated);
    ports.put(port.id(), simulated);
    if (Objects.requireNonNull(plan.device(device)).role() == Role.HOST) {
      hcas.put(port.id(), new Hca(simulated, "rail" + (siblings.size() - 1)));
    }
  }

  /** Healthy modules differ from each other by a decade, lanes of one module by little. */
  private Direction direction(PortId from, PortId to) {
    double module = Math.pow(10, draws.uniform(-8.9, -8.1));
    double light = draws.uniform(-2.5, -.5);
    List<Lane> lanes = new ArrayList<>();
    for (int lane = 0; lane < DemoPlan.LANES; lane++) {
      double ratio = Math.clamp(module * Math.pow(10, draws.gaussian(0, .1)), 1e-9, 1e-8);
      lanes.add(new Lane(ratio, light + draws.uniform(-.3, .3)));
    }
    return new Direction(from, to, lanes);
  }

  private static Uplink uplink(Fabric plan, SimulatedLink link) {
    PortId a = link.link().a();
    PortId b = Objects.requireNonNull(link.link().b());
    boolean leafIsA = Objects.requireNonNull(plan.device(a.device())).role() == Role.LEAF;
    return leafIsA
        ? new Uplink(a.device(), b.device(), link, link.aToB(), link.bToA())
        : new Uplink(b.device(), a.device(), link, link.bToA(), link.aToB());
  }

  /** From 1, in the order of the plan. */
  int deviceNumber(String device) {
    return Objects.requireNonNull(deviceNumbers.get(device));
  }

  SimulatedLink link(String id) {
    return Objects.requireNonNull(links.get(id));
  }

  Collection<SimulatedLink> links() {
    return links.values();
  }

  SimulatedPort port(PortId id) {
    return Objects.requireNonNull(ports.get(id));
  }

  Collection<SimulatedPort> ports() {
    return ports.values();
  }

  List<SimulatedPort> portsOf(String device) {
    return portsByDevice.getOrDefault(device, List.of());
  }

  /** The port at the other end. */
  SimulatedPort peerOf(SimulatedPort port) {
    return port(port.out().to());
  }

  Collection<Hca> hcas() {
    return hcas.values();
  }

  Hca hca(PortId port) {
    return Objects.requireNonNull(hcas.get(port));
  }

  boolean isHost(String device) {
    return portsOf(device).stream().anyMatch(port -> hcas.containsKey(port.port().id()));
  }

  List<Hca> hcasOf(String host) {
    return portsOf(host).stream().map(port -> hca(port.port().id())).toList();
  }

  String leafOf(Hca hca) {
    return hca.port().out().to().device();
  }

  int railOf(Hca hca) {
    return Objects.requireNonNull(hca.port().link().link().rail());
  }

  /** The HCA that sends to this one in the ring of its rail. */
  Hca senderTo(Hca hca) {
    List<Hca> rail = hcas.values().stream().filter(other -> railOf(other) == railOf(hca)).toList();
    return rail.get((rail.indexOf(hca) + rail.size() - 1) % rail.size());
  }

  List<Uplink> uplinksOf(String leaf) {
    return uplinks.getOrDefault(leaf, List.of());
  }

  /** Parallel links, one list for each pair of leaf and spine. */
  List<List<Uplink>> bundles() {
    return bundles;
  }
}
