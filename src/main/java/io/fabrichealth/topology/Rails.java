package io.fabrichealth.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rails and planes, told from the wiring. Planes are fabrics of switches that are not joined to
 * each other and have hosts in common. The leaf to which the hosts' r-th NICs are wired is of the
 * rail r: each host votes with the order of its NICs, so that one swapped cable, or one host that
 * numbers its NICs otherwise, changes nothing. Leaves of one host are never of the same rail. Where
 * hosts have one leaf only, there are no rails to tell apart.
 */
final class Rails {
  private static final int MOST_RAILS = 64;

  private final Map<String, Role> roles;
  private final Map<PortId, PortId> cables;
  private final Map<String, Integer> planes = new HashMap<>();
  private final Map<String, Integer> rails = new HashMap<>();

  private Rails(Map<String, Role> roles, Map<PortId, PortId> cables) {
    this.roles = roles;
    this.cables = cables;
  }

  /**
   * @param cables both directions
   * @param told rails that the plan gives, by leaf
   */
  static Rails derive(
      Map<String, Role> roles, Map<PortId, PortId> cables, Map<String, Integer> told) {
    Rails rails = new Rails(roles, cables);
    Map<String, List<String>> leaves = rails.leavesByHost();
    rails.findPlanes(leaves);
    rails.findRails(leaves, told);
    return rails;
  }

  @Nullable Integer plane(String device) {
    return planes.get(device);
  }

  @Nullable Integer rail(String device) {
    return rails.get(device);
  }

  /** The leaves of each host in the order of its NICs, each once. */
  private Map<String, List<String>> leavesByHost() {
    Map<String, List<PortId>> nics = new TreeMap<>();
    cables.forEach(
        (port, peer) -> {
          if (is(Role.HOST, port) && is(Role.LEAF, peer)) {
            nics.computeIfAbsent(port.device(), name -> new ArrayList<>()).add(port);
          }
        });
    Map<String, List<String>> leaves = new LinkedHashMap<>();
    nics.forEach(
        (host, ports) -> {
          ports.sort(Comparator.comparing(PortId::port, NaturalOrder.INSTANCE));
          Set<String> inOrder = new LinkedHashSet<>();
          for (PortId port : ports) {
            PortId leaf = cables.get(port);
            if (leaf != null) {
              inOrder.add(leaf.device());
            }
          }
          leaves.put(host, List.copyOf(inOrder));
        });
    return leaves;
  }

  private boolean is(Role role, PortId port) {
    return roles.get(port.device()) == role;
  }

  // --- planes

  private void findPlanes(Map<String, List<String>> leaves) {
    Groups fabrics = new Groups();
    Set<String> complete = new HashSet<>();
    cables.forEach(
        (one, other) -> {
          if (!is(Role.HOST, one) && !is(Role.HOST, other)) {
            fabrics.join(one.device(), other.device());
          }
        });
    // A leaf of which no uplink is known yet is no fabric of its own.
    roles.forEach(
        (device, role) -> {
          if (role == Role.SPINE || role == Role.CORE) {
            complete.add(fabrics.of(device));
          }
        });
    Groups parallel = new Groups();
    Set<String> shared = new HashSet<>();
    leaves.forEach(
        (host, own) -> {
          Set<String> ofHost = new LinkedHashSet<>();
          own.stream().map(fabrics::of).filter(complete::contains).forEach(ofHost::add);
          if (ofHost.size() > 1) {
            String first = ofHost.iterator().next();
            ofHost.forEach(fabric -> parallel.join(first, fabric));
            shared.addAll(ofHost);
          }
        });
    Map<String, Set<String>> together = new HashMap<>();
    Map<String, String> smallest = fabrics.smallest();
    for (String fabric : shared) {
      together
          .computeIfAbsent(parallel.of(fabric), group -> new HashSet<>())
          .add(smallest.getOrDefault(fabric, fabric));
    }
    Map<String, Integer> numbers = new HashMap<>();
    together.forEach(
        (group, members) -> {
          List<String> sorted = members.stream().sorted(NaturalOrder.INSTANCE).toList();
          for (int plane = 0; plane < sorted.size(); plane++) {
            numbers.put(fabrics.of(sorted.get(plane)), plane);
          }
        });
    roles.forEach(
        (device, role) -> {
          Integer plane = role == Role.HOST ? null : numbers.get(fabrics.of(device));
          if (plane != null) {
            planes.put(device, plane);
          }
        });
  }

  // --- rails

  private void findRails(Map<String, List<String>> leaves, Map<String, Integer> told) {
    Map<String, int[]> votes = new HashMap<>();
    Map<String, Integer> mostLeaves = new HashMap<>();
    Map<String, Set<String>> rivals = new HashMap<>();
    List<List<String>> electorate = new ArrayList<>();
    boolean isRailOfPlane = leaves.values().stream().allMatch(this::isOnePerPlane);
    for (List<String> own : leaves.values()) {
      if (isRailOfPlane) {
        electorate.add(own);
      } else {
        Map<Integer, List<String>> byPlane = new TreeMap<>();
        for (String leaf : own) {
          byPlane
              .computeIfAbsent(planes.getOrDefault(leaf, 0), plane -> new ArrayList<>())
              .add(leaf);
        }
        electorate.addAll(byPlane.values());
      }
    }
    for (List<String> own : electorate) {
      for (String leaf : own) {
        mostLeaves.merge(leaf, own.size(), Math::max);
      }
    }
    for (List<String> own : electorate) {
      for (int rank = 0; rank < own.size(); rank++) {
        String leaf = own.get(rank);
        // A host with fewer leaves than others has NICs that are not known, or none.
        if (own.size() > 1 && own.size() >= mostLeaves.getOrDefault(leaf, 0)) {
          votes
              .computeIfAbsent(leaf, name -> new int[MOST_RAILS])[Math.min(rank, MOST_RAILS - 1)]++;
        }
        if (own.size() > 1) {
          rivals.computeIfAbsent(leaf, name -> new HashSet<>()).addAll(own);
        }
      }
    }
    rails.putAll(told);
    votes.keySet().stream()
        .filter(leaf -> !told.containsKey(leaf))
        .sorted(
            Comparator.comparingDouble((String leaf) -> -certainty(votes.get(leaf)))
                .thenComparing(NaturalOrder.INSTANCE))
        .forEach(leaf -> assign(leaf, votes.get(leaf), rivals.getOrDefault(leaf, Set.of())));
  }

  /** Whether the planes are the rails: each host has one leaf in each. */
  private boolean isOnePerPlane(List<String> own) {
    Set<Integer> seen = new HashSet<>();
    return own.stream().allMatch(leaf -> planes.containsKey(leaf) && seen.add(planes.get(leaf)));
  }

  private static double certainty(int @Nullable [] votes) {
    int most = 0;
    int all = 0;
    for (int vote : votes == null ? new int[0] : votes) {
      most = Math.max(most, vote);
      all += vote;
    }
    return all == 0 ? 0 : (double) most / all;
  }

  private void assign(String leaf, int @Nullable [] votes, Set<String> rivals) {
    Set<Integer> taken = new HashSet<>();
    rivals.stream().map(rails::get).forEach(rail -> addIfAny(taken, rail));
    int best = -1;
    for (int rail = 0; votes != null && rail < MOST_RAILS; rail++) {
      if (!taken.contains(rail) && (best < 0 || votes[rail] > votes[best])) {
        best = rail;
      }
    }
    if (best >= 0) {
      rails.put(leaf, best);
    }
  }

  private static void addIfAny(Set<Integer> taken, @Nullable Integer rail) {
    if (rail != null) {
      taken.add(rail);
    }
  }
}
