package io.fabrichealth.detect;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who waits for whom, of one priority: a link from A to B that is paused waits for the paused links
 * on which B would send on. What a switch takes in from a device it does not send back there.
 *
 * <p>Nodes are the paused directed links, in the order in which they were given. Everything here
 * takes time linear in nodes and edges.
 */
final class WaitGraph {
  /** Waits for more than one root. */
  static final int SHARED = -2;

  /** Waits for no root: is part of a cycle, or behind one. */
  static final int NONE = -1;

  private final List<PausedLink> links;
  private final Map<String, Integer> devices = new HashMap<>();
  private final int[] senders;
  private final int[] receivers;
  private final int[] intoFirst;
  private final int[] into;
  private final int[] first;
  private final int[] successors;
  private final StronglyConnected components;

  WaitGraph(List<PausedLink> links) {
    this.links = links;
    senders = new int[links.size()];
    receivers = new int[links.size()];
    for (int node = 0; node < links.size(); node++) {
      senders[node] = number(links.get(node).sender().device());
      receivers[node] = number(links.get(node).receiver().device());
    }
    int[] outOfFirst = starts(senders);
    int[] outOf = grouped(senders, outOfFirst);
    intoFirst = starts(receivers);
    into = grouped(receivers, intoFirst);
    first = new int[links.size() + 1];
    int[] edges = new int[Math.max(16, links.size())];
    int count = 0;
    for (int node = 0; node < links.size(); node++) {
      first[node] = count;
      for (int at = outOfFirst[receivers[node]]; at < outOfFirst[receivers[node] + 1]; at++) {
        if (!turnsBack(node, outOf[at])) {
          if (count == edges.length) {
            edges = Arrays.copyOf(edges, 2 * count);
          }
          edges[count++] = outOf[at];
        }
      }
    }
    first[links.size()] = count;
    successors = Arrays.copyOf(edges, count);
    components = new StronglyConnected(first, successors);
  }

  private int number(String device) {
    return devices.computeIfAbsent(device, name -> devices.size());
  }

  /** Where the nodes of each device begin, if they are put side by side. */
  private int[] starts(int[] devicesOfNodes) {
    int[] starts = new int[devices.size() + 1];
    for (int device : devicesOfNodes) {
      starts[device + 1]++;
    }
    for (int device = 0; device < devices.size(); device++) {
      starts[device + 1] += starts[device];
    }
    return starts;
  }

  private static int[] grouped(int[] devicesOfNodes, int[] starts) {
    int[] next = starts.clone();
    int[] nodes = new int[devicesOfNodes.length];
    for (int node = 0; node < nodes.length; node++) {
      nodes[next[devicesOfNodes[node]]++] = node;
    }
    return nodes;
  }

  private boolean turnsBack(int node, int next) {
    return receivers[next] == senders[node];
  }

  /** Whether nothing that its receiver sends on is paused: it is where the pause begins. */
  boolean isRoot(int node) {
    return first[node] == first[node + 1];
  }

  /** The cycles: sets of two or more nodes each of which waits for all others. */
  List<List<Integer>> cycles() {
    List<List<Integer>> byComponent = new ArrayList<>();
    int[] at = new int[components.count];
    for (int node = 0; node < links.size(); node++) {
      int component = components.component[node];
      if (components.sizes[component] > 1) {
        if (at[component] == 0) {
          byComponent.add(new ArrayList<>());
          at[component] = byComponent.size();
        }
        byComponent.get(at[component] - 1).add(node);
      }
    }
    return byComponent;
  }

  /** All nodes that wait, directly or not, for one of these; without these. */
  List<Integer> waitingFor(List<Integer> roots) {
    BitSet seen = new BitSet(links.size());
    List<Integer> found = new ArrayList<>(roots);
    roots.forEach(seen::set);
    for (int next = 0; next < found.size(); next++) {
      int node = found.get(next);
      for (int at = intoFirst[senders[node]]; at < intoFirst[senders[node] + 1]; at++) {
        int before = into[at];
        if (!turnsBack(before, node) && !seen.get(before)) {
          seen.set(before);
          found.add(before);
        }
      }
    }
    return found.subList(roots.size(), found.size());
  }

  /**
   * The receiver, by the number of its first root, that each node waits for in the end, {@link
   * #SHARED} or {@link #NONE}. Roots wait for their own receivers.
   */
  int[] blamed() {
    int[] rootOf = new int[devices.size()];
    Arrays.fill(rootOf, NONE);
    int[] ofComponent = new int[components.count];
    Arrays.fill(ofComponent, NONE);
    for (int node : byComponent()) {
      int component = components.component[node];
      if (isRoot(node)) {
        int receiver = receivers[node];
        rootOf[receiver] = rootOf[receiver] == NONE ? node : rootOf[receiver];
        ofComponent[component] = rootOf[receiver];
      }
      for (int edge = first[node]; edge < first[node + 1]; edge++) {
        int other = ofComponent[components.component[successors[edge]]];
        ofComponent[component] = merged(ofComponent[component], other);
      }
    }
    int[] blamed = new int[links.size()];
    for (int node = 0; node < blamed.length; node++) {
      blamed[node] = ofComponent[components.component[node]];
    }
    return blamed;
  }

  /** Nodes in the order of their components: what a node waits for comes before it. */
  private int[] byComponent() {
    int[] start = new int[components.count + 1];
    for (int node = 0; node < links.size(); node++) {
      start[components.component[node] + 1]++;
    }
    for (int component = 0; component < components.count; component++) {
      start[component + 1] += start[component];
    }
    int[] nodes = new int[links.size()];
    for (int node = 0; node < links.size(); node++) {
      nodes[start[components.component[node]]++] = node;
    }
    return nodes;
  }

  private static int merged(int one, int other) {
    if (one == NONE || one == other) {
      return other;
    }
    return other == NONE ? one : SHARED;
  }
}
