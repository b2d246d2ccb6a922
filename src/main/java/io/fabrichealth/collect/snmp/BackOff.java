package io.fabrichealth.collect.snmp;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a device that does not answer from being asked in every pass. One lost pass costs nothing;
 * from the second on the pause doubles, up to five minutes.
 */
final class BackOff {
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final int MOST_DOUBLINGS = 10;

  private final Duration interval;
  private int failures;
  private Instant until = Instant.MIN;
  private String reason = "";

  BackOff(Duration interval) {
    this.interval = interval;
  }

  /** Why the device is not to be asked now; null where it is to be asked. */
  @Nullable String holds(Instant now) {
    return now.isBefore(until)
        ? "not asked until " + until + " after " + failures + " failures: " + reason
        : null;
  }

  void failed(Instant now, String why) {
    failures++;
    reason = why;
    if (failures > 1) {
      Duration pause = interval.multipliedBy(1L << Math.min(failures - 2, MOST_DOUBLINGS));
      // A little less than whole intervals, so that the pass at the end of the pause asks.
      until = now.plus(pause.compareTo(LONGEST) > 0 ? LONGEST : pause).minus(interval.dividedBy(2));
    }
  }

  void succeeded() {
    failures = 0;
    until = Instant.MIN;
  }
}
