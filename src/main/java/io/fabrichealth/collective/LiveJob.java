package io.fabrichealth.collective;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A running job whose ranks are asked again and again for what they recorded. One look at a job
 * that runs cannot tell a rank that stands still from one that is about to go on, so that a
 * standstill is told only where two pulls agree that nobody in it moved, for longer than the rank
 * is used to work between two operations. What is slow is told where two pulls agree too: the first
 * steps of a program are as they come.
 *
 * <p>A rank that does not answer is unknown, whoever waits for it. Belongs to one thread.
 */
public final class LiveJob {
  /** A pause of the collector, of the host or of Python is no standstill. */
  private static final Duration SHORTEST = Duration.ofSeconds(2);

  /** What a program does first (loading, compiling) takes longer than anything it did before. */
  private static final Duration AT_START = Duration.ofMinutes(1);

  /**
   * Of the doubt that one look leaves, what is left by a second: that the culprit was about to go
   * on is half of it.
   */
  private static final double STILL_DOUBT = .5;

  private static final int START_ENTRIES = 8;
  private static final int TIMES_PACE = 2;
  private static final int MOST_STACKS = 8;

  private static final Set<Cause> STANDSTILLS =
      EnumSet.of(
          Cause.HUNG_RANK,
          Cause.RANK_FAILED,
          Cause.COLLECTIVE_STALLED,
          Cause.COLLECTIVE_MISMATCH,
          Cause.COLLECTIVE_DEADLOCK);

  private final Job job;
  private final Map<Integer, Standing> standings = new TreeMap<>();
  private final Map<Integer, Stack> stacks = new HashMap<>();
  private JobAnalysis analysis = new JobAnalysis(List.of(), List.of(), List.of());
  private Instant at = Instant.MIN;

  /** What the last pull said is slow. */
  private Set<Slow> slow = Set.of();

  /** What of it was told. */
  private final Set<Slow> toldSlow = new HashSet<>();

  private long restarts;

  /**
   * @param since the standing at which it was fetched
   */
  private record Stack(Instant since, PythonStack of) {}

  private record Slow(Cause cause, List<Integer> ranks) {}

  public LiveJob(Job job) {
    this.job = job;
  }

  /**
   * Takes what all ranks answered.
   *
   * @param now end of the pull
   */
  public void take(Instant now, List<RankAnswer> answers) {
    at = now;
    Map<Integer, RankAnswer> byRank = new TreeMap<>();
    Set<Integer> stood = new HashSet<>();
    boolean isRestarted = false;
    boolean isMoving = false;
    for (RankAnswer answer : answers) {
      byRank.put(answer.rank(), answer);
      if (answer.problem() == null) {
        Standing standing = standings.computeIfAbsent(answer.rank(), unknown -> new Standing());
        switch (standing.take(now, answer.recorders())) {
          case STOOD -> stood.add(answer.rank());
          case RESTARTED -> isRestarted = true;
          case MOVED -> isMoving = true;
          case FIRST -> {}
        }
      }
    }
    if (isRestarted) {
      // Ranks of the old and of the new program do not wait for each other.
      restarts++;
      standings.values().forEach(standing -> standing.beginAnew(now));
      stacks.clear();
    }
    judge(byRank, isRestarted ? null : stood, isMoving);
  }

  /**
   * @param stood ranks that did not move; null where nothing can be said
   * @param isMoving whether any rank has moved: what was not slow before is not now that all stand
   */
  private void judge(
      Map<Integer, RankAnswer> byRank, @Nullable Set<Integer> stood, boolean isMoving) {
    List<FlightRecorder> recorders = new ArrayList<>();
    Set<Integer> unanswered = new HashSet<>();
    List<UnknownRank> unread = new ArrayList<>();
    for (RankAnswer answer : byRank.values()) {
      recorders.addAll(answer.recorders());
      if (answer.problem() != null) {
        unanswered.add(answer.rank());
        unread.add(new UnknownRank(answer.rank(), answer.problem()));
      }
    }
    JobAnalysis seen =
        stood == null
            ? new JobAnalysis(List.of(), List.of(), unread)
            : JobAnalyzer.analyze(job, recorders, unread);
    List<CollectiveFinding> told = new ArrayList<>();
    Set<Integer> awaited = new TreeSet<>();
    Set<Slow> slowNow = new HashSet<>();
    boolean isStandstill = false;
    for (CollectiveFinding finding : seen.findings()) {
      boolean isOne = STANDSTILLS.contains(finding.cause());
      if (isOne && !isConfirmed(finding, seen.victims(), byRank, Objects.requireNonNull(stood))) {
        continue;
      }
      Slow seenSlow = new Slow(finding.cause(), finding.ranks());
      if (!isOne) {
        slowNow.add(seenSlow);
        if (isMoving && slow.contains(seenSlow)) {
          toldSlow.add(seenSlow);
        } else if (!toldSlow.contains(seenSlow)) {
          continue;
        }
      }
      List<Integer> known = new ArrayList<>(finding.ranks());
      known.removeAll(unanswered);
      if (known.isEmpty() && !finding.ranks().isEmpty()) {
        awaited.addAll(finding.ranks());
        continue;
      }
      isStandstill |= isOne;
      CollectiveFinding of =
          known.size() == finding.ranks().size() ? finding : finding.withRanks(known);
      told.add(isOne ? of.withProbability(1 - STILL_DOUBT * (1 - of.probability())) : of);
    }
    slow = slowNow;
    toldSlow.retainAll(slowNow);
    List<UnknownRank> unknown = new ArrayList<>();
    for (UnknownRank rank : seen.unknown()) {
      unknown.add(
          awaited.contains(rank.rank())
              ? new UnknownRank(rank.rank(), rank.reason() + "; others wait for it")
              : rank);
    }
    boolean isWaited = isStandstill || !awaited.isEmpty();
    analysis = new JobAnalysis(told, isWaited ? seen.victims() : List.of(), unknown);
  }

  /** Whether all that it holds up, and the culprits, stand where they stood before. */
  private boolean isConfirmed(
      CollectiveFinding finding,
      List<Integer> victims,
      Map<Integer, RankAnswer> byRank,
      Set<Integer> stood) {
    Set<Integer> all = answered(finding.ranks(), byRank);
    Set<Integer> culprits = Set.copyOf(all);
    all.addAll(answered(victims, byRank));
    if (all.isEmpty() || !stood.containsAll(all)) {
      return false;
    }
    Duration needed = SHORTEST;
    for (int rank : culprits.isEmpty() ? all : culprits) {
      needed = longer(needed, needed(rank, byRank));
    }
    for (int rank : all) {
      Standing standing = standings.get(rank);
      if (standing == null || Duration.between(standing.since(), at).compareTo(needed) < 0) {
        return false;
      }
    }
    return true;
  }

  private static Set<Integer> answered(Collection<Integer> ranks, Map<Integer, RankAnswer> byRank) {
    Set<Integer> answered = new LinkedHashSet<>();
    for (int rank : ranks) {
      RankAnswer answer = byRank.get(rank);
      if (answer != null && answer.problem() == null) {
        answered.add(rank);
      }
    }
    return answered;
  }

  private Duration needed(int rank, Map<Integer, RankAnswer> byRank) {
    Standing standing = standings.get(rank);
    RankAnswer answer = byRank.get(rank);
    if (standing == null || answer == null || standing.entries() < START_ENTRIES) {
      return AT_START;
    }
    return Standing.pace(answer.recorders()).multipliedBy(TIMES_PACE);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  /** Culprits of a standstill whose Python stack is not known; few at a time. */
  public List<Integer> unexplained() {
    List<Integer> ranks = new ArrayList<>();
    for (CollectiveFinding finding : analysis.findings()) {
      for (int rank :
          STANDSTILLS.contains(finding.cause()) ? finding.ranks() : List.<Integer>of()) {
        if (ranks.size() < MOST_STACKS && !ranks.contains(rank) && stack(rank) == null) {
          ranks.add(rank);
        }
      }
    }
    return ranks;
  }

  private @Nullable PythonStack stack(int rank) {
    Stack known = stacks.get(rank);
    Standing standing = standings.get(rank);
    return known != null && standing != null && known.since().equals(standing.since())
        ? known.of()
        : null;
  }

  /** Takes where a rank stands; of use until it moves. */
  public void explain(int rank, PythonStack stack) {
    Standing standing = standings.get(rank);
    if (standing != null) {
      stacks.put(rank, new Stack(standing.since(), stack));
    }
  }

  /** What is to be said of the job now. */
  public JobAnalysis analysis() {
    List<CollectiveFinding> explained = new ArrayList<>();
    for (CollectiveFinding finding : analysis.findings()) {
      explained.add(STANDSTILLS.contains(finding.cause()) ? explained(finding) : finding);
    }
    return new JobAnalysis(explained, analysis.victims(), analysis.unknown());
  }

  private CollectiveFinding explained(CollectiveFinding finding) {
    List<Evidence> evidence = new ArrayList<>(finding.evidence());
    String summary = finding.summary();
    for (int rank : finding.ranks()) {
      PythonStack stack = stack(rank);
      if (stack != null && !stack.main().isEmpty()) {
        evidence.add(evidence(rank, stack));
        if (finding.ranks().size() == 1) {
          summary += " It stands in " + stack.where() + ".";
        }
      }
    }
    return finding.withSummary(summary).withEvidence(evidence);
  }

  private Evidence evidence(int rank, PythonStack stack) {
    Instant since = Objects.requireNonNull(standings.get(rank)).since();
    return new Evidence(
        Family.COLLECTIVE,
        "python.stack",
        Subject.rank(job.name(), rank),
        String.join(" < ", stack.main()),
        "the next operation",
        Reference.COLLECTIVE,
        0,
        since,
        at,
        "dump_traceback of rank " + rank);
  }

  /** Entries that all ranks recorded since their programs were first seen, each once. */
  public long entries() {
    return standings.values().stream().mapToLong(Standing::entries).sum();
  }

  /** Entries that left the rings between two pulls. */
  public long unseen() {
    return standings.values().stream().mapToLong(Standing::unseen).sum();
  }

  /** How often ranks were found to run another process than before. */
  public long restarts() {
    return restarts;
  }
}
