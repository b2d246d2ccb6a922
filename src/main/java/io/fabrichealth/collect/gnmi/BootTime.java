package io.fabrichealth.collect.gnmi;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When the device booted, as the identity of the boot. {@code /system/state/boot-time} is
 * nanoseconds since 1970 (openconfig-system); older revisions have seconds.
 */
final class BootTime {
  private BootTime() {}

  /** An RFC 3339 time where the text is a number that can be one; else the text. */
  static @Nullable String identity(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return null;
    }
    // A longer number, or one of 19 digits from 9 on, may be more than 63 bits hold.
    if (!text.matches("\\d{9,18}|[1-8]\\d{18}")) {
      return text;
    }
    long number = Long.parseLong(text);
    return switch (text.length()) {
      case 9, 10, 11 -> Instant.ofEpochSecond(number).toString();
      case 12, 13, 14 -> Instant.ofEpochMilli(number).toString();
      default -> Instant.ofEpochSecond(number / 1_000_000_000L, number % 1_000_000_000L).toString();
    };
  }
}
