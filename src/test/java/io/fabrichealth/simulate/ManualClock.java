package io.fabrichealth.simulate;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that moves when the test says so. */
final class ManualClock implements InstantSource {
  private Instant now = Instant.parse("2026-02-01T04:00:00Z");

  @Override
  public synchronized Instant instant() {
    return now;
  }

  synchronized void advance(Duration by) {
    now = now.plus(by);
  }
}
