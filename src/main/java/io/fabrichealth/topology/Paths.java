package io.fabrichealth.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The shortest paths of a fabric, as routers with equal-cost multipath use them. Links have two
 * directions: {@code 2 * link} leads from the end whose id sorts first to the other, {@code 2 *
 * link + 1} back. Hosts forward nothing.
 *
 * <p>Paths are kept by pair of switches, not of hosts, and only as many as fit a few million
 * numbers. Not for use by several threads.
 */
public final class Paths {
  /** More ways than that say next to nothing about where a packet went. */
  private static final int MOST_WAYS = 1_024;

  private static final int MOST_KEPT = 4_000_000;
  private static final byte UNREACHABLE = Byte.MAX_VALUE;

  private final Fabric fabric;
  private final Link[] links;
  private final Map<String, Integer> linkNumbers;
  private final Map<String, Integer> deviceNumbers = new HashMap<>();
  private final List<String> deviceNames = new ArrayList<>();
  private final boolean[] forwards;
  private final int[] target;
  private final int[] outStart;
  private final int[] out;

  private final Map<Integer, byte[]> distances = new HashMap<>();
  private final Map<Long, Ways> known = new HashMap<>();
  private int kept;

  private Paths(Fabric fabric) {
    this.fabric = fabric;
    links = fabric.links().stream().filter(link -> !link.isHalf()).toArray(Link[]::new);
    linkNumbers = HashMap.newHashMap(links.length);
    target = new int[2 * links.length];
    for (int number = 0; number < links.length; number++) {
      Link link = links[number];
      linkNumbers.put(link.id(), number);
      target[2 * number + 1] = number(link.a().device());
      target[2 * number] = number(to(2 * number).device());
    }
    forwards = new boolean[deviceNames.size()];
    outStart = new int[deviceNames.size() + 1];
    for (int way = 0; way < target.length; way++) {
      outStart[target[way ^ 1] + 1]++;
    }
    for (int device = 0; device < forwards.length; device++) {
      Device known = fabric.device(deviceNames.get(device));
      forwards[device] = known == null || known.role().isSwitch();
      outStart[device + 1] += outStart[device];
    }
    out = new int[target.length];
    int[] next = outStart.clone();
    for (int way = 0; way < target.length; way++) {
      out[next[target[way ^ 1]]++] = way;
    }
  }

  public static Paths of(Fabric fabric) {
    return new Paths(fabric);
  }

  private int number(String device) {
    return deviceNumbers.computeIfAbsent(
        device,
        name -> {
          deviceNames.add(name);
          return deviceNames.size() - 1;
        });
  }

  /** How many there are, numbered from 0. */
  public int directedLinks() {
    return target.length;
  }

  /** Devices that have links, numbered from 0. */
  public int devices() {
    return forwards.length;
  }

  public String device(int number) {
    return deviceNames.get(number);
  }

  public Link link(int directed) {
    return links[directed / 2];
  }

  /** The port that sends into it. */
  public PortId from(int directed) {
    Link link = links[directed / 2];
    PortId b = link.b();
    return directed % 2 == 0 || b == null ? link.a() : b;
  }

  /** The port that receives from it. */
  public PortId to(int directed) {
    return from(directed ^ 1);
  }

  /** The number of the device that receives from it. */
  public int target(int directed) {
    return target[directed];
  }

  /** The same links the other way round. */
  public static int[] reversed(int[] path) {
    int[] back = new int[path.length];
    for (int i = 0; i < path.length; i++) {
      back[i] = path[path.length - 1 - i] ^ 1;
    }
    return back;
  }

  /**
   * A path that is given by the ids of its links, from the device on; null where a link is not
   * known or does not begin where the one before it ends.
   */
  public int @Nullable [] exact(String device, List<String> linkIds) {
    Integer at = deviceNumbers.get(device);
    int[] path = new int[linkIds.size()];
    for (int i = 0; i < path.length; i++) {
      Integer link = linkNumbers.get(linkIds.get(i));
      if (at == null || link == null) {
        return null;
      }
      int way = target[2 * link + 1] == at ? 2 * link : 2 * link + 1;
      if (target[way ^ 1] != at) {
        return null;
      }
      path[i] = way;
      at = target[way];
    }
    return path;
  }

  /**
   * The shortest paths between two ports; between two devices where a port is null. Names are as
   * the fabric or its devices have them.
   */
  public Ways between(String src, @Nullable String srcPort, String dst, @Nullable String dstPort) {
    Integer from = deviceNumbers.get(src);
    Integer to = deviceNumbers.get(dst);
    if (from == null || to == null || from.equals(to)) {
      return Ways.NONE;
    }
    int[] first = attachments(from, srcPort);
    int[] last = attachments(to, dstPort);
    int least = UNREACHABLE;
    List<int[]> pairs = new ArrayList<>();
    for (int one : first) {
      for (int other : last) {
        int distance = (one ^ 1) == (other ^ 1) ? 0 : distance(one, other, to);
        if (distance < least) {
          least = distance;
          pairs.clear();
        }
        if (distance == least && distance < UNREACHABLE) {
          pairs.add(new int[] {one, other});
        }
      }
    }
    return joined(pairs, to);
  }

  /** The ways out of a device, or of one of its ports. */
  private int[] attachments(int device, @Nullable String port) {
    if (port == null) {
      return Arrays.copyOfRange(out, outStart[device], outStart[device + 1]);
    }
    PortId id = fabric.names().port(deviceNames.get(device), port);
    for (int i = outStart[device]; id != null && i < outStart[device + 1]; i++) {
      if (from(out[i]).equals(id)) {
        return new int[] {out[i]};
      }
    }
    return new int[0];
  }

  /** Hops between what the first link leads to and where the last one, seen from its end, leads. */
  private int distance(int first, int last, int end) {
    int one = target[first];
    if (one == end) {
      return (first ^ 1) == last ? 0 : UNREACHABLE;
    }
    int other = target[last];
    if (!forwards[one] || !forwards[other]) {
      return UNREACHABLE;
    }
    int hops = distances(other)[one];
    return hops == UNREACHABLE ? UNREACHABLE : hops + 1;
  }

  private Ways joined(List<int[]> pairs, int end) {
    List<int[]> paths = new ArrayList<>();
    List<Double> weights = new ArrayList<>();
    for (int[] pair : pairs) {
      if (target[pair[0]] == end) {
        paths.add(new int[] {pair[0]});
        weights.add(1.0 / pairs.size());
        continue;
      }
      Ways middle = middle(target[pair[0]], target[pair[1]]);
      if (middle.isEmpty() || paths.size() + middle.paths().length > MOST_WAYS) {
        return Ways.NONE;
      }
      for (int i = 0; i < middle.paths().length; i++) {
        int[] inner = middle.paths()[i];
        int[] path = new int[inner.length + 2];
        path[0] = pair[0];
        System.arraycopy(inner, 0, path, 1, inner.length);
        path[path.length - 1] = pair[1] ^ 1;
        paths.add(path);
        weights.add(middle.weights()[i] / pairs.size());
      }
    }
    return paths.isEmpty()
        ? Ways.NONE
        : new Ways(
            paths.toArray(int[][]::new),
            weights.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private Ways middle(int from, int to) {
    long key = (long) from << 32 | to;
    Ways ways = known.get(key);
    if (ways == null) {
      ways = enumerated(from, to);
      for (int[] path : ways.paths()) {
        kept += path.length + 4;
      }
      if (kept > MOST_KEPT) {
        known.clear();
        kept = 0;
      }
      known.put(key, ways);
    }
    return ways;
  }

  private Ways enumerated(int from, int to) {
    byte[] distance = distances(to);
    int length = distance[from];
    if (length == UNREACHABLE) {
      return Ways.NONE;
    }
    List<int[]> paths = List.of(new int[length]);
    List<Double> weights = List.of(1.0);
    int[] ends = {from};
    for (int hop = 0; hop < length; hop++) {
      List<int[]> longer = new ArrayList<>();
      List<Double> shares = new ArrayList<>();
      for (int i = 0; i < paths.size(); i++) {
        int at = hop == 0 ? ends[0] : target[paths.get(i)[hop - 1]];
        int begin = longer.size();
        for (int j = outStart[at]; j < outStart[at + 1]; j++) {
          if (distance[target[out[j]]] == distance[at] - 1) {
            int[] path = paths.get(i).clone();
            path[hop] = out[j];
            longer.add(path);
          }
        }
        int choices = longer.size() - begin;
        for (int j = 0; j < choices; j++) {
          shares.add(weights.get(i) / choices);
        }
        if (longer.size() > MOST_WAYS) {
          return Ways.NONE;
        }
      }
      paths = longer;
      weights = shares;
    }
    return new Ways(
        paths.toArray(int[][]::new), weights.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** Hops of every switch to one, over switches alone. */
  private byte[] distances(int to) {
    return distances.computeIfAbsent(to, this::measured);
  }

  private byte[] measured(int to) {
    byte[] distance = new byte[forwards.length];
    Arrays.fill(distance, UNREACHABLE);
    int[] queue = new int[forwards.length];
    int last = 0;
    queue[last++] = to;
    distance[to] = 0;
    for (int first = 0; first < last; first++) {
      int at = queue[first];
      for (int j = outStart[at]; j < outStart[at + 1] && distance[at] < UNREACHABLE - 2; j++) {
        int next = target[out[j]];
        if (forwards[next] && distance[next] == UNREACHABLE) {
          distance[next] = (byte) (distance[at] + 1);
          queue[last++] = next;
        }
      }
    }
    return distance;
  }
}
