package io.fabrichealth.collective;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
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
  private final Map<Wait, List<Integer>> waiters = new LinkedHashMap<>();
  private final NavigableMap<Integer, List<Wait>> waitedFor = new TreeMap<>();
  private final List<NavigableSet<Integer>> cycles;

  private WaitGraph(Map<Integer, List<Wait>> from) {
    waits = from;
    waits.forEach(
        (rank, of) ->
            of.forEach(wait -> waiters.computeIfAbsent(wait, key -> new ArrayList<>()).add(rank)));
    for (Wait wait : waiters.keySet()) {
      for (int rank : wait.awaited()) {
        waitedFor.computeIfAbsent(rank, key -> new ArrayList<>()).add(wait);
      }
    }
    cycles = new Components().cycles();
  }

  /** The ranks that wait, ascending. */
  public NavigableSet<Integer> waiting() {
    return Collections.unmodifiableNavigableSet(new TreeSet<>(waits.keySet()));
  }

  /** The ranks that somebody waits for, ascending. */
  public NavigableSet<Integer> awaited() {
    return Collections.unmodifiableNavigableSet(waitedFor.navigableKeySet());
  }

  /** What a rank waits in; empty where it does not wait. */
  public List<Wait> waitsOf(int rank) {
    return waits.getOrDefault(rank, List.of());
  }

  /** The ranks that wait in an operation, ascending; empty where none does. */
  public List<Integer> waitersIn(Wait wait) {
    return Collections.unmodifiableList(waiters.getOrDefault(wait, List.of()));
  }

  /** The ranks that are awaited and wait for nobody, ascending. */
  public NavigableSet<Integer> roots() {
    NavigableSet<Integer> roots = new TreeSet<>(waitedFor.keySet());
    roots.removeAll(waits.keySet());
    return roots;
  }

  /** Sets of ranks that wait for each other and for nobody else. */
  public List<NavigableSet<Integer>> cycles() {
    return cycles;
  }

  /** The ranks that wait for a rank directly or in turn, without itself, ascending. */
  public NavigableSet<Integer> heldUpBy(int rank) {
    NavigableSet<Integer> held = new TreeSet<>();
    Set<Wait> seen = new HashSet<>();
    Deque<Integer> open = new ArrayDeque<>(List.of(rank));
    while (!open.isEmpty()) {
      for (Wait wait : waitsFor(open.remove())) {
        if (seen.add(wait)) {
          waitersIn(wait).stream().filter(held::add).forEach(open::add);
        }
      }
    }
    held.remove(rank);
    return held;
  }

  /** What those wait in who wait for a rank directly. */
  public List<Wait> waitsFor(int rank) {
    return Collections.unmodifiableList(waitedFor.getOrDefault(rank, List.of()));
  }

  private Collection<Integer> targets(int rank) {
    List<Wait> of = waitsOf(rank);
    if (of.size() == 1) {
      return of.getFirst().awaited();
    }
    NavigableSet<Integer> to = new TreeSet<>();
    of.forEach(wait -> to.addAll(wait.awaited()));
    return to;
  }

  /** Strongly connected components (Tarjan 1972), without recursion: chains may be long. */
  private final class Components {
    private final Map<Integer, Integer> low = new HashMap<>();
    private final Map<Integer, Integer> found = new HashMap<>();
    private final Set<Integer> closed = new HashSet<>();
    private final Deque<Integer> stack = new ArrayDeque<>();
    private final List<NavigableSet<Integer>> components = new ArrayList<>();

    List<NavigableSet<Integer>> cycles() {
      for (int rank : waits.keySet()) {
        if (!found.containsKey(rank)) {
          visit(rank);
        }
      }
      return components.stream()
          .filter(component -> component.size() > 1)
          .filter(
              component ->
                  component.stream().allMatch(rank -> component.containsAll(targets(rank))))
          .toList();
    }

    private void visit(int first) {
      Deque<Frame> frames = new ArrayDeque<>();
      frames.push(enter(first));
      while (!frames.isEmpty()) {
        Frame frame = frames.element();
        if (frame.to().hasNext()) {
          int to = frame.to().next();
          if (!found.containsKey(to)) {
            frames.push(enter(to));
          } else if (!closed.contains(to)) {
            low.merge(frame.rank(), found.getOrDefault(to, 0), Math::min);
          }
          continue;
        }
        frames.pop();
        int lowest = low.getOrDefault(frame.rank(), 0);
        if (!frames.isEmpty()) {
          low.merge(frames.element().rank(), lowest, Math::min);
        }
        if (lowest == found.getOrDefault(frame.rank(), 0)) {
          close(frame.rank());
        }
      }
    }

    private Frame enter(int rank) {
      found.put(rank, found.size());
      low.put(rank, found.size() - 1);
      stack.push(rank);
      return new Frame(rank, targets(rank).iterator());
    }

    private void close(int rank) {
      NavigableSet<Integer> component = new TreeSet<>();
      int member;
      do {
        member = stack.pop();
        component.add(member);
      } while (member != rank);
      closed.addAll(component);
      components.add(component);
    }
  }

  private record Frame(int rank, Iterator<Integer> to) {}

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

    /** The ranks that somebody waits for so far, ascending. */
    NavigableSet<Integer> awaited() {
      NavigableSet<Integer> awaited = new TreeSet<>();
      known.keySet().forEach(wait -> awaited.addAll(wait.awaited()));
      return awaited;
    }

    public WaitGraph build() {
      Map<Integer, List<Wait>> copied = new LinkedHashMap<>();
      waits.forEach((rank, of) -> copied.put(rank, List.copyOf(of)));
      return new WaitGraph(copied);
    }
  }
}
