package io.fabrichealth.incident;

import java.time.Duration;

/** Why an incident ended. */
public enum Resolution {
  /** Nothing spoke for the fault any more. */
  CLEARED(false, Duration.ZERO),
  /** Another cause of the same subject took its place. */
  REPLACED(false, Duration.ZERO),
  /** It turned out to be part of another incident. */
  MERGED(false, Duration.ZERO),
  /** Somebody repaired it. */
  REPAIRED(true, Duration.ofMinutes(10)),
  /** Somebody looked and found nothing wrong. */
  FALSE_ALARM(true, Duration.ofHours(24)),
  /** Somebody knows of it and lives with it. */
  ACCEPTED(true, Duration.ofHours(24));

  /** For a fault that is not the one that was resolved: evidence of before has left by then. */
  static final Duration SHORTEST_PATIENCE = REPAIRED.patience;

  private final boolean byHand;
  private final Duration patience;

  Resolution(boolean byHand, Duration patience) {
    this.byHand = byHand;
    this.patience = patience;
  }

  /** Whether people say so; the others are what the service itself finds. */
  public boolean isByHand() {
    return byHand;
  }

  /**
   * For how long the same fault, still seen, does not open again. After a repair what was counted
   * before it must leave the windows first, as long as an incident stays open after its last
   * evidence.
   */
  Duration patience() {
    return patience;
  }

  /** Whether it counts as an earlier fault of the subject. */
  boolean isFault() {
    return this == CLEARED || this == REPAIRED || this == ACCEPTED;
  }
}
