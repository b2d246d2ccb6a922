package io.fabrichealth.collective;

import io.fabrichealth.finding.Cause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/** Writes what the recorders show as findings: a sentence, and the entries that it rests on. */
final class HangFindings {
  private static final int MOST_WAITS = 6;

  private final Matching matching;
  private final WaitGraph graph;
  private final Map<Integer, String> stuck;
  private final LogFindings findings;

  /**
   * @param stuck what stands in a rank although all others have finished it with the rank
   */
  HangFindings(Job job, Matching matching, WaitGraph graph, Map<Integer, String> stuck) {
    this.matching = matching;
    this.stuck = stuck;
    this.graph = graph;
    findings = new LogFindings(job.name(), job.hosts());
  }

  List<CollectiveFinding> all() {
    return findings.all();
  }

  /**
   * @param areAlike whether these are several that look the same and one of them is it
   */
  void hung(List<Integer> ranks, double probability, boolean areAlike, @Nullable Instant since) {
    List<LogFindings.Line> lines = new ArrayList<>();
    int held = 0;
    for (int rank : ranks) {
      lines.add(whereabouts(rank));
      held = Math.max(held, graph.heldUpBy(rank).size());
      firsts(graph.waitsFor(rank)).stream().limit(MOST_WAITS).map(this::line).forEach(lines::add);
    }
    String doubt =
        areAlike ? "; sends and receives are not recorded, so other idle ranks look the same" : "";
    String verb = ranks.size() == 1 ? "holds" : "hold";
    findings.add(
        Cause.HUNG_RANK,
        ranks,
        probability,
        since,
        "%s %s the job up: %s%s."
            .formatted(LogFindings.name(ranks), verb, reason(ranks, held), doubt),
        lines);
  }

  /**
   * @param held how many wait for the one that most wait for
   */
  private String reason(List<Integer> ranks, int held) {
    boolean isOne = ranks.size() == 1;
    if (held > 0) {
      return "%s for %s, directly or in turn"
          .formatted(
              held == 1 ? "1 rank waits" : held + " ranks wait", isOne ? "it" : "one of them");
    }
    String open = isOne ? stuck.get(ranks.getFirst()) : null;
    return open == null
        ? "nothing else explains why other ranks look idle"
        : "it stands in " + open + ", which all others have finished";
  }

  /** Of several numbers of one group the first: the others follow from it. */
  private static Collection<WaitGraph.Wait> firsts(List<WaitGraph.Wait> waits) {
    Map<String, WaitGraph.Wait> firsts = new LinkedHashMap<>();
    for (WaitGraph.Wait wait : waits) {
      firsts.merge(
          wait.group(), wait, (one, other) -> other.sequence() < one.sequence() ? other : one);
    }
    return firsts.values();
  }

  private LogFindings.Line line(WaitGraph.Wait wait) {
    List<Integer> waiters = graph.waitersIn(wait);
    return new LogFindings.Line(
        "collective_seq_id",
        "%s is waited for by %s".formatted(wait.label(), LogFindings.name(waiters)),
        "all members issue it; %s did not".formatted(LogFindings.name(wait.awaited())),
        source(waiters.getFirst()));
  }

  private LogFindings.Line whereabouts(int rank) {
    FlightRecorder recorder = matching.recorder(rank);
    if (recorder == null) {
      String reason = matching.lost(rank);
      return new LogFindings.Line(
          "dump", reason == null ? "no dump" : reason, "every rank leaves a dump", "");
    }
    if (recorder.size() == 0) {
      return new LogFindings.Line(
          "dump",
          "no entries while others have open operations with this rank",
          "the operations that others wait in",
          recorder.source());
    }
    String open = stuck.get(rank);
    if (open != null) {
      return new LogFindings.Line(
          "last_completed",
          open + " has not ended on this rank",
          "all other members have finished it together with this rank",
          recorder.source());
    }
    int last = recorder.size() - 1;
    MatchedGroup group = matching.group(recorder, last);
    return new LogFindings.Line(
        "last_enqueued",
        "last issued %s %d of %s"
            .formatted(
                recorder.operation(last).name(),
                Matching.sequence(recorder, last),
                group == null ? recorder.group(last).name() : group.label()),
        "what the others wait in",
        recorder.source());
  }

  private String source(int rank) {
    FlightRecorder recorder = matching.recorder(rank);
    return recorder == null ? "" : recorder.source();
  }

  void deadlock(
      NavigableSet<Integer> cycle,
      NavigableSet<Integer> blamed,
      double probability,
      @Nullable Instant since) {
    List<LogFindings.Line> lines = new ArrayList<>();
    for (int rank : cycle) {
      for (WaitGraph.Wait wait : graph.waitsOf(rank)) {
        lines.add(
            new LogFindings.Line(
                "collective_seq_id",
                "rank %d stands in %s".formatted(rank, wait.label()),
                "%s to come to it".formatted(LogFindings.name(wait.awaited())),
                source(rank)));
      }
    }
    findings.add(
        Cause.COLLECTIVE_DEADLOCK,
        List.copyOf(blamed),
        probability,
        since,
        "%s wait for each other; %s entered the groups in another order than the rest"
            .formatted(LogFindings.name(cycle), LogFindings.name(blamed)),
        lines);
  }

  void stalled(Waits.InFlight stalled, double probability) {
    Collection<Integer> holders = stalled.holders();
    String what =
        "%s %d of %s".formatted(stalled.operation(), stalled.sequence(), stalled.group().label());
    findings.add(
        Cause.COLLECTIVE_STALLED,
        List.of(),
        probability,
        since(stalled),
        "%s was issued by all its members and does not complete: the network or a frozen process"
            .formatted(what),
        List.of(
            new LogFindings.Line(
                "state",
                "%s have %s open".formatted(LogFindings.name(holders), what),
                "it completes, since nobody is missing",
                source(stalled.holders().first()))));
  }

  private @Nullable Instant since(Waits.InFlight stalled) {
    MatchedGroup.Track track = stalled.group().trackOf(stalled.holders().first());
    int entry = track == null ? -1 : track.entryOf(stalled.sequence());
    return track == null || entry < 0 ? null : created(track.recorder(), entry);
  }

  private static @Nullable Instant created(FlightRecorder recorder, int entry) {
    long created = recorder.createdNanos(entry);
    return created == FlightRecorder.ABSENT ? null : Instant.ofEpochSecond(0, created);
  }

  void mismatch(Mismatch mismatch, double probability) {
    MatchedGroup group = mismatch.group();
    int first = mismatch.culprits().first();
    MatchedGroup.Track track = group.trackOf(first);
    int entry = track == null ? -1 : track.entryOf(mismatch.sequence());
    Instant since = track == null || entry < 0 ? null : created(track.recorder(), entry);
    String again =
        mismatch.count() == 1 ? "" : ", and in %d numbers in all".formatted(mismatch.count());
    findings.add(
        Cause.COLLECTIVE_MISMATCH,
        List.copyOf(mismatch.culprits()),
        probability,
        since,
        "%s called %s as number %d of %s where the others called %s"
            .formatted(
                LogFindings.name(mismatch.culprits()),
                mismatch.deviating().label(),
                mismatch.sequence(),
                group.label(),
                mismatch.usual().label()),
        List.of(
            new LogFindings.Line(
                mismatch.difference(),
                "%s at number %d%s"
                    .formatted(mismatch.deviating().label(), mismatch.sequence(), again),
                mismatch.usual().label(),
                source(first))));
  }
}
