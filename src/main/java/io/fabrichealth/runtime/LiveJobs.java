package io.fabrichealth.runtime;

import io.fabrichealth.collect.torchdebug.LiveReport;
import io.fabrichealth.collective.CollectiveFinding;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What running jobs say now. Each finding is logged once while it lasts. What a job said when it
 * was last heard stays after its ranks are gone: a watchdog ends a job that hangs. For all threads.
 */
public final class LiveJobs implements LiveReport.Sink {
  private static final Logger log = LoggerFactory.getLogger(LiveJobs.class);

  /** The last report of each job that had an answer. */
  private final Map<String, LiveReport> reports = new HashMap<>();

  @Override
  public synchronized void take(LiveReport report) {
    LiveReport before = reports.get(report.job());
    if (report.answered() == 0 && before != null) {
      return;
    }
    Set<String> known = new HashSet<>();
    if (before != null) {
      before.analysis().findings().forEach(finding -> known.add(key(finding)));
    }
    for (CollectiveFinding finding : report.analysis().findings()) {
      if (!known.contains(key(finding))) {
        log.warn(
            "event=job_finding job={} cause={} ranks={} probability={} summary=\"{}\"",
            report.job(),
            finding.cause(),
            finding.ranks(),
            finding.probability(),
            finding.summary());
      }
    }
    reports.put(report.job(), report);
  }

  private static String key(CollectiveFinding finding) {
    return finding.cause() + " " + finding.ranks();
  }

  /** What a job said last; empty where no running job of this name is asked. */
  public synchronized Optional<LiveReport> of(String job) {
    return Optional.ofNullable(reports.get(job));
  }

  /** Forgets jobs that are no longer configured. */
  synchronized void retain(Set<String> jobs) {
    reports.keySet().retainAll(jobs);
  }
}
