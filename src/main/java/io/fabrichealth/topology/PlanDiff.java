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
import org.jspecify.annotations.Nullable;

/**
 * How what is seen differs from the plan. Only evidence counts: what was not read is unknown, never
 * missing.
 *
 * @param missing cables that should be seen and are not
 * @param extra cables that are seen and not planned
 * @param swapped cables whose ends are exchanged among them; each group is one mistake
 * @param moved ports of planned cables that see another port than planned, without a swap
 * @param properties what ports have otherwise than planned
 * @param notSeen planned ports that their device, which was read, does not have
 * @param unknown planned cables of which nothing can be said, and why
 */
public record PlanDiff(
    List<PlannedCable> missing,
    List<Cable> extra,
    List<Swap> swapped,
    List<Move> moved,
    List<Difference> properties,
    List<PortId> notSeen,
    List<PlannedCable> unknown) {

  /** Two ports; a sorts before b. */
  public record Cable(PortId a, PortId b) implements Comparable<Cable> {
    static Cable of(PortId one, PortId other) {
      return one.compareTo(other) <= 0 ? new Cable(one, other) : new Cable(other, one);
    }

    @Override
    public int compareTo(Cable other) {
      return Comparator.comparing(Cable::a).thenComparing(Cable::b).compare(this, other);
    }
  }

  /** A cable of the plan that is not seen, and what tells so. */
  public record PlannedCable(Cable cable, String reason) {}

  /** As many cables as are planned join the same ports in another way. */
  public record Swap(List<Cable> planned, List<Cable> seen) {}

  /**
   * A planned cable of which a port sees another one than planned.
   *
   * @param port one of the planned cable's
   * @param seen what is at its other end instead
   */
  public record Move(Cable planned, PortId port, PortId seen) {}

  /** What a port has otherwise than planned. */
  public record Difference(PortId port, PortProperty what, String planned, String seen) {}

  /**
   * @param fabric as it was joined with the plan
   */
  public static PlanDiff of(Fabric plan, Fabric fabric) {
    return new Comparison(plan, fabric).diff();
  }

  /** One comparison. */
  private static final class Comparison {
    private final Fabric plan;
    private final Names names;
    private final Seen seen;
    private final Map<PortId, PortId> planned = new LinkedHashMap<>();
    private final List<PlannedCable> missing = new ArrayList<>();
    private final List<PlannedCable> unknown = new ArrayList<>();
    private final List<Cable> extra = new ArrayList<>();
    private final List<Swap> swapped = new ArrayList<>();
    private final List<Move> moved = new ArrayList<>();

    Comparison(Fabric plan, Fabric fabric) {
      this.plan = plan;
      names = fabric.names();
      seen = fabric.seen();
    }

    PlanDiff diff() {
      for (Link link : plan.links()) {
        PortId b = link.b();
        if (b != null) {
          PortId one = names.canonical(link.a());
          PortId other = names.canonical(b);
          planned.put(one, other);
          planned.put(other, one);
        }
      }
      Set<PortId> done = new HashSet<>();
      planned.forEach(
          (port, peer) -> {
            if (done.add(port)) {
              done.add(peer);
              PortId atPort = seen.peer(port);
              PortId atPeer = seen.peer(peer);
              if (atPort == null && atPeer == null) {
                notSeen(Cable.of(port, peer));
              } else if (!peer.equals(atPort)) {
                done.addAll(follow(port));
              }
            }
          });
      if (!plan.links().isEmpty() || !plan.ports().isEmpty()) {
        for (Map.Entry<PortId, PortId> cable : seen.peers().entrySet()) {
          PortId port = cable.getKey();
          PortId peer = cable.getValue();
          if (port.compareTo(peer) < 0
              && !planned.containsKey(port)
              && !planned.containsKey(peer)) {
            extra.add(new Cable(port, peer));
          }
        }
      }
      Comparator<PlannedCable> order = Comparator.comparing(PlannedCable::cable);
      missing.sort(order);
      unknown.sort(order);
      extra.sort(Comparator.naturalOrder());
      moved.sort(Comparator.comparing(Move::planned).thenComparing(Move::port));
      swapped.sort(Comparator.comparing(swap -> swap.planned().getFirst()));
      return new PlanDiff(
          List.copyOf(missing),
          List.copyOf(extra),
          List.copyOf(swapped),
          List.copyOf(moved),
          properties(),
          portsNotSeen(),
          List.copyOf(unknown));
    }

    /**
     * From a port that is wired otherwise than planned, along planned and seen cables by turns:
     * they lead back where ends were exchanged, and to an end where a cable went elsewhere.
     */
    private Set<PortId> follow(PortId from) {
      Set<PortId> ports = new LinkedHashSet<>();
      List<PortId> next = new ArrayList<>(List.of(from));
      boolean isClosed = true;
      while (!next.isEmpty()) {
        PortId port = next.removeLast();
        if (ports.add(port)) {
          PortId shouldBe = planned.get(port);
          PortId is = seen.peer(port);
          isClosed &= shouldBe != null && is != null;
          addIfAny(next, shouldBe);
          addIfAny(next, is);
        }
      }
      Set<Cable> plannedCables = cables(ports, planned);
      if (isClosed) {
        Map<PortId, PortId> peers = new HashMap<>();
        ports.forEach(port -> putIfAny(peers, port, seen.peer(port)));
        swapped.add(new Swap(sorted(plannedCables), sorted(cables(ports, peers))));
        return ports;
      }
      for (Cable cable : plannedCables) {
        PortId atA = seen.peer(cable.a());
        PortId atB = seen.peer(cable.b());
        if (atA != null) {
          moved.add(new Move(cable, cable.a(), atA));
        }
        if (atB != null) {
          moved.add(new Move(cable, cable.b(), atB));
        }
        if (atA == null && atB == null) {
          notSeen(cable);
        }
      }
      return ports;
    }

    private static Set<Cable> cables(Set<PortId> ports, Map<PortId, PortId> peers) {
      Set<Cable> cables = new HashSet<>();
      for (PortId port : ports) {
        PortId peer = peers.get(port);
        if (peer != null) {
          cables.add(Cable.of(port, peer));
        }
      }
      return cables;
    }

    private static List<Cable> sorted(Set<Cable> cables) {
      return cables.stream().sorted().toList();
    }

    private static void addIfAny(List<PortId> ports, @Nullable PortId port) {
      if (port != null) {
        ports.add(port);
      }
    }

    private static void putIfAny(Map<PortId, PortId> peers, PortId port, @Nullable PortId peer) {
      if (peer != null) {
        peers.put(port, peer);
      }
    }

    /** Missing only where an end that was asked should have seen the other, and did not. */
    private void notSeen(Cable cable) {
      String a = blank(cable.a(), cable.b());
      String b = blank(cable.b(), cable.a());
      if (a.isEmpty() || b.isEmpty()) {
        List<String> blind = new ArrayList<>();
        if (a.isEmpty()) {
          blind.add(cable.a().id());
        }
        if (b.isEmpty()) {
          blind.add(cable.b().id());
        }
        missing.add(
            new PlannedCable(cable, "no neighbour is seen at " + String.join(" and ", blind)));
      } else {
        unknown.add(new PlannedCable(cable, a + "; " + b));
      }
    }

    /** Why it means nothing that the port sees nothing; empty where it does mean something. */
    private String blank(PortId port, PortId peer) {
      String device = port.device();
      if (seen.device(device) == null) {
        return device + " is not read";
      }
      if (!seen.neighboursRead(device)) {
        return "the neighbours of " + device + " were not read";
      }
      if (!seen.announcesItself(peer.device())) {
        return "nobody ever saw " + peer.device() + " announce itself";
      }
      return "";
    }

    // --- ports

    private List<Difference> properties() {
      List<Difference> found = new ArrayList<>();
      for (Port port : plan.ports()) {
        PortId id = names.canonical(port.id());
        SeenPort is = seen.port(id);
        if (is == null) {
          continue;
        }
        compare(
            found,
            id,
            PortProperty.SPEED_BITS_PER_SECOND,
            port.speedBitsPerSecond(),
            is.speedBitsPerSecond());
        compare(found, id, PortProperty.LANES, port.lanes(), is.lanes());
        if (port.fec() != FecMode.UNKNOWN
            && is.fec() != FecMode.UNKNOWN
            && port.fec() != is.fec()) {
          found.add(new Difference(id, PortProperty.FEC, port.fec().name(), is.fec().name()));
        }
        // The plan may count the header of layer 2 or not, like the devices.
        if (Math.abs(port.mtu() - is.mtu()) > EndsComparison.HEADER_OCTETS) {
          compare(found, id, PortProperty.MTU_BYTES, port.mtu(), is.mtu());
        }
      }
      found.sort(Comparator.comparing(Difference::port).thenComparing(Difference::what));
      return List.copyOf(found);
    }

    private static void compare(
        List<Difference> found, PortId port, PortProperty what, long planned, long seen) {
      if (planned > 0 && seen > 0 && planned != seen) {
        found.add(new Difference(port, what, Long.toString(planned), Long.toString(seen)));
      }
    }

    private List<PortId> portsNotSeen() {
      List<PortId> missing = new ArrayList<>();
      for (Port port : plan.ports()) {
        PortId id = names.canonical(port.id());
        Seen.SeenDevice device = seen.device(id.device());
        if (device != null && device.portsRead() && seen.port(id) == null) {
          missing.add(id);
        }
      }
      missing.sort(Comparator.naturalOrder());
      return missing;
    }
  }
}
