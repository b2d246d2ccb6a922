package io.fabrichealth.topology;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tells leaves, spines and cores by their distance to hosts, where nothing else says what a switch
 * is. What is wired to a host is a leaf, what is wired to a leaf a spine. A third hop may be a core
 * or a leaf of which no host is known yet: it is a core only where it joins spines that have no
 * leaf in common.
 */
final class Layers {
  private final Map<String, Device> devices;
  private final Map<PortId, PortId> cables;
  private final Map<String, Set<String>> neighbours = new HashMap<>();

  /**
   * @param cables both directions
   */
  Layers(Map<String, Device> devices, Map<PortId, PortId> cables) {
    this.devices = devices;
    this.cables = cables;
  }

  /** Sets the role of each switch of which only that is known, as far as the wiring tells it. */
  void derive(Map<String, Role> roles) {
    boolean isVague =
        devices.values().stream().anyMatch(device -> role(roles, device.name()) == Role.SWITCH);
    if (!isVague) {
      return;
    }
    cables.forEach(
        (one, other) ->
            neighbours.computeIfAbsent(one.device(), name -> new HashSet<>()).add(other.device()));
    Map<String, Integer> distances = distances(roles);
    Map<String, Role> derived = new HashMap<>();
    for (Device device : devices.values()) {
      if (role(roles, device.name()) == Role.SWITCH) {
        int distance = distances.getOrDefault(device.name(), 0);
        if (distance == 1) {
          derived.put(device.name(), Role.LEAF);
        } else if (distance == 2) {
          derived.put(device.name(), Role.SPINE);
        } else if (distance == 3 && joinsPods(device.name(), distances)) {
          derived.put(device.name(), Role.CORE);
        }
      }
    }
    roles.putAll(derived);
  }

  private Role role(Map<String, Role> roles, String device) {
    return roles.getOrDefault(device, Role.SWITCH);
  }

  private Map<String, Integer> distances(Map<String, Role> roles) {
    Map<String, Integer> distances = new HashMap<>();
    // Leaves and spines that are told are so whether their hosts are known or not.
    roles.forEach(
        (name, role) -> {
          if (role != Role.SWITCH) {
            distances.put(name, distance(role));
          }
        });
    for (int distance = 0; distance <= 2; distance++) {
      for (String name : Set.copyOf(distances.keySet())) {
        if (distances.getOrDefault(name, -1) == distance) {
          for (String neighbour : neighbours.getOrDefault(name, Set.of())) {
            if (role(roles, neighbour) == Role.SWITCH) {
              distances.putIfAbsent(neighbour, distance + 1);
            }
          }
        }
      }
    }
    return distances;
  }

  private static int distance(Role role) {
    return switch (role) {
      case HOST -> 0;
      case LEAF -> 1;
      case SPINE -> 2;
      case CORE, SWITCH -> 3;
    };
  }

  private boolean joinsPods(String device, Map<String, Integer> distances) {
    Set<String> spines = new HashSet<>();
    for (String neighbour : neighbours.getOrDefault(device, Set.of())) {
      if (distances.getOrDefault(neighbour, 0) == 2) {
        spines.add(neighbour);
      }
    }
    return spines.stream()
        .anyMatch(
            one ->
                spines.stream()
                    .anyMatch(
                        other -> !one.equals(other) && !haveCommonLeaf(one, other, distances)));
  }

  private boolean haveCommonLeaf(String one, String other, Map<String, Integer> distances) {
    Collection<String> ofOther = neighbours.getOrDefault(other, Set.of());
    return neighbours.getOrDefault(one, Set.of()).stream()
        .anyMatch(name -> distances.getOrDefault(name, 0) == 1 && ofOther.contains(name));
  }
}
