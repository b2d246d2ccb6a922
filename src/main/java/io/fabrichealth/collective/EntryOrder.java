package io.fabrichealth.collective;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Who of the ranks that block each other went the wrong way. A program goes from one kind of
 * operation to the next as it always did; the one that took a turn nobody had taken before is it.
 */
final class EntryOrder {
  private record Turn(String fromGroup, int from, String toGroup, int to) {}

  private final Matching matching;
  private final Signatures signatures;
  private final Map<Turn, Integer> turns = new HashMap<>();

  EntryOrder(Matching matching, Signatures signatures) {
    this.matching = matching;
    this.signatures = signatures;
    for (FlightRecorder recorder : matching.recorders()) {
      for (int entry = 1; entry < recorder.size(); entry++) {
        turns.merge(turn(recorder, entry), 1, Integer::sum);
      }
    }
  }

  /** Those whose last turn is the rarest; empty where all are alike. */
  NavigableSet<Integer> strayed(Collection<Integer> cycle) {
    NavigableSet<Integer> rarest = new TreeSet<>();
    int least = Integer.MAX_VALUE;
    for (int rank : cycle) {
      int count = taken(rank);
      if (count < least) {
        least = count;
        rarest.clear();
      }
      if (count == least) {
        rarest.add(rank);
      }
    }
    return rarest.size() == cycle.size() ? new TreeSet<>() : rarest;
  }

  private int taken(int rank) {
    FlightRecorder recorder = matching.recorder(rank);
    if (recorder == null || recorder.size() < 2) {
      return Integer.MAX_VALUE;
    }
    int entry = recorder.size() - 1;
    RecorderHabits habits = matching.habits(rank);
    while (entry > 1 && habits.isOpen(recorder, entry) && habits.isOpen(recorder, entry - 1)) {
      entry--;
    }
    return turns.getOrDefault(turn(recorder, entry), 0);
  }

  private Turn turn(FlightRecorder recorder, int entry) {
    return new Turn(
        kind(recorder, entry - 1),
        signatures.of(recorder, entry - 1),
        kind(recorder, entry),
        signatures.of(recorder, entry));
  }

  private static String kind(FlightRecorder recorder, int entry) {
    ProcessGroup group = recorder.group(entry);
    return group.description().isEmpty() ? group.name() : group.description();
  }
}
