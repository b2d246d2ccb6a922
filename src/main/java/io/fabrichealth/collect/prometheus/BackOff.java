package io.fabrichealth.collect.prometheus;

import java.time.Duration;
import java.time.Instant;

/**
 * When a target that fails is tried again: after one failure at its next turn, after each further
 * one in twice the time, but at the latest in about a minute.
 */
final class BackOff {
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final int MOST_DOUBLINGS = 16;

  private final Duration interval;
  private int failures;
  private Instant notBefore = Instant.MIN;

  BackOff(Duration interval) {
    this.interval = interval;
  }

  boolean isHeld(Instant now) {
    return now.isBefore(notBefore);
  }

  Instant notBefore() {
    return notBefore;
  }

  void succeeded() {
    failures = 0;
    notBefore = Instant.MIN;
  }

  void failed(Instant now) {
    failures++;
    if (failures > 1) {
      Duration wait = interval.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
      notBefore = now.plus(wait.compareTo(LONGEST) < 0 ? wait : LONGEST);
    }
  }
}
