package io.fabrichealth.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which port says that which other is at its end, and what can be believed of it. No port gets two
 * peers: a claim that both ends make outweighs one of one end, and where several ports claim a
 * third that is silent, none of them is believed unless it is planned or was so before.
 */
final class Claims {
  private final Names.Builder names;
  private final Map<PortId, PortId> planned;
  private final Fabric known;
  private final Map<PortId, List<PortId>> claims;
  private final Map<PortId, PortId> peers;

  /**
   * @param planned the plan's links in both directions, under canonical names
   */
  Claims(Names.Builder names, Map<PortId, PortId> planned, Fabric known, int ports) {
    this.names = names;
    this.planned = planned;
    this.known = known;
    claims = LinkedHashMap.newLinkedHashMap(ports);
    peers = HashMap.newHashMap(ports);
  }

  void add(PortId from, PortId to) {
    List<PortId> before = claims.get(from);
    if (before == null) {
      claims.put(from, List.of(to));
    } else if (!before.contains(to)) {
      List<PortId> all = new ArrayList<>(before);
      all.add(to);
      claims.put(from, List.copyOf(all));
    }
  }

  /** The believed ones, in both directions. */
  Map<PortId, PortId> peers() {
    claims.forEach(
        (from, all) -> {
          if (all.size() > 1) {
            note(Ambiguity.Kind.NEIGHBOURS, from, all);
            all.stream()
                .filter(to -> isExpected(from, to))
                .forEach(to -> joinUnlessDenied(from, to));
          }
        });
    claims.forEach(
        (from, all) -> all.stream().filter(to -> claims(to, from)).forEach(to -> join(from, to)));
    claimants()
        .forEach(
            (to, all) -> {
              if (all.size() == 1) {
                join(all.getFirst(), to);
              } else {
                note(Ambiguity.Kind.CLAIMS, to, all);
                all.stream().filter(from -> isExpected(from, to)).forEach(from -> join(from, to));
              }
            });
    return peers;
  }

  /** Ports that say nothing themselves, with those that see them and nothing else for sure. */
  private Map<PortId, List<PortId>> claimants() {
    Map<PortId, List<PortId>> claimants = new LinkedHashMap<>();
    claims.forEach(
        (from, all) -> {
          if (!peers.containsKey(from)) {
            for (PortId to : all) {
              if (!claims.containsKey(to)) {
                claimants.computeIfAbsent(to, silent -> new ArrayList<>(1)).add(from);
              }
            }
          }
        });
    return claimants;
  }

  private boolean isExpected(PortId from, PortId to) {
    Link before = known.linkAt(from);
    return to.equals(planned.get(from)) || (before != null && to.equals(before.peerOf(from)));
  }

  private void joinUnlessDenied(PortId from, PortId to) {
    if (!claims.containsKey(to) || claims(to, from)) {
      join(from, to);
    }
  }

  private boolean claims(PortId from, PortId to) {
    List<PortId> all = claims.get(from);
    return all != null && all.contains(to);
  }

  private void join(PortId one, PortId other) {
    if (!peers.containsKey(one) && !peers.containsKey(other)) {
      peers.put(one, other);
      peers.put(other, one);
    }
  }

  private void note(Ambiguity.Kind kind, PortId what, List<PortId> candidates) {
    names.ambiguous(kind, what.id(), candidates.stream().map(PortId::id).toList());
  }
}
