package io.fabrichealth.latency;

import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.topology.Paths;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Ways;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a probe crosses on its round trip: directed links, the switches between them, and components
 * that several ports share. These are the candidates, numbered in this order.
 */
final class Crossings {
  /** Ways out and back are combined while there are no more than these. */
  private static final int MOST_COMBINED = 64;

  private final Paths paths;
  private final List<String> components = new ArrayList<>();
  private final int[][] componentsOf;

  /**
   * @param shared ports of each shared component
   */
  Crossings(Paths paths, List<Set<PortId>> shared) {
    this.paths = paths;
    componentsOf = new int[paths.directedLinks()][];
    Map<PortId, List<Integer>> byPort = new HashMap<>();
    for (Set<PortId> ports : shared) {
      Set<String> names = new TreeSet<>();
      for (PortId port : ports) {
        names.add(port.id());
        byPort.computeIfAbsent(port, id -> new ArrayList<>()).add(components.size());
      }
      components.add(String.join("+", names));
    }
    for (int way = 0; way < componentsOf.length; way++) {
      Set<Integer> of = new TreeSet<>(byPort.getOrDefault(paths.from(way), List.of()));
      of.addAll(byPort.getOrDefault(paths.to(way), List.of()));
      componentsOf[way] = of.stream().mapToInt(Integer::intValue).toArray();
    }
  }

  int candidates() {
    return paths.directedLinks() + paths.devices() + components.size();
  }

  int directedLinks() {
    return paths.directedLinks();
  }

  /** What of a trip is links. */
  int[] links(int[] trip) {
    return Arrays.stream(trip).filter(this::isLink).toArray();
  }

  boolean isLink(int candidate) {
    return candidate < paths.directedLinks();
  }

  boolean isSwitch(int candidate) {
    return !isLink(candidate) && candidate < paths.directedLinks() + paths.devices();
  }

  /** The port that sends into a candidate that is a link. */
  PortId from(int candidate) {
    return paths.from(candidate);
  }

  Subject subject(int candidate) {
    if (isLink(candidate)) {
      return Subject.of(paths.link(candidate));
    }
    if (isSwitch(candidate)) {
      return Subject.ofSwitch(paths.device(candidate - paths.directedLinks()));
    }
    return new Subject(
        SubjectType.SHARED_COMPONENT,
        components.get(candidate - paths.directedLinks() - paths.devices()));
  }

  /**
   * What a flow crosses, on each round trip that it may take.
   *
   * @param trips candidates
   * @param weights of the sum 1; empty where nothing is known of its way
   * @param links that a trip crosses, on average
   */
  record Trips(int[][] trips, double[] weights, int links) {
    static final Trips UNKNOWN = new Trips(new int[0][], new double[0], 0);
  }

  Trips trips(ProbeFlow flow) {
    Ways out = ways(flow);
    if (out.isEmpty()) {
      return Trips.UNKNOWN;
    }
    int[] exactBack =
        flow.returnPath().isEmpty() ? null : paths.exact(flow.dst().device(), flow.returnPath());
    boolean isSameBack = !flow.path().isEmpty() || !flow.candidates().isEmpty();
    if (exactBack != null) {
      return combined(out, new Ways(new int[][] {exactBack}, new double[] {1}));
    }
    if (!isSameBack) {
      Ways back = derived(flow.dst(), flow.src());
      if (!back.isEmpty() && out.paths().length * back.paths().length <= MOST_COMBINED) {
        return combined(out, back);
      }
    }
    int[][] trips = new int[out.paths().length][];
    int links = 0;
    for (int i = 0; i < trips.length; i++) {
      trips[i] = trip(out.paths()[i], Paths.reversed(out.paths()[i]));
      links += 2 * out.paths()[i].length;
    }
    return new Trips(trips, out.weights(), links / trips.length);
  }

  private Ways ways(ProbeFlow flow) {
    if (!flow.path().isEmpty()) {
      int[] path = paths.exact(flow.src().device(), flow.path());
      if (path != null) {
        return new Ways(new int[][] {path}, new double[] {1});
      }
    }
    List<int[]> told = new ArrayList<>();
    for (List<String> candidate : flow.candidates()) {
      int[] path = paths.exact(flow.src().device(), candidate);
      if (path != null) {
        told.add(path);
      }
    }
    if (told.isEmpty()) {
      return derived(flow.src(), flow.dst());
    }
    double[] weights = new double[told.size()];
    Arrays.fill(weights, 1.0 / weights.length);
    return new Ways(told.toArray(int[][]::new), weights);
  }

  private Ways derived(ProbeSample.Endpoint from, ProbeSample.Endpoint to) {
    return paths.between(from.device(), from.port(), to.device(), to.port());
  }

  private Trips combined(Ways out, Ways back) {
    int[][] trips = new int[out.paths().length * back.paths().length][];
    double[] weights = new double[trips.length];
    int links = 0;
    int at = 0;
    for (int i = 0; i < out.paths().length; i++) {
      for (int j = 0; j < back.paths().length; j++) {
        trips[at] = trip(out.paths()[i], back.paths()[j]);
        weights[at++] = out.weights()[i] * back.weights()[j];
        links += out.paths()[i].length + back.paths()[j].length;
      }
    }
    return new Trips(trips, weights, links / trips.length);
  }

  private int[] trip(int[] out, int[] back) {
    int[] crossed = new int[2 * (out.length + back.length) + 8];
    int length = 0;
    for (int[] path : new int[][] {out, back}) {
      for (int i = 0; i < path.length; i++) {
        int[] shared = componentsOf[path[i]];
        if (length + 2 + shared.length > crossed.length) {
          crossed = Arrays.copyOf(crossed, 2 * (length + 2 + shared.length));
        }
        crossed[length++] = path[i];
        if (i + 1 < path.length) {
          crossed[length++] = paths.directedLinks() + paths.target(path[i]);
        }
        for (int component : shared) {
          crossed[length++] = paths.directedLinks() + paths.devices() + component;
        }
      }
    }
    return Arrays.copyOf(crossed, length);
  }
}
