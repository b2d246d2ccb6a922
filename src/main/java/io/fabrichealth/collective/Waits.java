package io.fabrichealth.collective;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Draws the graph of who waits for whom from matched dumps. Where the writer tells what has ended a
 * rank waits in what is open; where it does not, in what others have not come to. A rank whose own
 * dump is lost may be what others wait for; that counts where they have an open operation with it,
 * or where others certainly wait.
 */
final class Waits {

  /**
   * An operation that all members have issued and that has not ended.
   *
   * @param holders the members in whose dump it is open, ascending
   */
  record InFlight(
      MatchedGroup group, long sequence, String operation, NavigableSet<Integer> holders) {}

  private record Place(MatchedGroup group, long sequence) {}

  private final Matching matching;
  private final NavigableSet<Integer> old;
  private final Set<MatchedGroup> mismatched;
  private final PointToPoint pointToPoint;
  private final WaitGraph.Builder graph = new WaitGraph.Builder();
  private final Map<Place, List<Integer>> missing = new HashMap<>();
  private final Map<Place, InFlight> inFlight = new HashMap<>();
  private final NavigableMap<Integer, String> stuck = new TreeMap<>();
  private long since = Long.MAX_VALUE;

  Waits(
      Matching matching,
      NavigableSet<Integer> old,
      Set<MatchedGroup> mismatched,
      PointToPoint pointToPoint) {
    this.matching = matching;
    this.old = old;
    this.mismatched = mismatched;
    this.pointToPoint = pointToPoint;
    for (FlightRecorder recorder : matching.recorders()) {
      if (matching.isWhole(recorder.rank()) && !old.contains(recorder.rank())) {
        read(recorder);
      }
    }
    if (!graph.awaited().isEmpty()) {
      for (FlightRecorder recorder : matching.recorders()) {
        if (!matching.habits(recorder.rank()).tellsEnds() && !old.contains(recorder.rank())) {
          readLast(recorder);
        }
      }
    }
  }

  /** To which presumed waits of ranks without a dump may be added. */
  WaitGraph.Builder graph() {
    return graph;
  }

  /** What all members have issued and at least one of them says has not ended. */
  List<InFlight> inFlight() {
    return List.copyOf(inFlight.values());
  }

  /** Ranks in whose dump is open what all others of the group have finished with them, and what. */
  NavigableMap<Integer, String> stuck() {
    return stuck;
  }

  /** When the first began to wait; {@link Long#MAX_VALUE} where that is not known. */
  long since() {
    return since;
  }

  /** The members that have not come to an operation, those included whose dump is lost. */
  List<Integer> missing(MatchedGroup group, long sequence) {
    return missing.computeIfAbsent(
        new Place(group, sequence),
        place -> {
          List<Integer> ranks = new ArrayList<>();
          for (int member = 0; member < group.size(); member++) {
            int rank = group.members()[member];
            if (group.last(member) < sequence && !old.contains(rank)) {
              ranks.add(rank);
            }
          }
          return List.copyOf(ranks);
        });
  }

  private void read(FlightRecorder recorder) {
    RecorderHabits habits = matching.habits(recorder.rank());
    if (!habits.tellsEnds()) {
      readByNumbers(recorder);
      return;
    }
    boolean isFirst = true;
    for (int entry = 0; entry < recorder.size(); entry++) {
      if (habits.isOpen(recorder, entry)) {
        MatchedGroup group = matching.group(recorder, entry);
        if (group != null) {
          if (isFirst && isStuck(recorder, entry, group)) {
            stuck.put(
                recorder.rank(),
                "%s %d of %s"
                    .formatted(
                        recorder.operation(entry).name(),
                        Matching.sequence(recorder, entry),
                        group.label()));
            return;
          }
          isFirst = false;
          readOpen(recorder, entry, group);
        }
      }
    }
  }

  private void readOpen(FlightRecorder recorder, int entry, MatchedGroup group) {
    if (Matching.isPointToPoint(recorder, entry)) {
      readPointToPoint(recorder, entry, group, true);
      return;
    }
    long sequence = Matching.sequence(recorder, entry);
    List<Integer> absent = missing(group, sequence);
    if (absent.isEmpty()) {
      inFlight
          .computeIfAbsent(
              new Place(group, sequence),
              place ->
                  new InFlight(group, sequence, recorder.operation(entry).name(), new TreeSet<>()))
          .holders()
          .add(recorder.rank());
    } else {
      await(recorder, entry, group, sequence, absent);
    }
  }

  private void await(
      FlightRecorder recorder, int entry, MatchedGroup group, long sequence, List<Integer> absent) {
    graph.add(
        recorder.rank(),
        new WaitGraph.Wait(group.label(), sequence, recorder.operation(entry).name(), absent));
    note(recorder, entry);
  }

  private void note(FlightRecorder recorder, int entry) {
    long created = recorder.createdNanos(entry);
    if (created != FlightRecorder.ABSENT) {
      since = Math.min(since, created);
    }
  }

  /** What others finished with this rank is open here: it is this rank that stands still. */
  private boolean isStuck(FlightRecorder recorder, int entry, MatchedGroup group) {
    if (Matching.isPointToPoint(recorder, entry)
        || mismatched.contains(group)
        || !Signatures.needsEverybody(recorder.operation(entry))) {
      return false;
    }
    long sequence = Matching.sequence(recorder, entry);
    for (int member = 0; member < group.size(); member++) {
      int rank = group.members()[member];
      if (rank != recorder.rank() && !hasEnded(group, member, sequence)) {
        return false;
      }
    }
    return group.size() > 1;
  }

  private boolean hasEnded(MatchedGroup group, int member, long sequence) {
    MatchedGroup.Track track = group.track(member);
    int rank = group.members()[member];
    if (track == null || !matching.isWhole(rank) || track.last() < sequence) {
      return false;
    }
    int entry = track.entryOf(sequence);
    if (entry < 0) {
      return matching.habits(rank).tellsEnds();
    }
    return track.recorder().state(entry) == EntryState.COMPLETED
        || (!matching.isAnyLost() && matching.habits(rank).isEnded(track.recorder(), entry));
  }

  private void readPointToPoint(
      FlightRecorder recorder, int entry, MatchedGroup group, boolean isOpen) {
    int peer = PointToPoint.peer(group, recorder.operation(entry));
    if (peer < 0 || old.contains(peer) || peer == recorder.rank()) {
      return;
    }
    PointToPoint.Counterpart other = pointToPoint.counterpart(group, recorder, entry, isOpen);
    boolean waits =
        other == PointToPoint.Counterpart.MISSING
            || (isOpen && other == PointToPoint.Counterpart.UNKNOWN && !matching.isWhole(peer));
    if (waits) {
      awaitPeer(recorder, entry, group, peer);
    }
  }

  private void awaitPeer(FlightRecorder recorder, int entry, MatchedGroup group, int peer) {
    graph.add(
        recorder.rank(),
        new WaitGraph.Wait(
            group.label(), FlightRecorder.ABSENT, recorder.operation(entry).name(), List.of(peer)));
    note(recorder, entry);
  }

  /** Of a writer that tells no ends: what a whole dump of another member lacks. */
  private void readByNumbers(FlightRecorder recorder) {
    for (MatchedGroup group : groupsOf(recorder)) {
      MatchedGroup.Track track = group.trackOf(recorder.rank());
      if (track == null) {
        continue;
      }
      NavigableSet<Long> levels = new TreeSet<>();
      for (int member = 0; member < group.size(); member++) {
        int rank = group.members()[member];
        long last = group.last(member);
        if (last < track.last() && matching.isWhole(rank) && !old.contains(rank)) {
          levels.add(last);
        }
      }
      for (long level : levels) {
        int at = track.find(level == MatchedGroup.NOTHING ? track.first() : level + 1);
        if (at >= 0) {
          List<Integer> absent = missing(group, track.sequence(at));
          await(recorder, track.entry(at), group, track.sequence(at), absent);
        }
      }
      int[] entries = track.pointToPoint();
      for (int at = entries.length - 1;
          at >= 0 && recorder.collectiveSequence(entries[at]) >= track.last();
          at--) {
        readPointToPoint(recorder, entries[at], group, false);
      }
    }
  }

  private List<MatchedGroup> groupsOf(FlightRecorder recorder) {
    return matching.groups().stream().filter(group -> group.holds(recorder.rank())).toList();
  }

  /** The last thing a rank issued, if somebody had a part in it whose dump is lost. */
  private void readLast(FlightRecorder recorder) {
    int entry = recorder.size() - 1;
    MatchedGroup group = entry < 0 ? null : matching.group(recorder, entry);
    if (group == null || !matching.isWhole(recorder.rank())) {
      return;
    }
    if (Matching.isPointToPoint(recorder, entry)) {
      int peer = PointToPoint.peer(group, recorder.operation(entry));
      if (peer >= 0 && matching.lost(peer) != null) {
        awaitPeer(recorder, entry, group, peer);
      }
      return;
    }
    long sequence = Matching.sequence(recorder, entry);
    List<Integer> absent = missing(group, sequence);
    if (!isOver(group, sequence) && absent.stream().anyMatch(rank -> matching.lost(rank) != null)) {
      await(recorder, entry, group, sequence, absent);
    }
  }

  /** Whether any member has got past an operation. */
  private boolean isOver(MatchedGroup group, long sequence) {
    for (int member = 0; member < group.size(); member++) {
      MatchedGroup.Track track = group.track(member);
      if (track != null && matching.passed(track) >= sequence) {
        return true;
      }
    }
    return false;
  }
}
