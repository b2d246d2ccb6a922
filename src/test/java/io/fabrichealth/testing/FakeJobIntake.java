package io.fabrichealth.testing;

import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.Job;
import io.fabrichealth.runtime.JobIntake;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what the engine would get of jobs. */
public final class FakeJobIntake implements JobIntake {
  private final List<Job> jobs = new CopyOnWriteArrayList<>();
  private final Map<String, List<CollectiveFinding>> findings = new ConcurrentHashMap<>();

  @Override
  public boolean offer(Job job, boolean ended) {
    return jobs.add(job);
  }

  @Override
  public boolean offer(String job, List<CollectiveFinding> found) {
    findings.put(job, found);
    return true;
  }

  public List<Job> jobs() {
    return jobs;
  }

  /** By job, what was last found. */
  public Map<String, List<CollectiveFinding>> findings() {
    return findings;
  }

  public void clear() {
    jobs.clear();
    findings.clear();
  }
}
