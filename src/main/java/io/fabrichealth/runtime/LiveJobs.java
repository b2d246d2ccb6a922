package io.fabrichealth.runtime;

import io.fabrichealth.collect.torchdebug.LiveReport;
import io.fabrichealth.collective.CollectiveFinding;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what is found of running jobs, each finding once while it lasts. What a job said when it was
 * last heard stays after its ranks are gone: a watchdog ends a job that hangs. For all threads.
 */
final class LiveJobs implements LiveReport.Sink {
  private static final Logger log = LoggerFactory.getLogger(LiveJobs.class);

  /** What was last said of each job. */
  private final Map<String, Set<String>> told = new HashMap<>();

  @Override
  public synchronized void take(LiveReport report) {
    Set<String> before = told.get(report.job());
    if (report.answered() == 0 && before != null) {
      return;
    }
    Set<String> now = new HashSet<>();
    for (CollectiveFinding finding : report.analysis().findings()) {
      String key = finding.cause() + " " + finding.ranks();
      now.add(key);
      if (before == null || !before.contains(key)) {
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
    told.keySet().retainAll(jobs);
  }
}
