package io.fabrichealth.collective;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the recorders of a job know of one kind of its collectives: an operation in a group.
 *
 * @param members of the group, global ranks; empty where not recorded
 * @param ranks that recorded it
 * @param entries of all of them together
 * @param firstSequence of the oldest that is recorded
 * @param lastSequence that the rank furthest on enqueued
 * @param leastSequence that the rank furthest back enqueued
 * @param unfinishedRanks that enqueued one which had not completed
 * @param meanSeconds of those whose duration is recorded; null where none is
 */
public record KnownCollective(
    String group,
    String description,
    List<Integer> members,
    String operation,
    String backend,
    int ranks,
    long entries,
    long firstSequence,
    long lastSequence,
    long leastSequence,
    List<Integer> unfinishedRanks,
    @Nullable Double meanSeconds) {

  public KnownCollective {
    members = List.copyOf(members);
    unfinishedRanks = List.copyOf(unfinishedRanks);
  }

  private record Kind(ProcessGroup group, String operation, String backend) {}

  /** Gathers what is said of one kind. */
  private static final class Tally {
    private final Map<Integer, Long> lastByRank = new TreeMap<>();
    private final TreeSet<Integer> unfinished = new TreeSet<>();
    private long entries;
    private long first = Long.MAX_VALUE;
    private double nanos;
    private long timed;

    void add(FlightRecorder recorder, int entry) {
      long sequence =
          recorder.isPointToPoint(entry)
              ? recorder.pointToPointSequence(entry)
              : recorder.collectiveSequence(entry);
      entries++;
      first = Math.min(first, sequence);
      lastByRank.merge(recorder.rank(), sequence, Math::max);
      EntryState state = recorder.state(entry);
      if (!recorder.isRetired(entry)
          && (state == EntryState.SCHEDULED || state == EntryState.STARTED)) {
        unfinished.add(recorder.rank());
      }
      long duration = recorder.durationNanos(entry);
      if (duration > 0) {
        nanos += duration;
        timed++;
      }
    }

    KnownCollective of(Kind kind) {
      return new KnownCollective(
          kind.group().name(),
          kind.group().description(),
          kind.group().ranks(),
          kind.operation(),
          kind.backend(),
          lastByRank.size(),
          entries,
          first,
          lastByRank.values().stream().mapToLong(Long::longValue).max().orElse(first),
          lastByRank.values().stream().mapToLong(Long::longValue).min().orElse(first),
          new ArrayList<>(unfinished),
          timed == 0 ? null : nanos / timed / 1e9);
    }
  }

  /**
   * All kinds that were recorded, by group and operation.
   *
   * @param most of them
   */
  public static List<KnownCollective> of(List<FlightRecorder> recorders, int most) {
    Map<Kind, Tally> kinds = new LinkedHashMap<>();
    for (FlightRecorder recorder : recorders) {
      // Groups and operations of a recorder are few, its entries many.
      Map<Long, Tally> known = new LinkedHashMap<>();
      for (int entry = 0; entry < recorder.size(); entry++) {
        long key = (long) recorder.groupIndex(entry) << 32 | recorder.operationIndex(entry);
        Tally tally = known.get(key);
        if (tally == null) {
          Operation operation = recorder.operation(entry);
          Kind kind = new Kind(recorder.group(entry), operation.name(), operation.backend());
          tally = kinds.computeIfAbsent(kind, fresh -> new Tally());
          known.put(key, tally);
        }
        tally.add(recorder, entry);
      }
    }
    return kinds.entrySet().stream()
        .map(kind -> kind.getValue().of(kind.getKey()))
        .sorted(
            Comparator.comparing(KnownCollective::group)
                .thenComparing(KnownCollective::description)
                .thenComparing(KnownCollective::operation)
                .thenComparing(KnownCollective::backend)
                .thenComparing(one -> one.members().toString()))
        .limit(most)
        .toList();
  }
}
