package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.infiniband.NodePort.Peer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names of devices and ports by the descriptions of the nodes.
 *
 * <p>A managed switch describes itself as {@code MF0;leaf1:MQM8700/U1} and is called {@code leaf1};
 * another chip of a chassis has its place behind it, {@code core1/L01/U1}. A host describes each of
 * its adapters as {@code n1 mlx5_0}: the first word is the host, the rest the adapter, and the port
 * is {@code mlx5_0/1}. A description that is the factory's, that is empty, or that two nodes share,
 * names nothing: the GUID takes its place.
 */
final class SubnetNames {
  private static final Pattern MANAGED = Pattern.compile("MF\\d+;(.+):[^:/]+/(.+)");
  private static final Pattern FACTORY =
      Pattern.compile(
          "(?i).*(mellanox technologies|infiniscale|connect-?ib|connectx|voltaire|qlogic).*"
              + "|mt\\d{4,5}(\\s.*)?");
  private static final Pattern NO_HOST = Pattern.compile("(?i)localhost(\\..*)?|\\(none\\)");

  private final Map<Node, String> devices = new HashMap<>();
  private final Map<String, List<Node>> byDevice = new LinkedHashMap<>();

  SubnetNames(Subnet subnet) {
    Map<String, List<Node>> candidates = new LinkedHashMap<>();
    for (Node node : subnet.nodes()) {
      candidates.computeIfAbsent(candidate(node), unknown -> new ArrayList<>()).add(node);
    }
    candidates.forEach(
        (candidate, nodes) -> {
          boolean isShared = isShared(nodes);
          for (Node node : nodes) {
            String name =
                candidate.isEmpty()
                    ? Guid.text(chassis(node))
                    : isShared ? candidate + " " + Guid.text(chassis(node)) : candidate;
            devices.put(node, name);
            byDevice.computeIfAbsent(name, unknown -> new ArrayList<>()).add(node);
          }
        });
  }

  private static String candidate(Node node) {
    return candidate(node.kind() == Node.Kind.ADAPTER, node.description());
  }

  private static String candidate(boolean isAdapter, String description) {
    String text = description.replaceAll("\\p{Cntrl}", " ").strip();
    if (FACTORY.matcher(text).matches()) {
      return "";
    }
    if (isAdapter) {
      String host = text.split("\\s+", 2)[0];
      return NO_HOST.matcher(host).matches() ? "" : host;
    }
    Matcher managed = MANAGED.matcher(text);
    if (!managed.matches()) {
      return text;
    }
    String place = managed.group(2).strip();
    return place.equals("U1") ? managed.group(1).strip() : managed.group(1).strip() + "/" + place;
  }

  /** Nodes of one name are one device only if they are adapters with ports of different names. */
  private static boolean isShared(List<Node> nodes) {
    if (nodes.size() == 1) {
      return false;
    }
    Set<String> ports = new HashSet<>();
    for (Node node : nodes) {
      if (node.kind() != Node.Kind.ADAPTER) {
        return true;
      }
      for (int port : node.ports().keySet()) {
        if (!ports.add(portName(node, port))) {
          return true;
        }
      }
    }
    return false;
  }

  private static long chassis(Node node) {
    boolean isPart = node.kind() != Node.Kind.ADAPTER || node.systemGuid() == 0;
    return isPart ? node.guid() : node.systemGuid();
  }

  /** Name of the device that the node is, or is part of. */
  String device(Node node) {
    return devices.getOrDefault(node, Guid.text(node.guid()));
  }

  /** Nodes by the name of their device: several where a host has several adapters. */
  Map<String, List<Node>> byDevice() {
    return byDevice;
  }

  /** Name of the device of a node that is named as a neighbour and not listed. */
  static String unlisted(Peer peer) {
    String candidate = candidate(isAdapter(peer), peer.description());
    return candidate.isEmpty() ? Guid.text(peer.guid()) : candidate;
  }

  static boolean isAdapter(Peer peer) {
    return peer.kind() == Node.Kind.ADAPTER;
  }

  /** Name of a port on its device; of a switch's it is the number. */
  static String portName(Node node, int port) {
    return node.kind() == Node.Kind.ADAPTER
        ? adapterPort(node.guid(), node.description(), port)
        : Integer.toString(port);
  }

  /** Name of the port at the other end of a link to a node that is not listed. */
  static String unlistedPort(Peer peer) {
    return isAdapter(peer)
        ? adapterPort(peer.guid(), peer.description(), peer.port())
        : Integer.toString(peer.port());
  }

  private static String adapterPort(long guid, String description, int port) {
    String adapter = adapter(description);
    return (adapter == null ? Guid.text(guid) : adapter) + "/" + port;
  }

  private static @Nullable String adapter(String description) {
    String[] words = description.replaceAll("\\p{Cntrl}", " ").strip().split("\\s+", 2);
    return words.length < 2 || FACTORY.matcher(description.strip()).matches() ? null : words[1];
  }
}
