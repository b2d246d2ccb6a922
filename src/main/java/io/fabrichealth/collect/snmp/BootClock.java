package io.fabrichealth.collect.snmp;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The clock of an agent, from its sysUpTime (RFC 3418), and the identity of its boot. The boot is
 * the time of reading less the uptime; it keeps its first value while the new one agrees, so that
 * times of the device are those of its own clock and do not jitter with the network.
 */
final class BootClock {
  private static final Duration TOLERANCE = Duration.ofSeconds(5);
  private static final long WRAP_TICKS = 1L << 32;
  private static final long MILLIS_PER_TICK = 10;

  private @Nullable Instant boot;
  private @Nullable Instant estimate;
  private long wraps;
  private long ticks;
  private long engineBoots = -1;

  /**
   * Takes a reading of sysUpTime in.
   *
   * @param at when it was read
   * @param upTicks sysUpTime, hundredths of a second, 0 to 2^32 - 1
   * @param boots snmpEngineBoots (RFC 3411); -1 where unknown
   * @return the device's time of the reading
   */
  Instant read(Instant at, long upTicks, long boots) {
    if (upTicks < ticks && isWrap(at, upTicks)) {
      wraps++;
    }
    Instant now = at.minus(uptime(upTicks));
    boolean engineRestarted = boots >= 0 && engineBoots >= 0 && boots != engineBoots;
    Instant before = estimate;
    if (before == null || engineRestarted || !agree(now, before)) {
      wraps = 0;
      now = at.minus(uptime(upTicks));
      boot = now;
    }
    // Follows slowly: a clock that runs 0.01 % fast must not look like a restart after half a day.
    estimate = now;
    ticks = upTicks;
    engineBoots = boots >= 0 ? boots : engineBoots;
    return identityInstant().plus(uptime(upTicks));
  }

  /** Identity of the boot; null before the first reading. */
  @Nullable String identity() {
    return boot == null ? null : boot.toString();
  }

  private Instant identityInstant() {
    if (boot == null) {
      throw new IllegalStateException("not read yet");
    }
    return boot;
  }

  /** Whether the uptime passed its end (497 days), rather than began anew. */
  private boolean isWrap(Instant at, long upTicks) {
    Instant ifWrapped = at.minusMillis((upTicks + (wraps + 1) * WRAP_TICKS) * MILLIS_PER_TICK);
    return estimate != null && agree(ifWrapped, estimate);
  }

  private static boolean agree(Instant one, Instant other) {
    return Duration.between(one, other).abs().compareTo(TOLERANCE) <= 0;
  }

  private Duration uptime(long upTicks) {
    return Duration.ofMillis((upTicks + wraps * WRAP_TICKS) * MILLIS_PER_TICK);
  }
}
