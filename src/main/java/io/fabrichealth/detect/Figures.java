package io.fabrichealth.detect;

import java.time.Duration;
import java.util.Locale;

/** Numbers as people read them in evidence. */
final class Figures {

  private Figures() {}

  /** A whole number with thousands separators, or one decimal below 10. */
  static String count(double value) {
    return value < 10 && value != Math.rint(value)
        ? String.format(Locale.ROOT, "%.1f", value)
        : String.format(Locale.ROOT, "%,.0f", value);
  }

  /** For example {@code 2.4e-4}. */
  static String rate(double value) {
    String text = String.format(Locale.ROOT, "%.1e", value);
    return text.replace("e-0", "e-").replace("e+0", "e+");
  }

  /** With one decimal. */
  static String decibels(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  static String percent(double ratio) {
    return String.format(Locale.ROOT, ratio < .1 ? "%.2g %%" : "%.0f %%", ratio * 100);
  }

  /** For example {@code 12 s}, {@code 4 min} or {@code 2 h}. */
  static String time(double seconds) {
    Duration time = Duration.ofMillis(Math.round(seconds * 1000));
    if (time.toMinutes() >= 120) {
      return time.toHours() + " h";
    }
    return time.toSeconds() >= 120
        ? time.toMinutes() + " min"
        : String.format(Locale.ROOT, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
  }

  static String speed(double bitsPerSecond) {
    return count(bitsPerSecond / 1e9) + " Gb/s";
  }
}
