package io.fabrichealth.collect;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a target that does not answer from being asked in every pass. One lost pass costs nothing;
 * from the second on the pause doubles, up to a longest one.
 */
public final class BackOff {
  private static final int MOST_DOUBLINGS = 16;

  private final Duration interval;
  private final Duration longest;
  private int failures;
  private Instant until = Instant.MIN;
  private String reason = "";

  /**
   * @param interval from one pass to the next
   * @param longest pause
   */
  public BackOff(Duration interval, Duration longest) {
    this.interval = interval;
    this.longest = longest;
  }

  /** Why the target is not to be asked now; null where it is to be asked. */
  public @Nullable String holds(Instant now) {
    return now.isBefore(until)
        ? "not asked until " + until + " after " + failures + " failures: " + reason
        : null;
  }

  public void failed(Instant now, String why) {
    failures++;
    reason = why;
    if (failures > 1) {
      Duration pause = interval.multipliedBy(1L << Math.min(failures - 2, MOST_DOUBLINGS));
      // A little less than whole intervals, so that the pass at the end of the pause asks.
      until = now.plus(pause.compareTo(longest) > 0 ? longest : pause).minus(interval.dividedBy(2));
    }
  }

  public void succeeded() {
    failures = 0;
    until = Instant.MIN;
  }
}
