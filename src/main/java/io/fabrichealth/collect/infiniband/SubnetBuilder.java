package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.FailureCode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects the nodes and ports of one text; refuses what stands there twice. */
final class SubnetBuilder {
  /** A subnet has 48 k unicast LIDs, and no node has more ports than a byte counts. */
  private static final int HIGHEST_PORT = 254;

  private static final int MOST_PORTS = 1_000_000;

  private final Map<Long, Node> nodes = new LinkedHashMap<>();
  private final Refusals refusals = new Refusals();
  private int ports;

  Refusals refusals() {
    return refusals;
  }

  int nodes() {
    return nodes.size();
  }

  int ports() {
    return ports;
  }

  /** The node of that GUID; null where none was added. */
  @Nullable Node node(long guid) {
    return nodes.get(guid);
  }

  /** Adds a node; false where its GUID is taken. */
  boolean add(Node node) {
    Node known = nodes.putIfAbsent(node.guid(), node);
    if (known != null) {
      refusals.line(
          node.line(),
          "the node %s has the GUID of %s in line %d and is left out with its ports"
              .formatted(node, known, known.line()));
    }
    return known == null;
  }

  /** Adds a port to a node that was added. */
  void add(Node node, NodePort port) {
    if (port.number() < 1 || port.number() > HIGHEST_PORT) {
      refusals.line(
          port.line(),
          "port %d of %s: a port is numbered 1 to %d".formatted(port.number(), node, HIGHEST_PORT));
      return;
    }
    if (node.declaredPorts() > 0 && port.number() > node.declaredPorts()) {
      refusals.line(
          port.line(),
          "%s declares %d ports and has a port %d"
              .formatted(node, node.declaredPorts(), port.number()));
    }
    if (ports == MOST_PORTS) {
      refusals.add(FailureCode.TOO_LARGE, "more than " + MOST_PORTS + " ports");
      return;
    }
    NodePort known = node.ports().putIfAbsent(port.number(), port);
    if (known == null) {
      ports++;
    } else if (!isSame(known, port)) {
      refusals.line(
          port.line(),
          "port %d of %s stands in line %d already, with another content"
              .formatted(port.number(), node, known.line()));
    }
  }

  private static boolean isSame(NodePort one, NodePort other) {
    return one.equals(
        new NodePort(
            other.number(),
            other.external(),
            other.label(),
            other.guid(),
            other.lid(),
            other.lanes(),
            other.speed(),
            other.link(),
            other.peer(),
            one.line()));
  }

  Subnet build() {
    return Subnet.of(nodes, refusals);
  }
}
