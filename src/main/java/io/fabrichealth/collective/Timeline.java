package io.fabrichealth.collective;

import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The entries of all ranks of a job in one row, rank by rank in the order of issue, with the
 * collectives that they are part of.
 *
 * <p>Times are microseconds since the job's first entry, each by its own rank's clock; NaN where
 * not known.
 */
final class Timeline {
  private static final int ENTRY_BITS = 25;
  private static final int SEQUENCE_BITS = 24;
  private static final long MOST_SEQUENCES = 1L << SEQUENCE_BITS;
  private static final int MOST_GROUPS = 1 << 14;
  private static final double NANOS_A_MICRO = 1e3;

  private final List<FlightRecorder> recorders;
  private final int[] firstOfRank;
  private final int[] rankOf;
  private final int[] kindOf;
  private final double[] created;
  private final double[] completed;
  private final int[] collectiveOf;
  private final long epochNanos;
  private final Map<Kind, Integer> kinds = new HashMap<>();
  private final Map<GroupKey, Integer> groups = new HashMap<>();
  private int[] membersFrom = {0};
  private int[] members = {};
  private int[] groupOfCollective = {};

  /** By kind: whether two ranks ever did it together. */
  private boolean[] isEverShared = {};

  /** What entries of one kind have in common; whoever runs the same program issues the same. */
  private record Kind(String group, String operation, List<List<Long>> sizes) {}

  /** The same on every rank; the members tell apart groups that share a name. */
  private record GroupKey(String name, String description, List<Integer> ranks) {}

  private Timeline(List<FlightRecorder> from) {
    recorders =
        from.stream()
            .filter(recorder -> recorder.size() > 0)
            .sorted(Comparator.comparingInt(FlightRecorder::rank))
            .toList();
    firstOfRank = new int[recorders.size() + 1];
    long first = Long.MAX_VALUE;
    for (int rank = 0; rank < recorders.size(); rank++) {
      FlightRecorder recorder = recorders.get(rank);
      firstOfRank[rank + 1] =
          (int) Math.min(1L << ENTRY_BITS, (long) firstOfRank[rank] + recorder.size());
      for (int i = 0; i < recorder.size(); i++) {
        if (recorder.createdNanos(i) != FlightRecorder.ABSENT) {
          first = Math.min(first, recorder.createdNanos(i));
        }
      }
    }
    epochNanos = first == Long.MAX_VALUE ? 0 : first;
    int size = firstOfRank[recorders.size()];
    rankOf = new int[size];
    kindOf = new int[size];
    created = new double[size];
    completed = new double[size];
    collectiveOf = new int[size];
    Arrays.fill(collectiveOf, -1);
  }

  static Timeline of(List<FlightRecorder> recorders) {
    Timeline timeline = new Timeline(recorders);
    timeline.match(timeline.fill());
    return timeline;
  }

  /** How many ranks left entries. */
  int ranks() {
    return recorders.size();
  }

  FlightRecorder recorder(int rank) {
    return recorders.get(rank);
  }

  int firstOf(int rank) {
    return firstOfRank[rank];
  }

  /** Behind the last entry of a rank. */
  int endOf(int rank) {
    return firstOfRank[rank + 1];
  }

  /** The number of entries. */
  int size() {
    return rankOf.length;
  }

  /** Index among the ranks that left entries. */
  int rankOf(int entry) {
    return rankOf[entry];
  }

  /** Entries of one kind are the same operation of the program, of equal size. */
  int kindOf(int entry) {
    return kindOf[entry];
  }

  int kinds() {
    return kinds.size();
  }

  boolean isReceive(int entry) {
    int rank = rankOf[entry];
    return recorders.get(rank).operation(entry - firstOfRank[rank]).isReceive();
  }

  /** Whether all that take part in it recorded it, so far as the dumps tell who does. */
  boolean isRecordedByAll(int entry) {
    if (isPointToPoint(entry)) {
      return true;
    }
    int collective = collectiveOf[entry];
    int there = collective < 0 ? 1 : membersFrom[collective + 1] - membersFrom[collective];
    int rank = rankOf[entry];
    int told = recorders.get(rank).group(entry - firstOfRank[rank]).ranks().size();
    return told > 0 ? there >= told : there > 1 || !isEverShared[kindOf[entry]];
  }

  private boolean isPointToPoint(int entry) {
    int rank = rankOf[entry];
    return Matching.isPointToPoint(recorders.get(rank), entry - firstOfRank[rank]);
  }

  double created(int entry) {
    return created[entry];
  }

  double completed(int entry) {
    return completed[entry];
  }

  /** -1 where nobody else recorded it, or it is no collective. */
  int collectiveOf(int entry) {
    return collectiveOf[entry];
  }

  /** Those of one group follow each other in their order. */
  int collectives() {
    return groupOfCollective.length;
  }

  int groupOfCollective(int collective) {
    return groupOfCollective[collective];
  }

  /** Where the entries of a collective begin, in ascending order of ranks, one each. */
  int membersFrom(int collective) {
    return membersFrom[collective];
  }

  int membersTo(int collective) {
    return membersFrom[collective + 1];
  }

  int member(int index) {
    return members[index];
  }

  Instant instant(double micros) {
    return Instant.ofEpochSecond(0, epochNanos + (long) (micros * NANOS_A_MICRO));
  }

  /** Reads the columns; returns the group of each entry of a collective, -1 of any other. */
  private int[] fill() {
    Map<List<String>, List<Integer>> ranksByName = ranksByName();
    int[] groupOf = new int[rankOf.length];
    for (int rank = 0; rank < recorders.size(); rank++) {
      FlightRecorder from = recorders.get(rank);
      int[] ofGroup =
          from.groups().stream().mapToInt(group -> groupNumber(group, ranksByName)).toArray();
      int operations = from.operations().size();
      int[] kindsHere = new int[ofGroup.length * operations];
      Arrays.fill(kindsHere, -1);
      for (int at = firstOfRank[rank]; at < firstOfRank[rank + 1]; at++) {
        int i = at - firstOfRank[rank];
        int kind = from.groupIndex(i) * operations + from.operationIndex(i);
        if (kindsHere[kind] < 0) {
          kindsHere[kind] = kindNumber(from, i);
        }
        rankOf[at] = rank;
        kindOf[at] = kindsHere[kind];
        created[at] = micros(from.createdNanos(i));
        completed[at] = micros(from.completedNanos(i));
        groupOf[at] = Matching.isPointToPoint(from, i) ? -1 : ofGroup[from.groupIndex(i)];
      }
    }
    return groupOf;
  }

  /** The members of each group of which all who know them agree. */
  private Map<List<String>, List<Integer>> ranksByName() {
    Map<List<String>, List<Integer>> known = new HashMap<>();
    for (FlightRecorder recorder : recorders) {
      for (ProcessGroup group : recorder.groups()) {
        if (!group.ranks().isEmpty()) {
          known.merge(
              List.of(group.name(), group.description()),
              group.ranks(),
              (one, other) -> one.equals(other) ? one : List.of());
        }
      }
    }
    return known;
  }

  private int groupNumber(ProcessGroup group, Map<List<String>, List<Integer>> ranksByName) {
    List<Integer> agreed =
        ranksByName.getOrDefault(List.of(group.name(), group.description()), List.of());
    GroupKey key =
        new GroupKey(
            group.name(), group.description(), agreed.isEmpty() ? group.ranks() : List.of());
    return groups.computeIfAbsent(key, fresh -> groups.size());
  }

  private int kindNumber(FlightRecorder from, int entry) {
    Operation operation = from.operation(entry);
    return kinds.computeIfAbsent(
        new Kind(from.group(entry).description(), operation.name(), operation.inputSizes()),
        fresh -> kinds.size());
  }

  private double micros(long nanos) {
    return nanos == FlightRecorder.ABSENT || nanos <= 0
        ? Double.NaN
        : (nanos - epochNanos) / NANOS_A_MICRO;
  }

  /** Brings together the entries of one group and number. */
  private void match(int[] groupOf) {
    long[] base = new long[groups.size()];
    Arrays.fill(base, Long.MAX_VALUE);
    for (int at = 0; at < groupOf.length; at++) {
      long sequence = sequence(at);
      if (groupOf[at] >= 0 && sequence >= 0) {
        base[groupOf[at]] = Math.min(base[groupOf[at]], sequence);
      }
    }
    long[] keys = new long[groupOf.length];
    int count = 0;
    for (int at = 0; at < groupOf.length; at++) {
      int group = groupOf[at];
      long sequence = sequence(at);
      if (group < 0 || group >= MOST_GROUPS || sequence < 0) {
        continue;
      }
      long relative = sequence - base[group];
      if (relative < MOST_SEQUENCES) {
        keys[count++] = ((((long) group) << SEQUENCE_BITS | relative) << ENTRY_BITS) | at;
      }
    }
    Arrays.parallelSort(keys, 0, count);
    gather(keys, count);
  }

  private long sequence(int at) {
    int rank = rankOf[at];
    return recorders.get(rank).collectiveSequence(at - firstOfRank[rank]);
  }

  private void gather(long[] keys, int count) {
    int[] from = new int[count + 1];
    int[] groupAt = new int[count];
    int[] all = new int[count];
    isEverShared = new boolean[kinds.size()];
    int collectives = 0;
    int used = 0;
    for (int begin = 0; begin < count; ) {
      int end = begin;
      int start = used;
      while (end < count && keys[end] >>> ENTRY_BITS == keys[begin] >>> ENTRY_BITS) {
        int entry = (int) (keys[end++] & ((1L << ENTRY_BITS) - 1));
        // Of a coalesced collective a rank has several entries: the first says when it came.
        if (used == start || rankOf[all[used - 1]] != rankOf[entry]) {
          all[used++] = entry;
        }
      }
      if (used - start > 1) {
        isEverShared[kindOf[all[start]]] = true;
        groupAt[collectives] = (int) (keys[begin] >>> (ENTRY_BITS + SEQUENCE_BITS));
        for (int i = start; i < used; i++) {
          collectiveOf[all[i]] = collectives;
        }
        from[++collectives] = used;
      } else {
        used = start;
      }
      begin = end;
    }
    membersFrom = Arrays.copyOf(from, collectives + 1);
    members = Arrays.copyOf(all, used);
    groupOfCollective = Arrays.copyOf(groupAt, collectives);
  }
}
