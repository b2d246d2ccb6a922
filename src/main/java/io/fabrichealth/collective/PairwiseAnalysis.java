package io.fabrichealth.collective;

import io.fabrichealth.collective.log.JobLog;
import io.fabrichealth.collective.log.NcclTest;
import io.fabrichealth.finding.Cause;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds the slow host, or the slow pair, in runs of nccl-tests between two hosts each.
 *
 * <p>The logarithm of a pair's bandwidth is taken as that of all plus one term of either host plus
 * what is left, by medians in turn (Tukey's median polish): a slow host takes all its pairs down, a
 * slow path between two leaves their others alone.
 */
final class PairwiseAnalysis {
  private static final double SLOW = .85;
  private static final double SPREADS = 6;
  private static final double MAD_TO_SIGMA = 1.4826;
  private static final int ROUNDS = 20;
  private static final int LEAST_HOSTS = 3;
  private static final int LEAST_PAIRS = 3;
  private static final double SURE = .95;
  private static final double EITHER = .7;

  private final List<String> hosts;
  private final double[][] logs;
  private final double[] terms;
  private double middle;
  private double spread;

  private PairwiseAnalysis(Map<List<String>, Double> pairs) {
    TreeSet<String> names = new TreeSet<>();
    pairs.keySet().forEach(names::addAll);
    hosts = List.copyOf(names);
    logs = new double[hosts.size()][hosts.size()];
    terms = new double[hosts.size()];
    for (double[] row : logs) {
      Arrays.fill(row, Double.NaN);
    }
    pairs.forEach(
        (pair, bandwidth) -> {
          int one = hosts.indexOf(pair.get(0));
          int other = hosts.indexOf(pair.get(1));
          logs[one][other] = Math.log(bandwidth);
          logs[other][one] = logs[one][other];
        });
    polish();
  }

  private void polish() {
    middle = Quantiles.median(all(false));
    for (int round = 0; round < ROUNDS; round++) {
      for (int host = 0; host < terms.length; host++) {
        double[] left = new double[terms.length];
        int count = 0;
        for (int peer = 0; peer < terms.length; peer++) {
          if (!Double.isNaN(logs[host][peer])) {
            left[count++] = logs[host][peer] - middle - terms[peer];
          }
        }
        // a host that was measured with one other cannot be told from their path
        terms[host] = count < 2 ? 0 : Math.min(0, Quantiles.median(Arrays.copyOf(left, count)));
      }
    }
    double[] residuals = all(true);
    for (int i = 0; i < residuals.length; i++) {
      residuals[i] = Math.abs(residuals[i]);
    }
    spread = MAD_TO_SIGMA * Quantiles.median(residuals);
  }

  private double[] all(boolean isResidual) {
    double[] values = new double[terms.length * terms.length];
    int count = 0;
    for (int one = 0; one < terms.length; one++) {
      for (int other = one + 1; other < terms.length; other++) {
        if (!Double.isNaN(logs[one][other])) {
          values[count++] = isResidual ? residual(one, other) : logs[one][other];
        }
      }
    }
    return Arrays.copyOf(values, count);
  }

  private double residual(int one, int other) {
    return logs[one][other] - middle - terms[one] - terms[other];
  }

  /** Slow hosts and pairs of each set of runs that can be compared. */
  static List<CollectiveFinding> of(Job job, List<JobLog> logs) {
    Map<String, Map<List<String>, Double>> matrices = new TreeMap<>();
    for (JobLog log : logs) {
      for (NcclTest test : log.tests()) {
        List<String> hosts = test.hosts();
        if (hosts.size() == 2) {
          add(matrices, test, hosts.stream().sorted().toList());
        }
      }
    }
    LogFindings findings = new LogFindings(job.name(), Map.of());
    matrices.forEach(
        (what, pairs) -> {
          long named = pairs.keySet().stream().flatMap(List::stream).distinct().count();
          if (named >= LEAST_HOSTS && pairs.size() >= LEAST_PAIRS) {
            new PairwiseAnalysis(pairs).tell(what, findings);
          }
        });
    return findings.all();
  }

  /** Of each run the largest size that it shares with others of its kind. */
  private static void add(
      Map<String, Map<List<String>, Double>> matrices, NcclTest test, List<String> hosts) {
    test.largest()
        .ifPresent(
            row ->
                matrices
                    .computeIfAbsent(
                        "%s of %,d bytes by %d ranks"
                            .formatted(
                                test.operation().isEmpty() ? "a collective" : test.operation(),
                                row.size(),
                                test.ranks()),
                        kind -> new TreeMap<>(PairwiseAnalysis::compare))
                    .merge(hosts, row.busBandwidth(), Math::max));
  }

  private static int compare(List<String> one, List<String> other) {
    int first = one.get(0).compareTo(other.get(0));
    return first != 0 ? first : one.get(1).compareTo(other.get(1));
  }

  private void tell(String what, LogFindings findings) {
    double limit = Math.min(Math.log(SLOW), -SPREADS * spread);
    for (int host = 0; host < terms.length; host++) {
      if (terms[host] < limit) {
        findings.add(
            Cause.LINK_SLOW,
            List.of(),
            List.of(hosts.get(host)),
            List.of(),
            SURE,
            null,
            "%s is slow with whatever other host: %.1f GB/s in %s where others reach %.1f."
                .formatted(hosts.get(host), Math.exp(middle + terms[host]), what, Math.exp(middle)),
            lines(host, -1, what));
      }
    }
    for (int one = 0; one < terms.length; one++) {
      for (int other = one + 1; other < terms.length; other++) {
        if (!Double.isNaN(logs[one][other]) && residual(one, other) < limit) {
          boolean isOpen = measured(one) < 2 || measured(other) < 2;
          findings.add(
              Cause.LINK_SLOW,
              List.of(),
              List.of(hosts.get(one), hosts.get(other)),
              List.of(),
              isOpen ? EITHER : SURE,
              null,
              "Between %s and %s %s reaches %.1f GB/s where other pairs reach %.1f%s."
                  .formatted(
                      hosts.get(one),
                      hosts.get(other),
                      what,
                      Math.exp(logs[one][other]),
                      Math.exp(middle),
                      isOpen
                          ? "; one of them was measured with no other host"
                          : "; with others both are as fast as any"),
              lines(one, other, what));
        }
      }
    }
  }

  private int measured(int host) {
    int count = 0;
    for (double value : logs[host]) {
      count += Double.isNaN(value) ? 0 : 1;
    }
    return count;
  }

  private List<LogFindings.Line> lines(int one, int only, String what) {
    List<LogFindings.Line> lines = new ArrayList<>();
    for (int other = 0; other < terms.length; other++) {
      if (!Double.isNaN(logs[one][other]) && (only < 0 || only == other)) {
        lines.add(
            new LogFindings.Line(
                "nccl-tests.busbw",
                "%.1f GB/s between %s and %s"
                    .formatted(Math.exp(logs[one][other]), hosts.get(one), hosts.get(other)),
                "%.1f GB/s as the middle of all pairs".formatted(Math.exp(middle)),
                what));
      }
    }
    return lines;
  }
}
