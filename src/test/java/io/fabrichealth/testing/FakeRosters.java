package io.fabrichealth.testing;

import io.fabrichealth.collective.Job;
import io.fabrichealth.runtime.Rosters;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers the rosters that the engine would get. */
public final class FakeRosters implements Rosters {
  private final List<Job> jobs = new CopyOnWriteArrayList<>();

  @Override
  public boolean offer(Job job, boolean ended) {
    return jobs.add(job);
  }

  public List<Job> jobs() {
    return jobs;
  }
}
