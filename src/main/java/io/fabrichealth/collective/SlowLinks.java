package io.fabrichealth.collective;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.JobImpact;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.topology.Link;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Links that make transfers slow. A ring goes at the pace of its slowest edge, so one group says
 * that, not where: groups are held against each other. A link that a fast group uses as well is not
 * the one (group testing); what remains and is shared by most of the slow ones is.
 */
final class SlowLinks {
  private static final int FEWEST = 8;
  private static final int FEWEST_ALIKE = 3;
  private static final double SLOW = 1.3;
  private static final double FAST = 1.12;
  private static final double MOST = 0.8;
  private static final double BY_CHANCE = 0.2;

  /** From here on the time of a transfer is that of its bytes. */
  private static final long BANDWIDTH_BYTES = 1 << 20;

  private static final String RECEIVED = "recv";
  private static final double LOST_SHARE = 0.005;

  private final JobView view;
  private final Set<Integer> explained;
  private final Set<Integer> ranks = new HashSet<>();
  private final Map<Series.Kind, List<Series>> alike = new HashMap<>();

  private record Slow(Series series, double expected, Set<Subject> links) {
    double excess() {
      return Math.log(series.transfer() / expected);
    }
  }

  /**
   * @param explained ranks whose slowness is known not to be a link's
   */
  SlowLinks(JobView view, Set<Integer> explained) {
    this.view = view;
    this.explained = explained;
    for (Series series : view.series()) {
      if (isTold(series)) {
        alike.computeIfAbsent(series.kind(), fresh -> new ArrayList<>()).add(series);
      }
    }
  }

  /** Whether it says something of the network. */
  private boolean isTold(Series series) {
    return series.size() >= FEWEST
        && !series.isSocket()
        && view.spansHosts(series.ranks())
        && Arrays.stream(series.ranks()).noneMatch(explained::contains);
  }

  /** The ranks of groups that were found slow: they are late elsewhere because of that. */
  Set<Integer> ranks() {
    return ranks;
  }

  List<JobFinding> find() {
    List<Slow> slow = new ArrayList<>();
    List<Series> fast = new ArrayList<>();
    for (List<Series> kind : alike.values()) {
      double others = usual(kind);
      for (Series series : kind) {
        double expected = expected(series, others);
        if (Double.isNaN(expected)) {
          continue;
        }
        double now = series.transfer();
        if (now >= SLOW * expected && series.partAbove(SLOW * expected) >= MOST) {
          slow.add(new Slow(series, expected, links(series)));
          for (int rank : series.ranks()) {
            ranks.add(rank);
          }
        } else if (now <= FAST * expected) {
          fast.add(series);
        }
      }
    }
    return slow.isEmpty() ? List.of() : blame(slow, cleared(slow, fast));
  }

  /** A small message is as fast over a link that lacks bandwidth: it clears nothing. */
  private Set<Subject> cleared(List<Slow> slow, List<Series> fast) {
    long bytes = slow.stream().mapToLong(one -> one.series().key().bytes()).min().orElse(0);
    long enough = Math.min(bytes, BANDWIDTH_BYTES);
    Set<Subject> cleared = new HashSet<>();
    for (Series series : fast) {
      if (series.key().bytes() >= enough) {
        cleared.addAll(links(series));
      }
    }
    return cleared;
  }

  /** As it was before, or as it is in other groups of the same size; the less of both. */
  private static double expected(Series series, double others) {
    double own = series.firstTransfer();
    if (Double.isNaN(others)) {
      return own;
    }
    return Double.isNaN(own) ? others : Math.min(own, others);
  }

  /** NaN where there are too few. */
  private static double usual(List<Series> kind) {
    if (kind.size() < FEWEST_ALIKE) {
      return Double.NaN;
    }
    double[] now = new double[kind.size()];
    for (int i = 0; i < now.length; i++) {
      now[i] = kind.get(i).transfer();
    }
    Arrays.sort(now);
    return now[(now.length - 1) / 2];
  }

  private Set<Subject> links(Series series) {
    Set<Subject> links = new HashSet<>();
    for (int rank : series.ranks()) {
      Link link = view.link(rank);
      if (link != null) {
        links.add(Subject.of(link));
      }
    }
    return links;
  }

  private List<JobFinding> blame(List<Slow> slow, Set<Subject> cleared) {
    List<JobFinding> findings = new ArrayList<>();
    List<Slow> open = new ArrayList<>(slow);
    while (!open.isEmpty()) {
      Map<String, Double> score = new TreeMap<>();
      Map<String, Subject> byId = new HashMap<>();
      for (Slow one : open) {
        for (Subject link : one.links()) {
          if (!cleared.contains(link)) {
            score.merge(link.id(), one.excess(), Double::sum);
            byId.put(link.id(), link);
          }
        }
      }
      double most = score.values().stream().mapToDouble(value -> value).max().orElse(0);
      List<String> best =
          score.entrySet().stream()
              .filter(entry -> entry.getValue() >= most * (1 - 1e-9))
              .map(Map.Entry::getKey)
              .toList();
      if (best.isEmpty()) {
        break;
      }
      Subject first = Objects.requireNonNull(byId.get(best.getFirst()));
      List<Slow> through = open.stream().filter(one -> one.links().contains(first)).toList();
      for (String id : best) {
        JobFinding finding = finding(Objects.requireNonNull(byId.get(id)), through, best.size());
        if (finding != null) {
          findings.add(finding);
        }
      }
      open.removeAll(through);
    }
    return findings;
  }

  private @Nullable JobFinding finding(Subject link, List<Slow> through, int candidates) {
    JobImpact impact = impact(link, through);
    if (impact.lostShare() < LOST_SHARE) {
      return null;
    }
    Slow worst =
        through.stream()
            .max((one, other) -> Double.compare(one.excess(), other.excess()))
            .orElseThrow();
    int samples = through.stream().mapToInt(one -> one.series().size()).sum();
    double nats =
        JobView.nats(
            worst.series().partAbove(SLOW * worst.expected()), worst.series().size(), BY_CHANCE);
    Finding finding =
        view.finding(
            link,
            Cause.LINK_SLOW,
            Family.COLLECTIVE,
            Reference.COLLECTIVE,
            Family.COLLECTIVE.clip(nats) - Math.log(candidates),
            JobView.say(
                "%s of %s takes %.0f us, %d groups that share the link are slow, %d collectives;"
                    + " %.1f %% of the time lost",
                worst.series().key().operation(),
                worst.series().key().group(),
                worst.series().transfer(),
                through.size(),
                samples,
                100 * impact.lostShare()),
            JobView.say("%.0f us, as before and in other groups", worst.expected()),
            List.of());
    return new JobFinding(finding, impact);
  }

  /**
   * What a rank sends and reduces follows each other, what is done side by side does not add up;
   * what others send to it delays them instead.
   */
  private JobImpact impact(Subject link, List<Slow> through) {
    Map<String, JobImpact> byOperation = new HashMap<>();
    for (Slow one : through) {
      Series.Key key = one.series().key();
      Link ofSender = key.sender() < 0 ? null : view.link(key.sender());
      boolean isReceived = ofSender != null && !Subject.of(ofSender).equals(link);
      byOperation.merge(isReceived ? RECEIVED : key.operation(), impact(one), SlowLinks::larger);
    }
    JobImpact received = byOperation.remove(RECEIVED);
    JobImpact own =
        byOperation.values().stream()
            .reduce((one, other) -> one.plus(other, view.gpus()))
            .orElse(received);
    return received == null || own == null ? Objects.requireNonNull(own) : larger(own, received);
  }

  private JobImpact impact(Slow one) {
    double[] lost = one.series().transfers();
    double[] others = slowestOfOthers(one, lost.length);
    for (int i = 0; i < lost.length; i++) {
      lost[i] -= others[i];
    }
    return JobImpact.of(view.job().name(), view.gpus(), lost, one.series().interval());
  }

  /** The job would have waited for the slowest of the other groups all the same. */
  private double[] slowestOfOthers(Slow one, int count) {
    double[] slowest = new double[count];
    Arrays.fill(slowest, one.expected());
    for (Series other : alike.getOrDefault(one.series().kind(), List.of())) {
      double[] took = other.transfers();
      if (Quantiles.median(took) < SLOW * one.expected()) {
        for (int i = 0; i < Math.min(count, took.length); i++) {
          slowest[i] = Math.max(slowest[i], took[i]);
        }
      }
    }
    return slowest;
  }

  private static JobImpact larger(JobImpact one, JobImpact other) {
    return one.lostShare() >= other.lostShare() ? one : other;
  }
}
