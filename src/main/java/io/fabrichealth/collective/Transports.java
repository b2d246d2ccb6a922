package io.fabrichealth.collective;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.JobImpact;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Hosts whose ranks talk TCP while others of the job use RDMA. */
final class Transports {
  private static final int FEWEST = 3;
  private static final double NATS = 9;

  private final Map<Integer, String> last = new HashMap<>();

  /** How often in a row. */
  private final Map<Integer, Integer> times = new HashMap<>();

  void add(Collective of) {
    if (of.transport() == null && of.transports().isEmpty()) {
      return;
    }
    for (int row = 0; row < of.size(); row++) {
      int rank = of.rank(row);
      String told = of.transport(rank);
      if (told != null && (told.equals("RDMA") || told.equals("SOCKET"))) {
        boolean same = told.equals(last.put(rank, told));
        times.merge(rank, 1, (before, one) -> same ? before + one : one);
      }
    }
  }

  void clear() {
    last.clear();
    times.clear();
  }

  /** Those that go over TCP. */
  Set<Integer> socketRanks() {
    Set<Integer> ranks = new TreeSet<>();
    last.forEach(
        (rank, transport) -> {
          if (transport.equals("SOCKET")) {
            ranks.add(rank);
          }
        });
    return ranks;
  }

  List<JobFinding> find(JobView view) {
    Map<String, TreeSet<Integer>> byHost = new TreeMap<>();
    boolean anyRdma = last.containsValue("RDMA");
    last.forEach(
        (rank, transport) -> {
          String host = view.host(rank);
          if (host != null && transport.equals("SOCKET") && times.getOrDefault(rank, 0) >= FEWEST) {
            byHost.computeIfAbsent(host, fresh -> new TreeSet<>()).add(rank);
          }
        });
    List<JobFinding> findings = new ArrayList<>();
    if (anyRdma && !byHost.isEmpty()) {
      JobImpact impact = impact(view);
      byHost.forEach((host, ranks) -> findings.add(fallback(view, host, ranks, impact)));
    }
    return findings;
  }

  private static JobFinding fallback(
      JobView view, String host, SortedSet<Integer> ranks, @Nullable JobImpact impact) {
    return new JobFinding(
        view.finding(
            Subject.host(host),
            Cause.SOCKET_FALLBACK,
            Family.EVENT,
            Reference.PEERS,
            NATS,
            "rank " + ranks.first() + (ranks.size() > 1 ? " and others" : "") + " over TCP",
            "RDMA, as the job's other ranks",
            ranks.stream().map(view::rank).toList()),
        impact);
  }

  /** Of the groups that such a rank is in, against groups of the same kind without one. */
  private static @Nullable JobImpact impact(JobView view) {
    JobImpact worst = null;
    Map<Series.Kind, Double> usual = new HashMap<>();
    for (Series slow : view.series()) {
      if (!slow.isSocket() || !view.spansHosts(slow.ranks())) {
        continue;
      }
      double expected = usual.computeIfAbsent(slow.kind(), kind -> usual(view, kind));
      if (Double.isNaN(expected)) {
        continue;
      }
      double[] lost = slow.transfers();
      for (int i = 0; i < lost.length; i++) {
        lost[i] -= expected;
      }
      JobImpact its = JobImpact.of(view.job().name(), view.gpus(), lost, slow.interval());
      if (worst == null || its.lostShare() > worst.lostShare()) {
        worst = its;
      }
    }
    return worst;
  }

  /** How long one of the kind takes by RDMA; NaN where none is. */
  private static double usual(JobView view, Series.Kind kind) {
    double[] others =
        view.series().stream()
            .filter(other -> !other.isSocket() && other.kind().equals(kind))
            .mapToDouble(Series::transfer)
            .toArray();
    return Quantiles.median(others);
  }
}
