package io.fabrichealth.collect.infiniband;

import io.fabrichealth.signal.PollBatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sorts what one pass read by device: one batch for each, however many nodes it has. */
final class SubnetBatches {
  private final KnownSubnet known;
  private final String collector;
  private final PortSignals signals;
  private final Map<Node, SortedMap<Integer, PortCounters>> counters = new LinkedHashMap<>();
  private final Map<Node, Instant> readAt = new HashMap<>();
  private final Map<Node, Instant> toldAt = new HashMap<>();
  private final Set<String> incomplete = new HashSet<>();
  private final Set<String> strangers = new HashSet<>();

  SubnetBatches(KnownSubnet known, String collector, PortSignals signals) {
    this.known = known;
    this.collector = collector;
    this.signals = signals;
  }

  /**
   * Takes the counters of a port.
   *
   * @param at when they were in hand
   * @param told by the clock of what saved them; null where they are of this moment
   */
  void add(PortCounters read, Instant at, @Nullable Instant told) {
    Node node =
        read.guid() != 0 ? known.subnet().byGuid(read.guid()) : known.subnet().byLid(read.lid());
    if (node == null) {
      strangers.add(read.guid() != 0 ? Guid.text(read.guid()) : "LID " + read.lid());
      return;
    }
    NodePort port = node.ports().get(read.port());
    // Port 0 of a switch is the switch itself.
    boolean isOfFabric =
        SubnetSightings.isDevice(node)
            && read.port() > 0
            && (port == null || SubnetSightings.isPort(port));
    if (!isOfFabric) {
      return;
    }
    counters
        .computeIfAbsent(node, unread -> new TreeMap<>())
        .computeIfAbsent(read.port(), number -> new PortCounters(read.guid(), read.lid(), number))
        .putAll(read);
    readAt.merge(node, at, SubnetBatches::max);
    if (told != null) {
      toldAt.merge(node, told, SubnetBatches::max);
    }
  }

  /** Not all ports of the node could be read. */
  void incomplete(Node node) {
    incomplete.add(known.names().device(node));
  }

  /** Nodes that were read and that the discovery does not know. */
  Set<String> strangers() {
    return strangers;
  }

  /** What was read of a port; null where it was not. */
  @Nullable PortCounters counters(Node node, int port) {
    SortedMap<Integer, PortCounters> ofNode = counters.get(node);
    return ofNode == null ? null : ofNode.get(port);
  }

  /** Whether batches hold state, speed and width of the ports as discovered. */
  enum States {
    NONE,
    /** Where counters were read too. */
    OF_READ,
    OF_ALL
  }

  /**
   * The batches.
   *
   * @param unread whether devices of which nothing was read get a batch that says so
   * @param at for those of which there are no counters
   * @param told by the clock of what saved the states; null where they are of this moment
   */
  List<PollBatch> build(States states, boolean unread, Instant at, @Nullable Instant told) {
    List<PollBatch> batches = new ArrayList<>();
    known
        .names()
        .byDevice()
        .forEach(
            (device, nodes) -> {
              List<Node> own = nodes.stream().filter(SubnetSightings::isDevice).toList();
              boolean isRead = own.stream().anyMatch(counters::containsKey);
              boolean withStates = states == States.OF_ALL || (isRead && states != States.NONE);
              PollBatch batch =
                  isRead || withStates ? batch(device, own, withStates, at, told) : null;
              if (batch != null && batch.size() > 0) {
                batches.add(batch);
              } else if (!own.isEmpty() && unread) {
                batches.add(PollBatch.missed(device, collector, at));
              }
            });
    return batches;
  }

  private PollBatch batch(
      String device, List<Node> nodes, boolean states, Instant at, @Nullable Instant statesTold) {
    Instant read = null;
    Instant told = null;
    for (Node node : nodes) {
      read = later(read, readAt.get(node));
      told = later(told, toldAt.get(node));
    }
    PollBatch.Builder batch =
        PollBatch.builder(device, collector, read == null ? at : read)
            .deviceTime(read == null ? statesTold : told);
    for (Node node : nodes) {
      SortedMap<Integer, PortCounters> ofNode = counters.getOrDefault(node, new TreeMap<>());
      if (states) {
        for (NodePort port : node.ports().values()) {
          if (SubnetSightings.isPort(port)) {
            signals.addState(batch, batch.port(SubnetNames.portName(node, port.number())), port);
          }
        }
      }
      ofNode.forEach(
          (number, port) ->
              signals.addCounters(batch, batch.port(SubnetNames.portName(node, number)), port));
    }
    boolean whole =
        !incomplete.contains(device)
            && nodes.stream()
                .allMatch(node -> node.ports().isEmpty() || counters.containsKey(node));
    return batch.build(whole);
  }

  private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isAfter(one)) ? other : one;
  }

  private static Instant max(Instant one, Instant other) {
    return other.isAfter(one) ? other : one;
  }
}
