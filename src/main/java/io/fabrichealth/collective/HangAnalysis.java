package io.fabrichealth.collective;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Says of the recorders of a job who holds it up. In this order, for what comes first explains what
 * follows: members that call different things; ranks that all others wait for, directly or in turn;
 * rings of ranks that wait for each other; operations that all have issued and none has finished.
 */
final class HangAnalysis {
  private static final double SURE = .97;
  private static final double BY_NUMBERS = .93;
  private static final double NO_DUMP = .9;
  private static final double STALLED = .85;
  private static final double UNDECIDED = .5;
  private static final double ALIKE = .9;

  /** More culprits than these are one finding: a reader does not go through hundreds. */
  private static final int MOST_FINDINGS = 16;

  private final Matching matching;
  private final Signatures signatures = new Signatures();
  private final List<Mismatch> mismatches;
  private final Waits waits;
  private final WaitGraph graph;
  private final HangFindings findings;

  /** The lowest number that is in flight in a group: it is what its members wait in. */
  private final Map<MatchedGroup, Long> firstInFlight = new HashMap<>();

  private final NavigableSet<Integer> culprits = new TreeSet<>();
  private final NavigableSet<Integer> explained = new TreeSet<>();

  /** Ranks without a whole dump that may wait like all others. */
  private final NavigableSet<Integer> excused = new TreeSet<>();

  private HangAnalysis(Job job, Matching matching) {
    this.matching = matching;
    mismatches = Mismatches.in(matching, signatures);
    Set<MatchedGroup> mismatched = new HashSet<>();
    mismatches.forEach(mismatch -> mismatched.add(mismatch.group()));
    NavigableSet<Integer> old = Snapshots.old(matching, signatures, mismatched);
    PointToPoint pointToPoint = new PointToPoint(matching);
    waits = new Waits(matching, old, mismatched, pointToPoint);
    for (Waits.InFlight stalled : waits.inFlight()) {
      firstInFlight.merge(stalled.group(), stalled.sequence(), Math::min);
    }
    Whereabouts whereabouts = new Whereabouts(matching, pointToPoint);
    for (int rank : waits.graph().awaited()) {
      if (matching.lost(rank) != null) {
        Whereabouts.Presumption presumed = whereabouts.of(rank);
        if (presumed.held() != null) {
          waits.graph().add(rank, presumed.held());
        }
        if (presumed.verdict() != Whereabouts.Verdict.MISSING) {
          excused.add(rank);
        }
      }
    }
    graph = waits.graph().build();
    findings = new HangFindings(job, matching, graph, waits.stuck());
  }

  static HangAnalysis of(
      Job job, Collection<FlightRecorder> recorders, Collection<UnknownRank> unread) {
    HangAnalysis analysis = new HangAnalysis(job, Matching.of(job, recorders, unread));
    analysis.run();
    return analysis;
  }

  List<CollectiveFinding> findings() {
    return findings.all();
  }

  /** Ranks that only wait. */
  List<Integer> victims() {
    NavigableSet<Integer> victims = new TreeSet<>(graph.waiting());
    victims.addAll(explained);
    waits.inFlight().forEach(stalled -> victims.addAll(stalled.holders()));
    victims.removeAll(culprits);
    return findings.all().isEmpty() ? List.of() : List.copyOf(victims);
  }

  List<UnknownRank> unknown() {
    List<UnknownRank> unknown = new ArrayList<>();
    for (int rank : matching.ranks()) {
      String reason = matching.lost(rank);
      if (reason != null) {
        unknown.add(new UnknownRank(rank, reason));
      }
    }
    return unknown;
  }

  private void run() {
    for (Mismatch mismatch : mismatches) {
      culprits.addAll(mismatch.culprits());
      findings.mismatch(mismatch, mismatch.isDecided() ? SURE : UNDECIDED);
    }
    NavigableSet<Integer> roots = graph.roots();
    roots.addAll(waits.stuck().keySet());
    roots.removeIf(this::isExplained);
    roots = withoutInFlight(roots);
    roots = new FailedNeighbours(matching).without(roots, explained);
    if (!excused.containsAll(roots)) {
      // Somebody whose dump is there is enough to hold up one of whom nothing is known.
      roots.removeAll(excused);
    }
    blame(roots);
    for (NavigableSet<Integer> cycle : graph.cycles()) {
      if (cycle.stream().noneMatch(this::isExplained)) {
        deadlock(cycle);
      }
    }
    if (findings.all().isEmpty()) {
      stalledByThemselves();
    }
  }

  /** A rank that stands in, or right behind, an operation in which its group disagrees. */
  private boolean isExplained(int rank) {
    for (Mismatch mismatch : mismatches) {
      if (mismatch.group().holds(rank) && isAt(rank, mismatch)) {
        explained.add(rank);
        return true;
      }
    }
    return false;
  }

  private boolean isAt(int rank, Mismatch mismatch) {
    FlightRecorder recorder = matching.recorder(rank);
    MatchedGroup.Track track = mismatch.group().trackOf(rank);
    if (recorder == null || track == null) {
      return recorder == null;
    }
    int entry = track.entryOf(mismatch.sequence());
    if (entry < 0) {
      return false;
    }
    if (matching.habits(rank).isOpen(recorder, entry)) {
      return true;
    }
    for (int next = entry + 1; next < recorder.size(); next++) {
      if (recorder.groupIndex(next) != recorder.groupIndex(entry)) {
        return false;
      }
    }
    return true;
  }

  /** Roots that stand together in what all have issued are nobody's fault: it does not move. */
  private NavigableSet<Integer> withoutInFlight(NavigableSet<Integer> roots) {
    NavigableSet<Integer> left = new TreeSet<>(roots);
    for (Waits.InFlight stalled : inFlight(roots)) {
      if (isFirst(stalled) && stalled.holders().stream().noneMatch(graph.waiting()::contains)) {
        NavigableSet<Integer> held = new TreeSet<>(stalled.holders());
        for (int rank : stalled.group().members()) {
          if (endsBehind(rank, stalled)) {
            held.add(rank);
          }
        }
        held.removeAll(waits.stuck().keySet());
        held.retainAll(roots);
        if (!held.isEmpty() && left.removeAll(held)) {
          explained.addAll(stalled.holders());
          findings.stalled(stalled, STALLED);
        }
      }
    }
    return left;
  }

  /** A member that was frozen finds its operations failed when it wakes, and they look ended. */
  private boolean endsBehind(int rank, Waits.InFlight stalled) {
    FlightRecorder recorder = matching.recorder(rank);
    int last = recorder == null ? -1 : recorder.size() - 1;
    return recorder != null
        && last >= 0
        && matching.group(recorder, last) == stalled.group()
        && !Matching.isPointToPoint(recorder, last)
        && Matching.sequence(recorder, last) >= stalled.sequence();
  }

  private List<Waits.InFlight> inFlight(NavigableSet<Integer> roots) {
    List<Waits.InFlight> all = new ArrayList<>(waits.inFlight());
    all.addAll(lastTogether(roots));
    return all;
  }

  private boolean isFirst(Waits.InFlight stalled) {
    return firstInFlight.getOrDefault(stalled.group(), Long.MAX_VALUE) >= stalled.sequence();
  }

  /** Where nobody tells what has ended: roots that are all the members of a group, at one place. */
  private List<Waits.InFlight> lastTogether(NavigableSet<Integer> roots) {
    List<Waits.InFlight> found = new ArrayList<>();
    for (MatchedGroup group : matching.groups()) {
      NavigableSet<Integer> members = new TreeSet<>();
      for (int rank : group.members()) {
        members.add(rank);
      }
      if (group.size() > 1 && roots.containsAll(members)) {
        long sequence = group.last(0);
        boolean isTogether = members.stream().allMatch(rank -> endsIn(rank, group, sequence));
        if (isTogether) {
          FlightRecorder any = matching.recorder(members.first());
          String operation = any == null ? "" : any.operation(any.size() - 1).name();
          found.add(new Waits.InFlight(group, sequence, operation, members));
        }
      }
    }
    return found;
  }

  private boolean endsIn(int rank, MatchedGroup group, long sequence) {
    FlightRecorder recorder = matching.recorder(rank);
    if (recorder == null || recorder.size() == 0 || matching.habits(rank).tellsEnds()) {
      return false;
    }
    int last = recorder.size() - 1;
    return matching.group(recorder, last) == group
        && !Matching.isPointToPoint(recorder, last)
        && Matching.sequence(recorder, last) == sequence;
  }

  private void blame(NavigableSet<Integer> roots) {
    if (roots.isEmpty()) {
      return;
    }
    culprits.addAll(roots);
    Instant since = since();
    if (roots.size() > MOST_FINDINGS) {
      findings.hung(List.copyOf(roots), UNDECIDED, false, since);
      return;
    }
    boolean areAlike =
        roots.size() > 1
            && roots.stream().allMatch(rank -> matching.habits(rank).hidesPointToPoint());
    for (int rank : roots) {
      double probability = areAlike ? Math.max(ALIKE / roots.size(), .05) : probability(rank);
      findings.hung(List.of(rank), probability, areAlike, since);
    }
  }

  private double probability(int rank) {
    if (matching.recorder(rank) == null) {
      return NO_DUMP;
    }
    return matching.habits(rank).tellsEnds() ? SURE : BY_NUMBERS;
  }

  private @Nullable Instant since() {
    long since = waits.since();
    return since == Long.MAX_VALUE ? null : Instant.ofEpochSecond(0, since);
  }

  private void deadlock(NavigableSet<Integer> cycle) {
    NavigableSet<Integer> strayed = new EntryOrder(matching, signatures).strayed(cycle);
    boolean isDecided = !strayed.isEmpty();
    NavigableSet<Integer> blamed = isDecided ? strayed : cycle;
    culprits.addAll(blamed);
    findings.deadlock(cycle, blamed, isDecided ? BY_NUMBERS : UNDECIDED, since());
  }

  /** All have issued all, and nothing moves. */
  private void stalledByThemselves() {
    for (Waits.InFlight stalled : waits.inFlight()) {
      if (isFirst(stalled)
          && stalled.holders().size() == stalled.group().size()
          && stalled.group().size() > 1
          && stalled.holders().stream().noneMatch(graph.waiting()::contains)
          && stalled.holders().stream().allMatch(rank -> isFirstOpen(rank, stalled))) {
        explained.addAll(stalled.holders());
        findings.stalled(stalled, STALLED);
      }
    }
  }

  private boolean isFirstOpen(int rank, Waits.InFlight stalled) {
    FlightRecorder recorder = matching.recorder(rank);
    for (int entry = 0; recorder != null && entry < recorder.size(); entry++) {
      if (matching.habits(rank).isOpen(recorder, entry)) {
        return matching.group(recorder, entry) == stalled.group();
      }
    }
    return false;
  }
}
