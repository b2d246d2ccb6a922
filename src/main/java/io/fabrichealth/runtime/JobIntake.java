package io.fabrichealth.runtime;

import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.Job;
import java.util.List;

/** Tells the engine who takes part in a job, and where, and what was found of it. */
public interface JobIntake {

  /**
   * @return false where there is no room now: the sender is to come again
   */
  boolean offer(Job job, boolean ended);

  /**
   * @return false where there is no room now
   */
  boolean offer(String job, List<CollectiveFinding> findings);
}
