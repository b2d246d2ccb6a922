package io.fabrichealth.collective;

import io.fabrichealth.collective.log.JobLog;
import io.fabrichealth.collective.log.NcclTest;
import io.fabrichealth.finding.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares a run of nccl-tests with others of the same test on the same hosts: of one operation, by
 * as many ranks, at the same size. What these reach is what is expected of it; a model of the
 * hardware is not needed, and a test that is always slow is not told by this.
 */
final class RepeatedTests {
  private static final double SLOW = .85;
  private static final int LEAST_RUNS = 4;
  private static final double LIKELY = .8;

  private record Run(NcclTest test, double busBandwidth) {}

  private RepeatedTests() {}

  /** Runs that are slower than the same test's others. */
  static List<CollectiveFinding> of(Job job, List<JobLog> logs) {
    Map<String, List<Run>> runs = new TreeMap<>();
    for (JobLog log : logs) {
      for (NcclTest test : log.tests()) {
        if (!test.hosts().isEmpty() && !test.operation().isEmpty()) {
          add(test, runs);
        }
      }
    }
    LogFindings findings = new LogFindings(job.name(), Map.of());
    runs.forEach(
        (what, same) -> {
          if (same.size() >= LEAST_RUNS) {
            tell(what, same, findings);
          }
        });
    return findings.all();
  }

  /** Of each run its largest size. */
  private static void add(NcclTest test, Map<String, List<Run>> runs) {
    test.largest()
        .ifPresent(
            row -> {
              String what =
                  "%s of %,d bytes by %d ranks on %s"
                      .formatted(
                          test.operation(),
                          row.size(),
                          test.ranks(),
                          String.join(", ", test.hosts()));
              runs.computeIfAbsent(what, none -> new ArrayList<>())
                  .add(new Run(test, row.busBandwidth()));
            });
  }

  private static void tell(String what, List<Run> runs, LogFindings findings) {
    double usual = Quantiles.median(runs.stream().mapToDouble(Run::busBandwidth).toArray());
    for (Run run : runs) {
      if (run.busBandwidth() < SLOW * usual) {
        findings.add(
            Cause.LINK_SLOW,
            List.of(),
            run.test().hosts(),
            List.of(),
            LIKELY,
            null,
            "%s reached %.1f GB/s where the same test reached %.1f in the middle of %d runs."
                .formatted(what, run.busBandwidth(), usual, runs.size()),
            List.of(
                new LogFindings.Line(
                    "nccl-tests.busbw",
                    "%.1f GB/s".formatted(run.busBandwidth()),
                    "%.1f GB/s as the middle of %d runs".formatted(usual, runs.size()),
                    run.test().source())));
      }
    }
  }
}
