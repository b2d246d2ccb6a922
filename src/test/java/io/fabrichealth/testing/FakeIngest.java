package io.fabrichealth.testing;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.runtime.Ingest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what is sent in, or has no room. */
public final class FakeIngest implements Ingest {
  private final List<CollectOutcome> outcomes = new CopyOnWriteArrayList<>();
  private volatile boolean full;

  @Override
  public boolean offer(CollectOutcome outcome) {
    return !full && outcomes.add(outcome);
  }

  public List<CollectOutcome> outcomes() {
    return outcomes;
  }

  /** From now on there is room, or none. */
  public void full(boolean none) {
    full = none;
  }

  /** As at first. */
  public void clear() {
    outcomes.clear();
    full = false;
  }
}
