package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.prometheus.DevicePorts.Parts;
import io.fabrichealth.collect.prometheus.HostFacts.HostPort;
import io.fabrichealth.collect.prometheus.NodeFacts.Node;
import io.fabrichealth.collect.prometheus.NodeFacts.Remote;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Neighbour.PortIdKind;
import io.fabrichealth.topology.Role;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sorts the rows of one page by device and port: an interface that is known to be a port of an HCA
 * becomes one port with it, a node goes by the name that anything on the page gives it.
 */
final class PageDevices {
  /** A node with a port of a higher number is no HCA. */
  private static final int MOST_HCA_PORTS = 2;

  private final Page page;
  private final int shapes;
  private final DevicePorts host;
  private final Map<String, DevicePorts> others = new LinkedHashMap<>();
  private final Map<String, Named> nodes = new HashMap<>();
  private int doubles;

  /** A node under the name that it has here. */
  private record Named(NodeName name, Role role, String description) {}

  private PageDevices(Page page, String target, Role role, int shapes) {
    this.page = page;
    this.shapes = shapes;
    host = new DevicePorts(target, role, null, shapes);
  }

  /**
   * @param target name of the target, which is a device where the page shows ports of its own
   */
  static PageDevices of(Page page, String target, Role role, int shapes) {
    PageDevices devices = new PageDevices(page, target, role, shapes);
    devices.joinHost();
    devices.addNvlinks();
    devices.addNodes();
    return devices;
  }

  /** The target's own ports; none where it only tells of other devices. */
  DevicePorts host() {
    return host;
  }

  Collection<DevicePorts> others() {
    return others.values();
  }

  /** Rows that are a port of which another row was taken. */
  int doubles() {
    return doubles;
  }

  private void joinHost() {
    Map<String, HostPort> byNetdev = new HashMap<>();
    for (HostPort told : page.facts().hostPorts().values()) {
      host.port(told.port()).tell(told);
      byNetdev.put(told.netdev(), told);
    }
    List<PortTable.Row> rows = page.table().rows();
    Map<String, String> netdevs = new HashMap<>();
    for (int index = 0; index < rows.size(); index++) {
      PortTable.Row row = rows.get(index);
      if (row.shape().kind() == PortKind.HCA) {
        add(host.port(row.name()), row, index);
      } else if (row.shape().kind() == PortKind.NETDEV) {
        HostPort told = byNetdev.get(row.name());
        String port = told == null ? row.name() : told.port();
        add(host.port(port), row, index);
        netdevs.put(port, row.name());
      }
    }
    host.ports().forEach((name, parts) -> addAliases(name, netdevs.getOrDefault(name, ""), parts));
  }

  private void addAliases(String name, String netdev, Parts parts) {
    HostPort told = parts.told();
    if (!netdev.equals(name)) {
      parts.addAlias(netdev);
    }
    if (told != null && netdev.isEmpty()) {
      parts.addAlias(told.netdev());
    }
    parts.addAlias(page.facts().addresses().getOrDefault(netdev, ""));
    if (told != null) {
      parts.addAlias(HostFacts.isMac(told.mac()) ? told.mac() : "");
      String guid = NodeName.guid(told.guid());
      parts.addAlias(guid == null ? "" : guid);
    }
  }

  private void addNvlinks() {
    List<PortTable.Row> rows = page.table().rows();
    for (int index = 0; index < rows.size(); index++) {
      PortTable.Row row = rows.get(index);
      if (row.shape().kind() == PortKind.NVLINK) {
        boolean isHost = row.device().isEmpty() || row.device().equals(host.device());
        DevicePorts device = isHost ? host : other(row.device(), Role.HOST, row.shape());
        add(device.port("gpu" + row.name() + "/nvlink"), row, index);
      }
    }
  }

  private void addNodes() {
    List<PortTable.Row> rows = page.table().rows();
    Map<String, Integer> highest = new LinkedHashMap<>();
    for (PortTable.Row row : rows) {
      if (row.shape().kind() == PortKind.NODE) {
        highest.merge(row.device(), number(row.name()), Math::max);
      }
    }
    nameNodes(highest);
    for (int index = 0; index < rows.size(); index++) {
      PortTable.Row row = rows.get(index);
      Named node = nodes.get(row.device());
      if (row.shape().kind() == PortKind.NODE && node != null) {
        addNode(row, index, node);
      }
    }
  }

  /**
   * Names all nodes of the page. A name that several have for ports of the same names is none.
   *
   * @param highest number of a port, by GUID
   */
  private void nameNodes(Map<String, Integer> highest) {
    Map<NodeName, Integer> uses = new HashMap<>();
    highest.forEach(
        (guid, port) -> {
          Named named = named(guid, port);
          nodes.put(guid, named);
          uses.merge(named.name(), 1, Integer::sum);
        });
    nodes.replaceAll(
        (guid, node) ->
            uses.getOrDefault(node.name(), 0) > 1
                ? new Named(node.name().apart(guid), node.role(), node.description())
                : node);
  }

  private void addNode(PortTable.Row row, int index, Named node) {
    DevicePorts device = other(node.name().device(), node.role(), row.shape());
    if (!device.chassisIds().contains(row.device())) {
      device.chassisIds().add(row.device());
    }
    if (node.role() != Role.HOST && !node.description().equals(node.name().device())) {
      device.systemName(node.description());
    }
    String name = node.name().port(row.name());
    Parts port = device.port(name);
    add(port, row, index);
    device.readAt(page.table().stampMicros(index));
    if (node.role() == Role.HOST) {
      port.addAlias(row.device());
    }
    Node told = page.nodes().nodes().get(row.device());
    Remote remote = told == null ? null : told.remotes().get(row.name());
    if (remote != null) {
      device.neighbours().add(neighbour(name, remote));
    }
  }

  private Neighbour neighbour(String localPort, Remote remote) {
    Named node =
        nodes.computeIfAbsent(remote.guid(), unknown -> named(unknown, number(remote.port())));
    // The GUID names a port of an HCA too, whatever the HCA is called elsewhere.
    String alias = node.role() == Role.HOST ? remote.guid() : null;
    return new Neighbour(
        localPort,
        node.name().device(),
        remote.guid(),
        node.name().port(remote.port()),
        PortIdKind.INTERFACE_NAME,
        alias);
  }

  private Named named(String guid, int highestPort) {
    Node told = page.nodes().nodes().get(guid);
    String description = told == null ? "" : told.name();
    Role role = told == null ? null : told.role();
    if (role == null) {
      // Managed switches describe themselves as MF0;name:model/unit.
      boolean isSwitch = highestPort > MOST_HCA_PORTS || description.contains(";");
      role = isSwitch ? Role.SWITCH : Role.HOST;
      if (description.isEmpty()) {
        // All that is known are numbers.
        return new Named(new NodeName(guid, ""), role, "");
      }
    }
    return new Named(NodeName.of(guid, description, role), role, description);
  }

  private DevicePorts other(String device, Role role, PortShape shape) {
    return others.computeIfAbsent(
        device, unknown -> new DevicePorts(device, role, shape.source(), shapes));
  }

  private void add(Parts port, PortTable.Row row, int index) {
    if (!port.add(row.shape(), index)) {
      doubles++;
    }
  }

  private static int number(String port) {
    try {
      return Integer.parseInt(port);
    } catch (NumberFormatException e) {
      return Integer.MAX_VALUE;
    }
  }
}
