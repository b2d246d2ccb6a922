package io.fabrichealth.runtime;

import io.fabrichealth.latency.LatencyMatrix;
import java.util.Optional;

/** Answers what is known of round trips. */
public interface LatencyDesk {

  /**
   * Between all endpoints that were probed.
   *
   * @throws IllegalArgumentException where there are too many groups at this level
   * @return empty where the engine has no time for it within a few seconds
   */
  Optional<LatencyMatrix> matrix(LatencyMatrix.Level level) throws InterruptedException;
}
