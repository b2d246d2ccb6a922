package io.fabrichealth.collective;

import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which dumps are older than others' of the same job. Dumps of a running job are asked for one
 * after another: a rank whose dump lacks what others have finished together with it went on after
 * it dumped, and nobody waits for it.
 */
final class Snapshots {
  private static final int SAMPLES = 3;

  private final Matching matching;
  private final Signatures signatures;
  private final Set<MatchedGroup> mismatched;

  private Snapshots(Matching matching, Signatures signatures, Set<MatchedGroup> mismatched) {
    this.matching = matching;
    this.signatures = signatures;
    this.mismatched = mismatched;
  }

  /** The ranks whose dump is old, ascending. */
  static NavigableSet<Integer> old(
      Matching matching, Signatures signatures, Set<MatchedGroup> mismatched) {
    return new Snapshots(matching, signatures, mismatched).old();
  }

  private NavigableSet<Integer> old() {
    NavigableSet<Integer> old = new TreeSet<>();
    for (MatchedGroup group : matching.groups()) {
      if (!mismatched.contains(group)) {
        long finished = finished(group);
        for (int member = 0; member < group.size(); member++) {
          int rank = group.members()[member];
          if (matching.isWhole(rank)
              && !old.contains(rank)
              && (group.last(member) < finished || isPassed(group, member))) {
            old.add(rank);
          }
        }
      }
    }
    return old;
  }

  /** The highest number of which somebody says that it has ended, and well. */
  private long finished(MatchedGroup group) {
    long finished = MatchedGroup.NOTHING;
    for (int member = 0; member < group.size(); member++) {
      MatchedGroup.Track track = group.track(member);
      for (int at = track == null ? -1 : track.size() - 1; at >= 0; at--) {
        if (track != null && isFinished(track, at)) {
          finished = Math.max(finished, track.sequence(at));
          break;
        }
      }
    }
    return finished;
  }

  private boolean isFinished(MatchedGroup.Track track, int at) {
    FlightRecorder recorder = track.recorder();
    int entry = track.entry(at);
    if (!Signatures.needsEverybody(recorder.operation(entry))) {
      return false;
    }
    RecorderHabits habits = matching.habits(recorder.rank());
    // Next to a killed rank operations are retired because they failed.
    return recorder.state(entry) == EntryState.COMPLETED
        || (!matching.isAnyLost() && habits.isEnded(recorder, entry));
  }

  /**
   * Whether another member went on after an operation that this one lacks, although it never did so
   * before this one had come. Only for writers that tell no ends.
   */
  private boolean isPassed(MatchedGroup group, int member) {
    MatchedGroup.Track behind = group.track(member);
    if (behind == null || matching.habits(behind.recorder().rank()).tellsEnds()) {
      return false;
    }
    for (int other = 0; other < group.size(); other++) {
      MatchedGroup.Track ahead = group.track(other);
      if (ahead != null
          && ahead.last() > behind.last()
          && !matching.habits(ahead.recorder().rank()).tellsEnds()
          && isPassed(ahead, behind)) {
        return true;
      }
    }
    return false;
  }

  private boolean isPassed(MatchedGroup.Track ahead, MatchedGroup.Track behind) {
    int passed = 0;
    int at = ahead.find(behind.last() + 1);
    for (int next = Math.max(at, 0); at >= 0 && next < ahead.size(); next++) {
      int entry = ahead.entry(next);
      if (entry + 1 < ahead.recorder().size() && isAwaited(ahead, behind, entry)) {
        boolean leaves =
            ahead.recorder().groupIndex(entry) != ahead.recorder().groupIndex(entry + 1);
        passed += leaves ? SAMPLES : 1;
      }
    }
    return passed >= SAMPLES;
  }

  /**
   * Whether such an operation is waited for before the next such. The two hosts' clocks may differ:
   * were it not, then at times the one would be ahead and at times the other, and the least leads
   * of both would add up to less than nothing.
   */
  private boolean isAwaited(MatchedGroup.Track ahead, MatchedGroup.Track behind, int like) {
    long leastAhead = Long.MAX_VALUE;
    long leastBehind = Long.MAX_VALUE;
    int samples = 0;
    for (int at = 0; at < ahead.size(); at++) {
      int entry = ahead.entry(at);
      int same = behind.entryOf(ahead.sequence(at));
      if (same >= 0
          && same + 1 < behind.recorder().size()
          && isLike(ahead.recorder(), entry, like)) {
        samples++;
        leastAhead = Math.min(leastAhead, lead(ahead.recorder(), entry + 1, behind, same));
        leastBehind = Math.min(leastBehind, lead(behind.recorder(), same + 1, ahead, entry));
      }
    }
    return samples >= SAMPLES && leastAhead + leastBehind >= 0;
  }

  private static long lead(FlightRecorder recorder, int next, MatchedGroup.Track other, int entry) {
    return recorder.createdNanos(next) - other.recorder().createdNanos(entry);
  }

  private boolean isLike(FlightRecorder recorder, int entry, int like) {
    return entry + 1 < recorder.size()
        && isSame(recorder, entry, like)
        && isSame(recorder, entry + 1, like + 1);
  }

  private boolean isSame(FlightRecorder recorder, int entry, int other) {
    return recorder.groupIndex(entry) == recorder.groupIndex(other)
        && signatures.of(recorder, entry) == signatures.of(recorder, other);
  }
}
