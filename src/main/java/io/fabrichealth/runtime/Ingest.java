package io.fabrichealth.runtime;

import io.fabrichealth.collect.CollectOutcome;

/** Takes what others send in, as if a collector had read it. */
public interface Ingest {

  /**
   * @return false where there is no room now: the sender is to come again
   */
  boolean offer(CollectOutcome outcome);
}
