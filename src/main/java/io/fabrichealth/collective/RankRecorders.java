package io.fabrichealth.collective;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes one recorder of all that a rank left. Each backend has a recorder of its own, and a rank
 * may wait in one while it is idle in the other; the same dump may also be there twice.
 */
final class RankRecorders {
  private RankRecorders() {}

  /** One of each rank and backend, by rank. */
  static List<FlightRecorder> distinct(Collection<FlightRecorder> dumps) {
    return parts(dumps).values().stream().flatMap(List::stream).toList();
  }

  private static NavigableMap<Integer, List<FlightRecorder>> parts(
      Collection<FlightRecorder> dumps) {
    NavigableMap<Integer, List<FlightRecorder>> all = new TreeMap<>();
    for (FlightRecorder dump : dumps) {
      List<FlightRecorder> of = all.computeIfAbsent(dump.rank(), key -> new ArrayList<>());
      addOrReplace(of, dump);
    }
    return all;
  }

  static NavigableMap<Integer, FlightRecorder> byRank(Collection<FlightRecorder> dumps) {
    NavigableMap<Integer, List<FlightRecorder>> all = parts(dumps);
    boolean haveSeveral = all.values().stream().anyMatch(of -> of.size() > 1);
    NavigableMap<Integer, FlightRecorder> byRank = new TreeMap<>();
    all.forEach((rank, of) -> byRank.put(rank, haveSeveral ? union(of) : of.getFirst()));
    return byRank;
  }

  /** Of two dumps of one backend the one that goes further counts. */
  private static void addOrReplace(List<FlightRecorder> of, FlightRecorder dump) {
    for (int at = 0; at < of.size(); at++) {
      FlightRecorder other = of.get(at);
      if (other.size() == 0 || dump.size() == 0 || !isDisjoint(backends(other), backends(dump))) {
        if (reach(dump) > reach(other)) {
          of.set(at, dump);
        }
        return;
      }
    }
    of.add(dump);
  }

  private static boolean isDisjoint(Set<String> one, Set<String> other) {
    return one.stream().noneMatch(other::contains);
  }

  private static Set<String> backends(FlightRecorder recorder) {
    Set<String> backends = new HashSet<>();
    recorder.operations().forEach(operation -> backends.add(operation.backend()));
    return backends;
  }

  private static long reach(FlightRecorder recorder) {
    return recorder.size() == 0 ? -1 : recorder.recordId(recorder.size() - 1);
  }

  /**
   * One recorder with the entries of all in the order of their creation, which one clock tells.
   * Groups of one name are different ones for each backend: they count by themselves.
   */
  private static FlightRecorder union(List<FlightRecorder> parts) {
    List<ProcessGroup> groups = new ArrayList<>();
    List<Operation> operations = new ArrayList<>();
    List<GroupStatus> statuses = new ArrayList<>();
    int[] groupsBefore = new int[parts.size()];
    int[] operationsBefore = new int[parts.size()];
    boolean isWhole = true;
    for (int part = 0; part < parts.size(); part++) {
      FlightRecorder recorder = parts.get(part);
      groupsBefore[part] = groups.size();
      operationsBefore[part] = operations.size();
      String backend = backends(recorder).stream().sorted().findFirst().orElse("");
      for (ProcessGroup group : recorder.groups()) {
        String name = group.name().isEmpty() ? "" : group.name() + "/" + backend;
        groups.add(new ProcessGroup(name, group.description(), group.ranks()));
      }
      operations.addAll(recorder.operations());
      statuses.addAll(recorder.statuses());
      isWhole &= recorder.isWhole();
    }
    FlightRecorder first = parts.getFirst();
    FlightRecorder.Builder builder =
        new FlightRecorder.Builder(first.rank(), first.source())
            .version(first.version())
            .tables(groups, operations, List.of())
            .statuses(statuses)
            .whole(isWhole);
    int[] next = new int[parts.size()];
    long record = 0;
    for (int part = earliest(parts, next); part >= 0; part = earliest(parts, next)) {
      FlightRecorder from = parts.get(part);
      int entry = next[part]++;
      builder
          .entry(
              parts.size() == 1 ? from.recordId(entry) : record++,
              from.localGroupId(entry),
              groupsBefore[part] + from.groupIndex(entry),
              operationsBefore[part] + from.operationIndex(entry),
              -1)
          .sequences(
              from.collectiveSequence(entry),
              from.pointToPointSequence(entry),
              from.operationId(entry))
          .times(
              from.createdNanos(entry),
              from.startedNanos(entry),
              from.completedNanos(entry),
              from.durationNanos(entry))
          .state(from.state(entry), from.isPointToPoint(entry), from.isRetired(entry));
    }
    return builder.build();
  }

  private static int earliest(List<FlightRecorder> parts, int[] next) {
    int earliest = -1;
    for (int part = 0; part < next.length; part++) {
      FlightRecorder recorder = parts.get(part);
      if (next[part] < recorder.size()
          && (earliest < 0
              || recorder.createdNanos(next[part])
                  < parts.get(earliest).createdNanos(next[earliest]))) {
        earliest = part;
      }
    }
    return earliest;
  }
}
