package io.fabrichealth.collective;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives beside those of the other side. Their numbers count all of a rank's own and
 * mean nothing to another rank; what both sides share is the collective of the group that came
 * before, so they are counted from there, each direction between two ranks by itself.
 */
final class PointToPoint {
  private record Count(int rank, int group, long since, boolean isSend, int peer) {}

  private final Matching matching;
  private final Map<Count, Integer> counts = new HashMap<>();

  PointToPoint(Matching matching) {
    this.matching = matching;
  }

  /** The rank at the other side; -1 where the members are not known. */
  static int peer(MatchedGroup group, Operation operation) {
    int at = operation.isSend() ? operation.destination() : operation.source();
    return at < 0 || at >= group.size() ? -1 : group.members()[at];
  }

  /** What of the other side is there for a send or receive. */
  enum Counterpart {
    ISSUED,
    MISSING,
    /** The ring has lost too much, or the other side's dump is not whole. */
    UNKNOWN
  }

  /**
   * Whether the other side has issued what a send or receive meets.
   *
   * @param isOpen whether the entry itself has not ended, so far as known
   */
  Counterpart counterpart(MatchedGroup group, FlightRecorder recorder, int entry, boolean isOpen) {
    Operation operation = recorder.operation(entry);
    int peer = peer(group, operation);
    MatchedGroup.Track own = group.trackOf(recorder.rank());
    if (peer < 0 || own == null || !matching.isWhole(peer)) {
      return Counterpart.UNKNOWN;
    }
    MatchedGroup.Track other = group.trackOf(peer);
    if (other == null) {
      return Counterpart.MISSING;
    }
    long since = recorder.collectiveSequence(entry);
    if (isCountable(own, since) && isCountable(other, since)) {
      int ordinal = ordinal(own, entry);
      return count(group, other, since, !operation.isSend(), recorder.rank()) >= ordinal
          ? Counterpart.ISSUED
          : Counterpart.MISSING;
    }
    if (!isOpen) {
      return Counterpart.UNKNOWN;
    }
    return hasOpen(group, other, !operation.isSend(), recorder.rank())
        ? Counterpart.ISSUED
        : Counterpart.MISSING;
  }

  /** How many a rank has issued to or from a peer since a collective of the group. */
  int count(MatchedGroup group, MatchedGroup.Track track, long since, boolean isSend, int peer) {
    Count key = new Count(track.recorder().rank(), group.id(), since, isSend, peer);
    Integer counted = counts.get(key);
    if (counted == null) {
      counted = 0;
      FlightRecorder recorder = track.recorder();
      int[] entries = track.pointToPoint();
      for (int at = entries.length - 1; at >= 0; at--) {
        long of = recorder.collectiveSequence(entries[at]);
        if (of < since) {
          break;
        }
        Operation operation = recorder.operation(entries[at]);
        if (of == since && operation.isSend() == isSend && peer(group, operation) == peer) {
          counted++;
        }
      }
      counts.put(key, counted);
    }
    return counted;
  }

  /** The how manieth of its direction and peer an entry is since the collective before it. */
  static int ordinal(MatchedGroup.Track track, int entry) {
    FlightRecorder recorder = track.recorder();
    Operation like = recorder.operation(entry);
    long since = recorder.collectiveSequence(entry);
    int ordinal = 0;
    int[] entries = track.pointToPoint();
    int at = Arrays.binarySearch(entries, entry);
    for (; at >= 0 && recorder.collectiveSequence(entries[at]) == since; at--) {
      Operation operation = recorder.operation(entries[at]);
      if (operation.source() == like.source()
          && operation.destination() == like.destination()
          && operation.isSend() == like.isSend()) {
        ordinal++;
      }
    }
    return ordinal;
  }

  /** Whether the ring holds all since a collective. */
  private static boolean isCountable(MatchedGroup.Track track, long since) {
    FlightRecorder recorder = track.recorder();
    if (since == FlightRecorder.ABSENT || !isUnbroken(recorder)) {
      return false;
    }
    int[] entries = track.pointToPoint();
    return recorder.recordId(0) == 0
        || (track.size() > 0 && track.first() <= since)
        || (entries.length > 0 && recorder.collectiveSequence(entries[0]) < since);
  }

  /** Some writers leave out what has ended. */
  private static boolean isUnbroken(FlightRecorder recorder) {
    int last = recorder.size() - 1;
    return recorder.recordId(last) - recorder.recordId(0) == last;
  }

  private boolean hasOpen(
      MatchedGroup group, MatchedGroup.@Nullable Track track, boolean isSend, int peer) {
    if (track == null) {
      return false;
    }
    FlightRecorder recorder = track.recorder();
    RecorderHabits habits = matching.habits(recorder.rank());
    for (int entry : track.pointToPoint()) {
      Operation operation = recorder.operation(entry);
      if (operation.isSend() == isSend
          && peer(group, operation) == peer
          && habits.isOpen(recorder, entry)) {
        return true;
      }
    }
    return false;
  }
}
