package io.fabrichealth.collect.wiring;

import io.fabrichealth.topology.Role;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Switches and nodes as Slurm knows them. It says which nodes hang together below which switch, not
 * by which cable, and a switch may be one in name only: what it gives are devices and what they
 * are. A switch with nodes is a leaf, one above leaves a spine, one above that a core.
 */
final class SlurmTree {
  /** No fabric has so many; a chain of switches that is longer is a mistake or malice. */
  private static final int MOST_LEVELS = 64;

  private final Refusals refusals = new Refusals();
  private final Map<String, Set<String>> children = new LinkedHashMap<>();
  private final Map<String, Integer> nodes = new LinkedHashMap<>();
  private final Map<String, Integer> switches = new LinkedHashMap<>();
  private final Set<String> leaves = new LinkedHashSet<>();
  private int blocks;

  Refusals refusals() {
    return refusals;
  }

  /** A block groups nodes and is no switch. */
  void block(int line, String nodeList) {
    blocks++;
    expand(line, "Nodes", nodeList).forEach(node -> nodes.putIfAbsent(node, line));
  }

  void addSwitch(int line, String name, @Nullable String childList, @Nullable String nodeList) {
    if (switches.putIfAbsent(name, line) != null) {
      refusals.add(line, "SwitchName", Refusals.quoted(name) + " stands here a second time");
      return;
    }
    if (childList != null) {
      children.put(name, new LinkedHashSet<>(expand(line, "Switches", childList)));
    }
    if (nodeList != null) {
      leaves.add(name);
      expand(line, "Nodes", nodeList).forEach(node -> nodes.putIfAbsent(node, line));
    }
    if (childList == null && nodeList == null) {
      refusals.add(line, "SwitchName", Refusals.quoted(name) + " has neither switches nor nodes");
    }
  }

  private List<String> expand(int line, String field, String list) {
    try {
      List<String> names = Hostlist.expand(list);
      if (nodes.size() + switches.size() + names.size() > Hostlist.MOST) {
        throw new IllegalArgumentException("more than " + Hostlist.MOST + " names in the document");
      }
      return names.stream().filter(name -> !name.isBlank()).toList();
    } catch (IllegalArgumentException e) {
      refusals.add(line, field, Refusals.quoted(list) + ": " + e.getMessage());
      return List.of();
    }
  }

  ImportedWiring build() {
    children.forEach(
        (name, below) ->
            below.stream()
                .filter(child -> !switches.containsKey(child))
                .forEach(
                    child ->
                        refusals.add(
                            switches.getOrDefault(name, 0),
                            "Switches",
                            Refusals.quoted(child) + " is no switch of the document")));
    CableList devices = new CableList();
    Map<String, Integer> heights = new HashMap<>();
    for (String name : switches.keySet()) {
      devices.device(
          name,
          switch (height(name, heights)) {
            case 1 -> Role.LEAF;
            case 2 -> Role.SPINE;
            case 0 -> Role.SWITCH;
            default -> Role.CORE;
          });
    }
    nodes.keySet().forEach(node -> devices.device(node, Role.HOST));
    refusals.list().forEach(one -> devices.refusals().add(one.line(), one.field(), one.problem()));
    return devices.build(
        refusals.with(
            List.of(
                "%d switches, %d blocks and %d nodes: Slurm's topology groups nodes and names no cable"
                    .formatted(switches.size(), blocks, nodes.size()))));
  }

  /** Levels above the nodes; 0 where it has none below, or is below itself, or too far up. */
  private int height(String name, Map<String, Integer> heights) {
    return height(name, heights, 0);
  }

  private int height(String name, Map<String, Integer> heights, int depth) {
    Integer known = heights.putIfAbsent(name, 0);
    if (known != null || depth > MOST_LEVELS) {
      return known == null ? 0 : known;
    }
    int height = leaves.contains(name) ? 1 : 0;
    for (String child : children.getOrDefault(name, Set.of())) {
      int below = switches.containsKey(child) ? height(child, heights, depth + 1) : 0;
      height = below == 0 ? height : Math.max(height, below + 1);
    }
    heights.put(name, height);
    return height;
  }
}
