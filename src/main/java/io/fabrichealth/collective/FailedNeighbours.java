package io.fabrichealth.collective;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Next to a process that has died operations fail, and the ranks look idle where failed operations
 * are retired like finished ones, or where sends and receives are not recorded.
 */
final class FailedNeighbours {
  private final Matching matching;

  FailedNeighbours(Matching matching) {
    this.matching = matching;
  }

  /**
   * If all idle ranks can be explained by a rank that left no dump, it is that rank.
   *
   * @param roots who is awaited and does not wait
   * @param explained to which the idle ranks are added
   * @return who of them holds the job up
   */
  NavigableSet<Integer> without(NavigableSet<Integer> roots, NavigableSet<Integer> explained) {
    NavigableSet<Integer> lost = new TreeSet<>();
    NavigableSet<Integer> idle = new TreeSet<>();
    for (int rank : matching.ranks()) {
      if (matching.recorder(rank) == null) {
        lost.add(rank);
      }
    }
    roots.stream().filter(rank -> matching.habits(rank).hidesPointToPoint()).forEach(idle::add);
    if (lost.isEmpty() || idle.isEmpty()) {
      return roots;
    }
    Map<Integer, NavigableSet<Integer>> reasons = new HashMap<>();
    NavigableSet<Integer> open = new TreeSet<>(idle);
    boolean isNew = true;
    while (isNew) {
      isNew = false;
      for (int rank : List.copyOf(open)) {
        NavigableSet<Integer> reason = reason(rank, lost, reasons);
        if (!reason.isEmpty()) {
          reasons.put(rank, reason);
          open.remove(rank);
          isNew = true;
        }
      }
    }
    if (!open.isEmpty()) {
      NavigableSet<Integer> left = new TreeSet<>(roots);
      left.removeAll(lost);
      return left;
    }
    NavigableSet<Integer> blamed = new TreeSet<>(roots);
    blamed.removeAll(idle);
    reasons.values().forEach(blamed::addAll);
    explained.addAll(idle);
    return blamed;
  }

  private NavigableSet<Integer> reason(
      int rank, NavigableSet<Integer> gone, Map<Integer, NavigableSet<Integer>> reasons) {
    NavigableSet<Integer> found = new TreeSet<>();
    FlightRecorder recorder = matching.recorder(rank);
    if (recorder == null || recorder.size() == 0) {
      return found;
    }
    MatchedGroup last = matching.group(recorder, recorder.size() - 1);
    NavigableSet<Integer> lost = new TreeSet<>(gone);
    lost.removeIf(other -> isAhead(other, rank));
    for (MatchedGroup group : matching.groups()) {
      if (group.holds(rank) && (group == last || hasHidden(group, rank))) {
        for (int other : group.members()) {
          if (lost.contains(other)) {
            found.add(other);
          } else if (group != last) {
            found.addAll(reasons.getOrDefault(other, new TreeSet<>()));
          }
        }
      }
    }
    return found;
  }

  /**
   * Whether one rank has done for certain what the other has yet to come to, by the kind of group
   * that is entered least often, for there the stages of a pipeline do not differ: then it was
   * alive when the other had stopped.
   */
  private boolean isAhead(int one, int other) {
    MatchedGroup rarest = null;
    for (MatchedGroup group : matching.groups()) {
      MatchedGroup.Track track = group.trackOf(other);
      if (track != null
          && track.size() > 0
          && group.size() < matching.ranks().size()
          && !hasHidden(group, other)
          && (rarest == null || track.last() < rarest.last(rarest.indexOf(other)))) {
        rarest = group;
      }
    }
    if (rarest == null) {
      return false;
    }
    String kind = rarest.description();
    long last = rarest.last(rarest.indexOf(other));
    return matching.groups().stream()
        .filter(group -> group.description().equals(kind) && group.holds(one))
        .anyMatch(group -> matching.proven(one, group) > last);
  }

  /** Whether a rank sends or receives in a group although its dump holds none of it. */
  private boolean hasHidden(MatchedGroup group, int rank) {
    MatchedGroup.Track track = group.trackOf(rank);
    if (track == null) {
      return false;
    }
    FlightRecorder recorder = track.recorder();
    for (int at = 1; at < track.size(); at++) {
      if (recorder.operationId(track.entry(at)) > recorder.operationId(track.entry(at - 1)) + 1) {
        return true;
      }
    }
    return false;
  }
}
