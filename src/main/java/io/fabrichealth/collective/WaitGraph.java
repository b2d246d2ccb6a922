package io.fabrichealth.collective;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who waits for whom, over all groups of a job. A rank waits in an operation, and the operation
 * waits for the members that did not come; so a thousand ranks that wait for one need a thousand
 * and one edges, not a million.
 *
 * <p>Those who are awaited and wait for nobody are the roots: they hold all others up. Ranks that
 * wait for each other in a ring, and for nobody else, are a deadlock.
 */
public final class WaitGraph {

  /**
   * An operation that some have entered and others have not.
   *
   * @param group what people call the group: {@code tp (1)}
   * @param sequence the operation's number in its group; {@link FlightRecorder#ABSENT} of a send or
   *     receive
   * @param operation {@code all_reduce}, {@code recv}, ...
   * @param awaited the ranks that have not come, ascending
   */
  public record Wait(String group, long sequence, String operation, List<Integer> awaited) {
    public Wait {
      awaited = List.copyOf(awaited);
    }

    /** For people: {@code all_reduce 32 of tp (1)}. */
    public String label() {
      return sequence == FlightRecorder.ABSENT
          ? "%s in %s".formatted(operation, group)
          : "%s %d of %s".formatted(operation, sequence, group);
    }
  }

  private final Map<Integer, List<Wait>> waits;
  private final NavigableSet<Integer> awaited;
  private final Map<Integer, NavigableSet<Integer>> edges = new TreeMap<>();
  private final List<NavigableSet<Integer>> ends;
  private final Set<Integer> inEnds = new HashSet<>();
  private final Map<Integer, Integer> componentOf = new HashMap<>();

  private WaitGraph(Map<Integer, List<Wait>> from) {
    waits = from;
    awaited = new TreeSet<>();
    for (Map.Entry<Integer, List<Wait>> of : waits.entrySet()) {
      for (Wait wait : of.getValue()) {
        awaited.addAll(wait.awaited());
      }
    }
    ends = new Components().closed();
    ends.forEach(inEnds::addAll);
  }

  /** The ranks that wait, ascending. */
  public NavigableSet<Integer> waiting() {
    return Collections.unmodifiableNavigableSet(new TreeSet<>(waits.keySet()));
  }

  /** The ranks that somebody waits for, ascending. */
  public NavigableSet<Integer> awaited() {
    return Collections.unmodifiableNavigableSet(awaited);
  }

  /** What a rank waits in; empty where it does not wait. */
  public List<Wait> waitsOf(int rank) {
    return waits.getOrDefault(rank, List.of());
  }

  /** The ranks that are awaited and wait for nobody, ascending. */
  public NavigableSet<Integer> roots() {
    NavigableSet<Integer> roots = new TreeSet<>(awaited);
    roots.removeAll(waits.keySet());
    return roots;
  }

  /** Sets of ranks that wait for each other and for nobody else. */
  public List<NavigableSet<Integer>> cycles() {
    return ends.stream().filter(end -> end.size() > 1).toList();
  }

  /** The roots, and the members of cycles, that a rank waits for directly or in turn. */
  public NavigableSet<Integer> heldBy(int rank) {
    NavigableSet<Integer> held = new TreeSet<>();
    for (int reached : reach(rank)) {
      if (inEnds.contains(reached)) {
        held.add(reached);
      }
    }
    return held;
  }

  /** The ranks that wait for a rank directly or in turn, without itself, ascending. */
  public NavigableSet<Integer> heldUpBy(int rank) {
    Map<Integer, Set<Integer>> back = new HashMap<>();
    for (int waiter : waits.keySet()) {
      for (int to : targets(waiter)) {
        back.computeIfAbsent(to, key -> new LinkedHashSet<>()).add(waiter);
      }
    }
    NavigableSet<Integer> held = new TreeSet<>();
    Deque<Integer> open = new ArrayDeque<>(List.of(rank));
    while (!open.isEmpty()) {
      for (int waiter : back.getOrDefault(open.remove(), Set.of())) {
        if (waiter != rank && held.add(waiter)) {
          open.add(waiter);
        }
      }
    }
    return held;
  }

  /** What those wait in who wait for a rank directly. */
  public List<Wait> waitsFor(int rank) {
    Set<Wait> found = new LinkedHashSet<>();
    for (List<Wait> of : waits.values()) {
      for (Wait wait : of) {
        if (Collections.binarySearch(wait.awaited(), rank) >= 0) {
          found.add(wait);
        }
      }
    }
    return List.copyOf(found);
  }

  private NavigableSet<Integer> targets(int rank) {
    return edges.computeIfAbsent(
        rank,
        key -> {
          NavigableSet<Integer> to = new TreeSet<>();
          for (Wait wait : waitsOf(rank)) {
            to.addAll(wait.awaited());
          }
          return to;
        });
  }

  private Set<Integer> reach(int rank) {
    Set<Integer> reached = new LinkedHashSet<>();
    Deque<Integer> open = new ArrayDeque<>(List.of(rank));
    while (!open.isEmpty()) {
      for (int to : targets(open.remove())) {
        if (reached.add(to)) {
          open.add(to);
        }
      }
    }
    return reached;
  }

  /** Strongly connected components (Tarjan 1972), without recursion: chains may be long. */
  private final class Components {
    private final Map<Integer, Integer> low = new HashMap<>();
    private final Map<Integer, Integer> found = new HashMap<>();
    private final Deque<Integer> stack = new ArrayDeque<>();
    private final List<NavigableSet<Integer>> components = new ArrayList<>();

    List<NavigableSet<Integer>> closed() {
      for (int rank : waits.keySet()) {
        if (!found.containsKey(rank)) {
          visit(rank);
        }
      }
      List<NavigableSet<Integer>> closed = new ArrayList<>();
      for (NavigableSet<Integer> component : components) {
        if (component.stream().allMatch(rank -> component.containsAll(targets(rank)))) {
          closed.add(component);
        }
      }
      return closed;
    }

    private void visit(int first) {
      Deque<Frame> frames = new ArrayDeque<>();
      frames.push(enter(first));
      while (!frames.isEmpty()) {
        Frame frame = frames.element();
        if (frame.next < frame.to.length) {
          int to = frame.to[frame.next++];
          if (!found.containsKey(to)) {
            frames.push(enter(to));
          } else if (!componentOf.containsKey(to)) {
            low.merge(frame.rank, found.getOrDefault(to, 0), Math::min);
          }
          continue;
        }
        frames.pop();
        int lowest = low.getOrDefault(frame.rank, 0);
        if (!frames.isEmpty()) {
          low.merge(frames.element().rank, lowest, Math::min);
        }
        if (lowest == found.getOrDefault(frame.rank, 0)) {
          close(frame.rank);
        }
      }
    }

    private Frame enter(int rank) {
      found.put(rank, found.size());
      low.put(rank, found.size() - 1);
      stack.push(rank);
      return new Frame(rank, targets(rank).stream().mapToInt(Integer::intValue).toArray());
    }

    private void close(int rank) {
      NavigableSet<Integer> component = new TreeSet<>();
      int member;
      do {
        member = stack.pop();
        component.add(member);
        componentOf.put(member, components.size());
      } while (member != rank);
      components.add(component);
    }
  }

  private static final class Frame {
    private final int rank;
    private final int[] to;
    private int next;

    private Frame(int rank, int[] to) {
      this.rank = rank;
      this.to = to;
    }
  }

  /** Gathers the waits. */
  public static final class Builder {
    private final Map<Integer, List<Wait>> waits = new TreeMap<>();
    private final Map<Wait, Wait> known = new HashMap<>();

    /** A rank waits; one that would wait for itself or nobody else is left out. */
    public Builder add(int rank, Wait wait) {
      if (wait.awaited().stream().allMatch(awaited -> awaited == rank)) {
        return this;
      }
      List<Wait> of = waits.computeIfAbsent(rank, key -> new ArrayList<>());
      Wait shared = known.computeIfAbsent(wait, key -> key);
      if (!of.contains(shared)) {
        of.add(shared);
      }
      return this;
    }

    /** The same for a rank that is known to wait for others in a group. */
    public Builder add(int rank, String group, long sequence, String operation, int... awaited) {
      int[] sorted = awaited.clone();
      Arrays.sort(sorted);
      return add(
          rank, new Wait(group, sequence, operation, Arrays.stream(sorted).boxed().toList()));
    }

    public WaitGraph build() {
      Map<Integer, List<Wait>> copied = new LinkedHashMap<>();
      waits.forEach((rank, of) -> copied.put(rank, List.copyOf(of)));
      return new WaitGraph(copied);
    }
  }
}
