package io.fabrichealth.collect;

import io.fabrichealth.collect.CollectOutcome.LeftOut;
import io.fabrichealth.collect.CollectOutcome.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What became of the passes over one target so far. */
final class TargetRecord {
  private final Map<FailureCode, Long> failures = new EnumMap<>(FailureCode.class);
  private @Nullable Instant lastAttempt;
  private @Nullable Instant lastSuccess;
  private @Nullable Problem gravest;
  private double lastSeconds;
  private long passes;
  private int devices;
  private int ports;
  private int readings;
  private int probes;
  private int dropped;
  private long allDropped;
  private long latePasses;

  /** Of the failure that led to the back-off. */
  private @Nullable FailureCode cause;

  private boolean lastPassRead;
  private Map<String, Integer> leftOut = Map.of();
  private List<String> remarks = List.of();

  /**
   * @param isLate whether it took longer than from one pass to the next
   */
  synchronized void note(ReadingBudget.Limited limited, Instant at, Duration took, boolean isLate) {
    CollectOutcome outcome = limited.outcome();
    passes++;
    latePasses += isLate ? 1 : 0;
    lastAttempt = at;
    lastSeconds = took.toNanos() / 1e9;
    allDropped += limited.dropped();
    outcome.problems().forEach(problem -> failures.merge(problem.code(), 1L, Long::sum));
    gravest = outcome.problems().isEmpty() ? null : outcome.problems().getFirst();
    if (gravest == null) {
      lastSuccess = at;
      cause = null;
    } else if (gravest.code() != FailureCode.BACK_OFF) {
      cause = gravest.code();
    }
    lastPassRead = outcome.readings() > 0 || !outcome.probes().isEmpty();
    if (lastPassRead) {
      devices = (int) outcome.batches().stream().filter(batch -> batch.size() > 0).count();
      ports = outcome.batches().stream().mapToInt(batch -> batch.ports().size()).sum();
      readings = outcome.readings();
      dropped = limited.dropped();
      probes = outcome.probes().size();
      remarks = outcome.remarks();
    }
    if (!outcome.leftOut().isEmpty()) {
      Map<String, Integer> byRule = new HashMap<>();
      for (LeftOut row : outcome.leftOut()) {
        byRule.merge(row.rule(), 1, Integer::sum);
      }
      leftOut = byRule;
    }
  }

  synchronized TargetStatus status(Collector collector) {
    Problem problem = gravest;
    return new TargetStatus(
        collector.device(),
        collector.name(),
        collector.address(),
        lastAttempt,
        lastSuccess,
        lastSeconds,
        problem == null ? null : cause == null ? problem.code() : cause,
        problem == null ? null : problem.message(),
        passes,
        failures,
        devices,
        ports,
        readings,
        probes,
        dropped,
        allDropped,
        latePasses,
        lastPassRead,
        leftOut,
        remarks);
  }
}
