package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.infiniband.NodePort.Peer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a subnet with their ports and links, as one text tells them. Every link stands there
 * twice, once at each end; where the two ends contradict each other, neither is believed.
 */
final class Subnet {
  private static final int MOST_WORDS = 5;

  private final Map<Long, Node> nodes;
  private final Map<Long, Node> byGuid = new HashMap<>();
  private final Map<Integer, Node> byLid = new HashMap<>();
  private final Set<Node> uncertain = new HashSet<>();
  private final Set<Long> unlisted = new LinkedHashSet<>();
  private final Refusals refusals;
  private final List<String> remarks = new ArrayList<>();
  private int oneSided;

  private Subnet(Map<Long, Node> nodes, Refusals refusals) {
    this.nodes = nodes;
    this.refusals = refusals;
    nodes.forEach(byGuid::put);
    for (Node node : nodes.values()) {
      if (node.lid() > 0) {
        byLid.putIfAbsent(node.lid(), node);
      }
      for (NodePort port : node.ports().values()) {
        if (port.guid() != 0) {
          byGuid.putIfAbsent(port.guid(), node);
        }
        if (port.lid() > 0) {
          byLid.putIfAbsent(port.lid(), node);
        }
      }
    }
    checkLinks();
  }

  /**
   * @param nodes by GUID
   * @param refusals of the text; those of its links are added
   */
  static Subnet of(Map<Long, Node> nodes, Refusals refusals) {
    return new Subnet(new LinkedHashMap<>(nodes), refusals);
  }

  private void checkLinks() {
    List<Runnable> corrections = new ArrayList<>();
    for (Node node : nodes.values()) {
      for (NodePort port : node.ports().values()) {
        Peer peer = port.peer();
        if (peer != null && !Node.isAggregation(peer.description())) {
          checkLink(node, port, peer, corrections);
        }
      }
    }
    corrections.forEach(Runnable::run);
    if (oneSided > 0) {
      remarks.add("%d links are told by one of their ends only".formatted(oneSided));
    }
    if (!unlisted.isEmpty()) {
      refusals.add(
          FailureCode.PARTIAL,
          "%d nodes are named as neighbours and not listed, among them %s"
              .formatted(
                  unlisted.size(),
                  String.join(", ", unlisted.stream().limit(MOST_WORDS).map(Guid::text).toList())));
    }
  }

  private void checkLink(Node node, NodePort port, Peer peer, List<Runnable> corrections) {
    Node other = find(peer);
    if (other == null) {
      unlisted.add(peer.guid());
      return;
    }
    NodePort far = other.ports().get(peer.port());
    Peer back = far == null ? null : far.peer();
    if (far == null || back == null) {
      oneSided++;
    } else if (find(back) != node || back.port() != port.number()) {
      uncertain.add(node);
      uncertain.add(other);
      refusals.line(
          port.line(),
          "port %d of %s names port %d of %s as its other end, which names another in line %d"
              .formatted(port.number(), node, peer.port(), other, far.line()));
      corrections.add(() -> node.ports().put(port.number(), port.withPeer(null)));
      corrections.add(() -> other.ports().put(far.number(), far.withPeer(null)));
    }
  }

  /** The node at the other end; null where the text does not list it. */
  @Nullable Node find(Peer peer) {
    return peer.guid() != 0 ? byGuid.get(peer.guid()) : byLid.get(peer.lid());
  }

  /** By the GUID of the node or of one of its ports; null where there is none. */
  @Nullable Node byGuid(long guid) {
    return byGuid.get(guid);
  }

  /** By the LID of the node or of one of its ports; null where there is none. */
  @Nullable Node byLid(int lid) {
    return byLid.get(lid);
  }

  Collection<Node> nodes() {
    return nodes.values();
  }

  /** Whether what it says of its links was refused. */
  boolean isUncertain(Node node) {
    return uncertain.contains(node);
  }

  /** What of the text was refused. */
  Refusals refusals() {
    return refusals;
  }

  /** Oddities that lose nothing, for people. */
  List<String> remarks() {
    return List.copyOf(remarks);
  }

  void remark(String oddity) {
    remarks.add(oddity);
  }

  int ports() {
    return nodes.values().stream().mapToInt(node -> node.ports().size()).sum();
  }
}
