package io.fabrichealth.collect.gnmi;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The device's own clock, as the stamps of its notifications tell it: growth is divided by the time
 * that passed there, not by that between two passes here. A stamp that does not fit the others is
 * not believed; a clock that was set anew is, once several stamps agree.
 */
final class DeviceClock {
  private static final long NANOS = 1_000_000_000L;
  private static final long FITS = 60 * NANOS;
  private static final int BELIEVED_AFTER = 20;

  /** Stamps this far from our time are no nanoseconds since 1970. */
  private static final long ABSURD = 20L * 365 * 86_400 * NANOS;

  private long newest = Long.MIN_VALUE;
  private long offset;
  private boolean known;
  private int odd;
  private long lastTold = Long.MIN_VALUE;
  private long lastToldHere;
  private long latestAnswer = Long.MIN_VALUE;

  /**
   * Takes a stamp in.
   *
   * @param stamp nanoseconds since 1970 by the device
   * @param here nanoseconds since 1970 by us
   */
  void stamp(long stamp, long here) {
    if (stamp <= 0 || Math.abs(stamp / 2 - here / 2) > ABSURD / 2) {
      return;
    }
    long apart = stamp - here;
    if (!known || Math.abs(apart - offset) <= FITS) {
      offset = apart;
      known = true;
      odd = 0;
      newest = Math.max(newest, stamp);
    } else if (++odd >= BELIEVED_AFTER) {
      offset = apart;
      odd = 0;
      newest = stamp;
      latestAnswer = Long.MIN_VALUE;
    }
  }

  /**
   * The device's time for the readings of this pass: its newest stamp. Where it sent none since the
   * last pass, a time that lies surely before its next one, so that time goes on.
   *
   * @param here nanoseconds since 1970 by us
   * @return null where the device gives no usable time
   */
  @Nullable Instant tell(long here) {
    if (!known) {
      return null;
    }
    long told = newest;
    if (lastTold != Long.MIN_VALUE && newest == lastTold) {
      told = lastTold + Math.max(1, (here - lastToldHere) / 2);
    } else {
      lastTold = newest;
      lastToldHere = here;
    }
    // A sample that came late must not look like a clock that was set back.
    told = Math.max(told, latestAnswer + 1);
    latestAnswer = told;
    return Instant.ofEpochSecond(Math.floorDiv(told, NANOS), Math.floorMod(told, NANOS));
  }
}
