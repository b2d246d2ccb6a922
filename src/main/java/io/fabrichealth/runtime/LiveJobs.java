package io.fabrichealth.runtime;

import io.fabrichealth.collect.torchdebug.LiveReport;
import io.fabrichealth.collective.CollectiveFinding;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the running jobs said last. What a job said when it was last heard stays after its ranks are
 * gone: a watchdog ends a job that hangs. For all threads.
 */
public final class LiveJobs implements LiveReport.Sink {
  private static final Logger log = LoggerFactory.getLogger(LiveJobs.class);

  private final Map<String, LiveReport> reports = new TreeMap<>();
  private final Map<String, Set<String>> told = new TreeMap<>();

  /** By name of the job. */
  public synchronized List<LiveReport> all() {
    return List.copyOf(reports.values());
  }

  /** Of a job that is configured, and was heard. */
  public synchronized Optional<LiveReport> of(String job) {
    return Optional.ofNullable(reports.get(job));
  }

  @Override
  public synchronized void take(LiveReport report) {
    if (report.answered() == 0 && reports.containsKey(report.job())) {
      return;
    }
    reports.put(report.job(), report);
    Set<String> before = told.getOrDefault(report.job(), Set.of());
    Set<String> now = new HashSet<>();
    for (CollectiveFinding finding : report.analysis().findings()) {
      String key = finding.cause() + " " + finding.ranks();
      now.add(key);
      if (!before.contains(key)) {
        log.warn(
            "event=job_finding job={} cause={} ranks={} probability={} summary=\"{}\"",
            report.job(),
            finding.cause(),
            finding.ranks(),
            finding.probability(),
            finding.summary());
      }
    }
    told.put(report.job(), now);
  }

  /** Forgets jobs that are no longer configured. */
  synchronized void retain(Set<String> jobs) {
    reports.keySet().retainAll(jobs);
    told.keySet().retainAll(jobs);
  }
}
