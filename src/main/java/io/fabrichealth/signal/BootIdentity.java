package io.fabrichealth.signal;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Tells whether two boot identities are of different boots. */
public final class BootIdentity {
  private static final Duration JITTER = Duration.ofSeconds(5);

  private BootIdentity() {}

  /**
   * Whether the device restarted between the two; null says nothing.
   *
   * <p>An identity that a reader computes (time of reading less uptime) differs by its jitter from
   * the one that it computed before a restart of its own.
   */
  public static boolean isAnother(@Nullable String before, @Nullable String now) {
    if (now == null || before == null || now.equals(before)) {
      return false;
    }
    try {
      Duration apart = Duration.between(Instant.parse(before), Instant.parse(now));
      return apart.abs().compareTo(JITTER) > 0;
    } catch (DateTimeParseException e) {
      return true;
    }
  }
}
