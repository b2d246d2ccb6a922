package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.prometheus.NodeLabels.Part;
import io.fabrichealth.topology.Role;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one page says of InfiniBand nodes beside the readings of their ports. */
final class NodeFacts {
  private static final int MOST_NODES = 65_536;
  private static final int MOST_PORTS = 1_024;

  private final Map<String, Node> nodes = new LinkedHashMap<>();

  /** A node and what it is wired to. */
  static final class Node {
    private final Map<String, Remote> remotes = new LinkedHashMap<>();
    private String name = "";
    private @Nullable Role role;

    /** Empty where nothing tells it. */
    String name() {
      return name;
    }

    @Nullable Role role() {
      return role;
    }

    /** By number of the own port. */
    Map<String, Remote> remotes() {
      return remotes;
    }
  }

  /** The other end of a port. */
  record Remote(String guid, String port) {}

  void clear() {
    nodes.clear();
  }

  /** By GUID. */
  Map<String, Node> nodes() {
    return nodes;
  }

  /** False where the sample does not say of which node it tells. */
  boolean take(NodeLabels labels, SampleLine line) {
    String guid = NodeName.guid(labels.text(Part.GUID, line));
    Node node = guid == null ? null : node(guid);
    if (node == null) {
      return false;
    }
    say(node, labels.text(Part.NAME, line), labels.role());
    say(node, "", role(labels.text(Part.TYPE, line)));
    String port = labels.text(Part.PORT, line);
    String remoteGuid = NodeName.guid(labels.text(Part.REMOTE_GUID, line));
    String remotePort = labels.text(Part.REMOTE_PORT, line);
    if (remoteGuid == null || port.isEmpty() || remotePort.isEmpty()) {
      return true;
    }
    Node remote = node(remoteGuid);
    if (remote != null && node.remotes.size() < MOST_PORTS) {
      String type = labels.text(Part.REMOTE_TYPE, line);
      say(remote, labels.text(Part.REMOTE_NAME, line), role(type));
      node.remotes.putIfAbsent(port, new Remote(remoteGuid, remotePort));
    }
    return true;
  }

  private @Nullable Node node(String guid) {
    Node known = nodes.get(guid);
    if (known == null && nodes.size() < MOST_NODES) {
      known = new Node();
      nodes.put(guid, known);
    }
    return known;
  }

  /** The first word counts: a page that contradicts itself is at least read the same each time. */
  private static void say(Node node, String name, @Nullable Role role) {
    if (node.name.isEmpty()) {
      node.name = name;
    }
    if (node.role == null) {
      node.role = role;
    }
  }

  private static @Nullable Role role(String type) {
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "sw", "switch" -> Role.SWITCH;
      case "ca", "hca", "host" -> Role.HOST;
      default -> null;
    };
  }
}
