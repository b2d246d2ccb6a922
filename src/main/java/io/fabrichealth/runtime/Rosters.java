package io.fabrichealth.runtime;

import io.fabrichealth.collective.Job;

/** Tells the engine who takes part in a job, and where. */
public interface Rosters {

  /**
   * @return false where there is no room now: the sender is to come again
   */
  boolean offer(Job job, boolean ended);
}
