package io.fabrichealth.collective;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.JobImpact;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Ranks for which the others wait. The last to come has the shortest duration, whatever the clocks
 * say, and how long the transfer itself takes plays no part: the network is not blamed for it. A
 * rank that is late because it waited for another one passes the blame on.
 */
final class LateRanks {
  private static final int FEWEST = 8;
  private static final double LATE_MICROS = 5_000;
  private static final double LATE_SHARE = 0.1;
  private static final double PERSISTENT = 0.7;
  private static final double ROTATING = 0.6;
  private static final double NOBODY_MOST = 0.5;
  private static final int ROTATING_RANKS = 3;
  private static final double PASSED_ON = 0.5;
  private static final double BY_CHANCE = 0.3;

  private final JobView view;
  private final Set<Integer> explained;

  /** Where each rank costs most. */
  private final Map<Integer, Lateness> worst = new TreeMap<>();

  private final List<Lateness> all = new ArrayList<>();
  private @Nullable Lateness rotating;

  private record Lateness(Series series, Series.Late late) {
    double share() {
      return late.meanMicros() / series.interval();
    }
  }

  /**
   * @param explained ranks that are late because what they send is slow
   */
  LateRanks(JobView view, Set<Integer> explained) {
    this.view = view;
    this.explained = explained;
  }

  List<JobFinding> find() {
    for (Series series : view.series()) {
      if (series.size() >= FEWEST && !series.isPointToPoint() && waitsForAll(series)) {
        look(series);
      }
    }
    Set<Integer> roots = roots();
    if (roots.isEmpty() && rotating != null && explained.isEmpty()) {
      return List.of(imbalance(rotating));
    }
    return report(roots);
  }

  /** Whether every rank leaves after the last one came. */
  private static boolean waitsForAll(Series series) {
    return switch (series.key().operation()) {
      case "broadcast", "reduce", "gather", "scatter" -> false;
      default -> true;
    };
  }

  private void look(Series series) {
    double interval = series.interval();
    if (!(interval > 0)) {
      return;
    }
    double enough = Math.max(LATE_MICROS, LATE_SHARE * interval);
    Series.Late lately = series.late(enough, FEWEST);
    boolean isAlways = lately.times() == FEWEST;
    Series.Late found = isAlways ? lately : series.late(enough, Series.KEPT);
    Lateness lateness = new Lateness(series, found);
    if (isAlways || found.times() >= PERSISTENT * found.outOf()) {
      all.add(lateness);
      worst.merge(
          found.rank(), lateness, (one, other) -> one.share() >= other.share() ? one : other);
    } else if (found.late() >= ROTATING * found.outOf()
        && found.times() < NOBODY_MOST * found.late()
        && found.ranks() >= ROTATING_RANKS
        && (rotating == null || lateness.share() > rotating.share())) {
      rotating = lateness;
    }
  }

  private Set<Integer> roots() {
    Set<Integer> roots = new HashSet<>(worst.keySet());
    roots.removeIf(rank -> isPassedOn(rank) || isExplained(rank));
    if (roots.isEmpty()) {
      worst.keySet().stream()
          .filter(rank -> !isExplained(rank))
          .max((one, other) -> Double.compare(worst(one).share(), worst(other).share()))
          .ifPresent(roots::add);
    }
    return roots;
  }

  /** Whether the rank or one that it works in turns with on its host sends slowly. */
  private boolean isExplained(int rank) {
    String host = view.host(rank);
    return explained.contains(rank)
        || (host != null && view.ranksOf(host).stream().anyMatch(explained::contains));
  }

  private Lateness worst(int rank) {
    return Objects.requireNonNull(worst.get(rank));
  }

  /** Whether the rank waits for another one about as long as others wait for it. */
  private boolean isPassedOn(int rank) {
    double own = worst(rank).share();
    for (Lateness other : all) {
      if (other.late().rank() != rank
          && other.series().wait(rank) / other.series().interval() >= PASSED_ON * own) {
        return true;
      }
    }
    return false;
  }

  private List<JobFinding> report(Set<Integer> roots) {
    List<JobFinding> findings = new ArrayList<>();
    Map<String, Set<Integer>> byHost = new HashMap<>();
    for (int rank : roots) {
      String host = view.host(rank);
      if (host != null) {
        byHost.computeIfAbsent(host, fresh -> new HashSet<>()).add(rank);
      }
    }
    Set<Integer> told = new HashSet<>();
    byHost.forEach(
        (host, ranks) -> {
          Set<Integer> there = view.ranksOf(host);
          if (there.size() > 1 && ranks.containsAll(there)) {
            told.addAll(ranks);
            int slowest = slowest(ranks);
            findings.add(straggler(Subject.host(host), slowest, worst(slowest), true));
          }
        });
    for (int rank : roots.stream().sorted().toList()) {
      if (!told.contains(rank)) {
        findings.add(straggler(view.rank(rank), rank, worst(rank), false));
      }
    }
    return findings;
  }

  private int slowest(Set<Integer> ranks) {
    return ranks.stream()
        .max((one, other) -> Double.compare(worst(one).share(), worst(other).share()))
        .orElseThrow();
  }

  private JobFinding straggler(Subject subject, int rank, Lateness worst, boolean ofHost) {
    Series.Late found = worst.late();
    Series widest = widest(rank, worst.series());
    JobImpact impact =
        JobImpact.of(
            view.job().name(),
            view.gpus(),
            ofHost ? widest.lateness() : widest.leads(),
            widest.interval());
    return new JobFinding(
        view.finding(
            subject,
            Cause.COMPUTE_STRAGGLER,
            Family.COLLECTIVE,
            Reference.COLLECTIVE,
            JobView.nats((double) found.times() / found.outOf(), found.outOf(), BY_CHANCE),
            JobView.say(
                "rank %d last to come to %s of %s %d of %d times, by %.1f ms; %.1f %% of the time"
                    + " lost",
                rank,
                worst.series().key().operation(),
                worst.series().key().group(),
                found.times(),
                found.outOf(),
                found.meanMicros() / 1e3,
                100 * impact.lostShare()),
            "the others, which wait",
            ofHost
                ? view.ranksOf(subject.id()).stream().sorted().map(view::rank).toList()
                : List.of()),
        impact);
  }

  /** The largest group that waits for the rank, or for one of its host that it makes late. */
  private Series widest(int rank, Series worst) {
    String host = view.host(rank);
    Series widest = worst;
    for (Lateness one : all) {
      int late = one.late().rank();
      boolean isIts = late == rank || (host != null && host.equals(view.host(late)));
      if (isIts && one.series().key().size() > widest.key().size()) {
        widest = one.series();
      }
    }
    return widest;
  }

  private JobFinding imbalance(Lateness lateness) {
    Series.Late found = lateness.late();
    JobImpact impact =
        JobImpact.of(
            view.job().name(),
            view.gpus(),
            lateness.series().leads(),
            lateness.series().interval());
    return new JobFinding(
        view.finding(
            view.ofJob(),
            Cause.WORKLOAD_IMBALANCE,
            Family.COLLECTIVE,
            Reference.COLLECTIVE,
            JobView.nats((double) found.late() / found.outOf(), found.outOf(), BY_CHANCE),
            JobView.say(
                "in %d of %d collectives of %s one rank was late, %d different ones, by %.1f ms",
                found.late(),
                found.outOf(),
                lateness.series().key().group(),
                found.ranks(),
                found.meanMicros() / 1e3),
            "all ranks equally long",
            List.of()),
        impact);
  }
}
