package io.fabrichealth.testing;

import io.fabrichealth.latency.LatencyMatrix;
import io.fabrichealth.latency.PairBaselines;
import io.fabrichealth.runtime.LatencyDesk;
import io.fabrichealth.topology.Fabric;
import java.time.Duration;
import java.util.Optional;

/** Answers of pairs that a test sets. */
public final class FakeLatencyDesk implements LatencyDesk {
  private final PairBaselines pairs = new PairBaselines(Duration.ofMinutes(5), 12, 1_000);
  private boolean isBusy;

  @Override
  public Optional<LatencyMatrix> matrix(LatencyMatrix.Level level) {
    return isBusy ? Optional.empty() : Optional.of(LatencyMatrix.of(pairs, Fabric.EMPTY, level));
  }

  public PairBaselines pairs() {
    return pairs;
  }

  public void busy(boolean busy) {
    isBusy = busy;
  }
}
