package io.fabrichealth.collective;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The recorders of a job laid beside each other: which entry of one rank is the same operation as
 * which entry of another. A group is known by its name and its ranks, an operation by its group and
 * its number in it; never by the place in the ring, nor by a rank's own number of the group.
 */
final class Matching {
  private final NavigableMap<Integer, FlightRecorder> recorders;
  private final NavigableSet<Integer> ranks;
  private final Map<Integer, String> unread;
  private final List<MatchedGroup> groups;

  /** By rank: the matched group of each of the recorder's groups, or -1. */
  private final Map<Integer, int[]> groupIds;

  private final Map<Integer, RecorderHabits> habits = new TreeMap<>();
  private final boolean isAnyLost;

  private Matching(
      NavigableMap<Integer, FlightRecorder> recorders,
      NavigableSet<Integer> ranks,
      Map<Integer, String> unread,
      GroupRoster roster) {
    this.recorders = recorders;
    this.ranks = ranks;
    this.unread = unread;
    groups = roster.groups();
    groupIds = roster.groupIds();
    isAnyLost = ranks.stream().anyMatch(rank -> lost(rank) != null);
    for (FlightRecorder recorder : recorders.values()) {
      habits.put(recorder.rank(), RecorderHabits.of(recorder));
      fill(recorder);
    }
  }

  static Matching of(Job job, Collection<FlightRecorder> dumps, Collection<UnknownRank> lost) {
    NavigableMap<Integer, FlightRecorder> byRank = RankRecorders.byRank(dumps);
    Map<Integer, String> unread = new TreeMap<>();
    lost.forEach(rank -> unread.put(rank.rank(), rank.reason()));
    NavigableSet<Integer> ranks = GroupRoster.ranks(job, byRank.values(), unread.keySet());
    return new Matching(byRank, ranks, unread, GroupRoster.of(job, byRank.values(), ranks));
  }

  /** The number of a collective in its group; old schemas count operations only. */
  static long sequence(FlightRecorder recorder, int entry) {
    long sequence = recorder.collectiveSequence(entry);
    return sequence == FlightRecorder.ABSENT ? recorder.operationId(entry) : sequence;
  }

  private void fill(FlightRecorder recorder) {
    int[] ids = groupIds.getOrDefault(recorder.rank(), new int[0]);
    int[] collectives = new int[ids.length];
    int[] others = new int[ids.length];
    boolean[] arePeers = new boolean[recorder.operations().size()];
    for (int at = 0; at < arePeers.length; at++) {
      arePeers[at] = recorder.operations().get(at).isPointToPoint();
    }
    boolean[] isPointToPoint = new boolean[recorder.size()];
    for (int entry = 0; entry < recorder.size(); entry++) {
      isPointToPoint[entry] =
          recorder.isPointToPoint(entry) || arePeers[recorder.operationIndex(entry)];
      (isPointToPoint[entry] ? others : collectives)[recorder.groupIndex(entry)]++;
    }
    int[][] collectiveEntries = new int[ids.length][];
    int[][] otherEntries = new int[ids.length][];
    for (int group = 0; group < ids.length; group++) {
      collectiveEntries[group] = new int[collectives[group]];
      otherEntries[group] = new int[others[group]];
    }
    Arrays.fill(collectives, 0);
    Arrays.fill(others, 0);
    for (int entry = 0; entry < recorder.size(); entry++) {
      int group = recorder.groupIndex(entry);
      if (isPointToPoint[entry]) {
        otherEntries[group][others[group]++] = entry;
      } else {
        collectiveEntries[group][collectives[group]++] = entry;
      }
    }
    for (int group = 0; group < ids.length; group++) {
      boolean used = collectives[group] + others[group] > 0;
      if (ids[group] >= 0 && used) {
        MatchedGroup matched = groups.get(ids[group]);
        int[] ordered = inOrder(recorder, collectiveEntries[group]);
        matched.put(
            matched.indexOf(recorder.rank()),
            new MatchedGroup.Track(recorder, ordered, otherEntries[group]));
      }
    }
  }

  /** Numbers ascend in a sound dump; in one that is not, they are put in order. */
  private static int[] inOrder(FlightRecorder recorder, int[] entries) {
    for (int at = 1; at < entries.length; at++) {
      if (sequence(recorder, entries[at]) < sequence(recorder, entries[at - 1])) {
        return Arrays.stream(entries)
            .boxed()
            .sorted((a, b) -> Long.compare(sequence(recorder, a), sequence(recorder, b)))
            .mapToInt(Integer::intValue)
            .toArray();
      }
    }
    return entries;
  }

  static boolean isPointToPoint(FlightRecorder recorder, int entry) {
    return recorder.isPointToPoint(entry) || recorder.operation(entry).isPointToPoint();
  }

  /** Every rank of the job that anything tells of, ascending. */
  NavigableSet<Integer> ranks() {
    return ranks;
  }

  /** One a rank, by rank. */
  Collection<FlightRecorder> recorders() {
    return recorders.values();
  }

  @Nullable FlightRecorder recorder(int rank) {
    return recorders.get(rank);
  }

  List<MatchedGroup> groups() {
    return groups;
  }

  /** The group of an entry; null where it cannot be told. */
  @Nullable MatchedGroup group(FlightRecorder recorder, int entry) {
    int[] ids = groupIds.get(recorder.rank());
    int id = ids == null ? -1 : ids[recorder.groupIndex(entry)];
    return id < 0 ? null : groups.get(id);
  }

  /** Why a rank's dump is not to be had, or not whole; null where it is. */
  @Nullable String lost(int rank) {
    String reason = unread.get(rank);
    if (reason != null) {
      return reason;
    }
    FlightRecorder recorder = recorders.get(rank);
    if (recorder == null) {
      return "no dump";
    }
    return recorder.isWhole() ? null : "the dump is cut off";
  }

  /** Whether a rank's dump is whole: only then a thing that it lacks was not done. */
  boolean isWhole(int rank) {
    return lost(rank) == null;
  }

  /** Whether some rank left no whole dump. */
  boolean isAnyLost() {
    return isAnyLost;
  }

  RecorderHabits habits(int rank) {
    return habits.getOrDefault(rank, RecorderHabits.NONE);
  }

  /**
   * The highest number that a rank has issued in a group for certain, whatever became of its dump.
   */
  long proven(int rank, MatchedGroup group) {
    int own = group.indexOf(rank);
    long proven = own < 0 ? MatchedGroup.NOTHING : group.last(own);
    for (int member = 0; member < group.size(); member++) {
      MatchedGroup.Track track = group.track(member);
      if (member != own && track != null) {
        proven = Math.max(proven, passed(track));
      }
    }
    return proven;
  }

  /**
   * The highest number that a member has got past, so that all others have issued it. Where nobody
   * tells what has ended, or what ended may have failed next to a process that died, a rank got
   * past what it left for another group.
   */
  long passed(MatchedGroup.Track track) {
    FlightRecorder recorder = track.recorder();
    RecorderHabits of = habits(recorder.rank());
    for (int at = track.size() - 1; at >= 0; at--) {
      int entry = track.entry(at);
      boolean hasLeft =
          entry + 1 < recorder.size()
              && recorder.groupIndex(entry + 1) != recorder.groupIndex(entry);
      boolean isDone =
          recorder.state(entry) == EntryState.COMPLETED
              || (of.tellsEnds()
                  ? of.isEnded(recorder, entry) && (hasLeft || !isAnyLost)
                  : hasLeft);
      if (isDone && Signatures.needsEverybody(recorder.operation(entry))) {
        return track.sequence(at);
      }
    }
    return MatchedGroup.NOTHING;
  }
}
