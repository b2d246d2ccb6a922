package io.fabrichealth.collective;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a rank without a whole dump is likely to be: ranks of the same stage run the same program,
 * so what a companion did after the last thing that both did for certain is what the rank had to do
 * next. If others are there already, it did not come; if they are not, it waits for them as well.
 */
final class Whereabouts {
  private static final int STEPS = 64;

  private final Matching matching;
  private final PointToPoint pointToPoint;

  Whereabouts(Matching matching, PointToPoint pointToPoint) {
    this.matching = matching;
    this.pointToPoint = pointToPoint;
  }

  /** What came of the reckoning. */
  enum Verdict {
    /** It waits for others, as everybody does. */
    WAITS,
    /** Whatever it needed is there, and it did not come. */
    MISSING,
    UNTOLD
  }

  /**
   * @param held what the rank waits in; null where it does not, or nobody can tell
   */
  record Presumption(Verdict verdict, WaitGraph.@Nullable Wait held) {
    private static Presumption of(WaitGraph.@Nullable Wait wait) {
      return new Presumption(wait == null ? Verdict.MISSING : Verdict.WAITS, wait);
    }
  }

  private static final Presumption UNTOLD = new Presumption(Verdict.UNTOLD, null);

  Presumption of(int rank) {
    Presumption found = UNTOLD;
    int furthest = -1;
    for (MatchedGroup group : matching.groups()) {
      if (group.holds(rank) && group.size() < matching.ranks().size()) {
        for (int companion : group.members()) {
          FlightRecorder recorder = matching.recorder(companion);
          if (recorder != null
              && matching.isWhole(companion)
              && recorder.size() > furthest
              && isCompanion(group, companion)) {
            furthest = recorder.size();
            found = follow(rank, recorder);
          }
        }
      }
    }
    return found;
  }

  /** Stages of a pipeline do not run the same program. */
  private static boolean isCompanion(MatchedGroup group, int companion) {
    MatchedGroup.Track track = group.trackOf(companion);
    return track != null && track.pointToPoint().length == 0;
  }

  private Presumption follow(int rank, FlightRecorder companion) {
    int entry = lastProven(rank, companion) + 1;
    for (int step = 0; entry > 0 && entry < companion.size() && step < STEPS; step++, entry++) {
      MatchedGroup own = counterpart(rank, companion, entry);
      if (own == null) {
        return UNTOLD;
      }
      if (!Matching.isPointToPoint(companion, entry)) {
        return Presumption.of(waitIn(rank, own, companion, entry));
      }
      int peer = peer(own, rank, companion, entry);
      if (peer < 0 || !matching.isWhole(peer)) {
        return UNTOLD;
      }
      if (!hasIssued(own, peer, rank, companion, entry)) {
        return Presumption.of(
            new WaitGraph.Wait(
                own.label(),
                FlightRecorder.ABSENT,
                companion.operation(entry).name(),
                List.of(peer)));
      }
      if (isLeftOpen(own, peer, rank)) {
        return Presumption.of(null);
      }
    }
    return UNTOLD;
  }

  private WaitGraph.@Nullable Wait waitIn(
      int rank, MatchedGroup own, FlightRecorder companion, int entry) {
    long sequence = Matching.sequence(companion, entry);
    List<Integer> absent = new ArrayList<>();
    for (int member = 0; member < own.size(); member++) {
      int other = own.members()[member];
      if (other != rank && matching.isWhole(other) && own.last(member) < sequence) {
        absent.add(other);
      }
    }
    return absent.isEmpty()
        ? null
        : new WaitGraph.Wait(own.label(), sequence, companion.operation(entry).name(), absent);
  }

  /** The companion's last entry that the rank has done its own part of for certain. */
  private int lastProven(int rank, FlightRecorder companion) {
    for (int entry = companion.size() - 1; entry >= 0; entry--) {
      MatchedGroup own = counterpart(rank, companion, entry);
      if (own != null
          && !Matching.isPointToPoint(companion, entry)
          && matching.proven(rank, own) >= Matching.sequence(companion, entry)) {
        return entry;
      }
    }
    return -2;
  }

  /** The rank's own group of the kind that a companion's entry is of. */
  private @Nullable MatchedGroup counterpart(int rank, FlightRecorder companion, int entry) {
    MatchedGroup group = matching.group(companion, entry);
    if (group == null || group.holds(rank)) {
      return group;
    }
    MatchedGroup found = null;
    for (MatchedGroup other : matching.groups()) {
      if (other.holds(rank)
          && other.size() == group.size()
          && other.description().equals(group.description())) {
        if (found != null) {
          return null;
        }
        found = other;
      }
    }
    return found;
  }

  /** Who stands to the rank as the companion's peer stands to the companion. */
  private int peer(MatchedGroup own, int rank, FlightRecorder companion, int entry) {
    Operation operation = companion.operation(entry);
    int at = operation.isSend() ? operation.source() : operation.destination();
    return own.indexOf(rank) == at ? PointToPoint.peer(own, operation) : -1;
  }

  private boolean hasIssued(
      MatchedGroup own, int peer, int rank, FlightRecorder companion, int entry) {
    MatchedGroup.Track of = own.trackOf(peer);
    MatchedGroup group = matching.group(companion, entry);
    MatchedGroup.Track like = group == null ? null : group.trackOf(companion.rank());
    if (of == null || like == null) {
      return false;
    }
    boolean isSend = !companion.operation(entry).isSend();
    long since = companion.collectiveSequence(entry);
    return pointToPoint.count(own, of, since, isSend, rank) >= PointToPoint.ordinal(like, entry);
  }

  /** Whether the peer waits for the rank in the last that it issued to it. */
  private boolean isLeftOpen(MatchedGroup own, int peer, int rank) {
    MatchedGroup.Track of = own.trackOf(peer);
    if (of == null) {
      return false;
    }
    FlightRecorder recorder = of.recorder();
    int[] entries = of.pointToPoint();
    for (int at = entries.length - 1; at >= 0; at--) {
      if (PointToPoint.peer(own, recorder.operation(entries[at])) == rank) {
        return matching.habits(peer).tellsEnds()
            ? matching.habits(peer).isOpen(recorder, entries[at])
            : entries[at] == recorder.size() - 1;
      }
    }
    return false;
  }
}
