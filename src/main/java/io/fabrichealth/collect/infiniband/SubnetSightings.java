package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectOutcome.LeftOut;
import io.fabrichealth.collect.infiniband.NodePort.Peer;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Neighbour.PortIdKind;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the devices of a subnet are seen to have: their ports and neighbours. */
final class SubnetSightings {
  private static final String AGGREGATION = "aggregation node of a switch";
  private static final String NO_DEVICE = "neither switch nor channel adapter nor router";

  /** IEEE OUI of Mellanox, as the tools print it. */
  private static final int NVIDIA = 0x2c9;

  private final Subnet subnet;
  private final SubnetNames names;
  private final List<Sighting> sightings = new ArrayList<>();
  private final List<LeftOut> leftOut = new ArrayList<>();
  private final Map<Long, Integer> systems = new HashMap<>();

  SubnetSightings(Subnet subnet, SubnetNames names) {
    this.subnet = subnet;
    this.names = names;
    names
        .byDevice()
        .values()
        .forEach(
            nodes ->
                nodes.stream()
                    .map(Node::systemGuid)
                    .distinct()
                    .forEach(system -> systems.merge(system, 1, Integer::sum)));
    names.byDevice().forEach(this::add);
  }

  List<Sighting> sightings() {
    return sightings;
  }

  List<LeftOut> leftOut() {
    return leftOut;
  }

  /** Whether the node is a device of the fabric. */
  static boolean isDevice(Node node) {
    return !node.isAggregation() && node.kind() != Node.Kind.OTHER;
  }

  /** Whether the port is one of the fabric. */
  static boolean isPort(NodePort port) {
    Peer peer = port.peer();
    return peer == null || !Node.isAggregation(peer.description());
  }

  private void add(String device, List<Node> nodes) {
    List<Node> seen = nodes.stream().filter(SubnetSightings::isDevice).toList();
    nodes.stream()
        .filter(node -> !isDevice(node))
        .forEach(
            node ->
                leftOut.add(
                    new LeftOut(node.toString(), node.isAggregation() ? AGGREGATION : NO_DEVICE)));
    if (seen.isEmpty()) {
      return;
    }
    List<SeenPort> ports = new ArrayList<>();
    List<Neighbour> neighbours = new ArrayList<>();
    Set<String> ids = new LinkedHashSet<>();
    boolean certain = true;
    for (Node node : seen) {
      ids.add(Guid.text(node.guid()));
      if (node.systemGuid() != 0 && systems.getOrDefault(node.systemGuid(), 0) == 1) {
        ids.add(Guid.text(node.systemGuid()));
      }
      certain &= !subnet.isUncertain(node);
      for (NodePort port : node.ports().values()) {
        if (isPort(port)) {
          ports.add(seenPort(node, port));
          Neighbour neighbour = neighbour(node, port);
          if (neighbour != null) {
            neighbours.add(neighbour);
          }
        } else {
          leftOut.add(new LeftOut(device + ":" + port.number(), AGGREGATION));
        }
      }
    }
    Node first = seen.getFirst();
    sightings.add(
        new Sighting(
            device,
            first.kind() == Node.Kind.ADAPTER ? Role.HOST : Role.SWITCH,
            systemName(device, first),
            first.isSwitch() && first.vendorId() == NVIDIA ? "NVIDIA" : null,
            List.copyOf(ids),
            ports,
            neighbours,
            certain));
  }

  /** Others show a switch under its whole description, and a host under its name. */
  private static @Nullable String systemName(String device, Node node) {
    if (device.startsWith(Guid.text(node.guid())) || device.endsWith(Guid.text(node.guid()))) {
      return null;
    }
    return node.kind() == Node.Kind.ADAPTER ? device : node.description().strip();
  }

  private static SeenPort seenPort(Node node, NodePort port) {
    List<String> aliases = new ArrayList<>();
    if (port.guid() != 0) {
      aliases.add(Guid.text(port.guid()));
    }
    String label = port.label();
    if (label != null) {
      aliases.add(label);
    }
    if (port.external() != 0) {
      aliases.add("ext " + port.external());
    }
    if (node.kind() == Node.Kind.ADAPTER
        && node.declaredPorts() == 1
        && !node.description().isBlank()) {
      aliases.add(node.description().strip());
    }
    return new SeenPort(
        SubnetNames.portName(node, port.number()),
        port.number(),
        port.bitsPerSecond(),
        port.lanes(),
        FecMode.UNKNOWN,
        Media.UNKNOWN,
        null,
        0,
        true,
        aliases);
  }

  private @Nullable Neighbour neighbour(Node node, NodePort port) {
    Peer peer = port.peer();
    if (peer == null) {
      return null;
    }
    String localPort = SubnetNames.portName(node, port.number());
    Node other = subnet.find(peer);
    if (other == null) {
      return peer.guid() == 0
          ? null
          : neighbour(
              localPort,
              SubnetNames.unlisted(peer),
              peer.guid(),
              SubnetNames.unlistedPort(peer),
              0);
    }
    NodePort far = other.ports().get(peer.port());
    return neighbour(
        localPort,
        names.device(other),
        other.guid(),
        SubnetNames.portName(other, peer.port()),
        far == null ? 0 : far.guid());
  }

  private static Neighbour neighbour(
      String localPort, String device, long chassis, String port, long portGuid) {
    boolean hasGuid = portGuid != 0;
    return new Neighbour(
        localPort,
        device,
        Guid.text(chassis),
        hasGuid ? Guid.text(portGuid) : port,
        hasGuid ? PortIdKind.GUID : PortIdKind.INTERFACE_NAME,
        hasGuid ? port : null);
  }
}
