package io.fabrichealth.scorecard;

import java.util.Locale;

/** Numbers for people; a dash where there is none. */
final class Figures {
  private Figures() {}

  static String percent(double ratio) {
    return Double.isNaN(ratio) ? "-" : format("%.1f %%", ratio * 100);
  }

  static String seconds(double seconds) {
    if (Double.isNaN(seconds)) {
      return "-";
    }
    return seconds < 600
        ? format("%.1f s", seconds)
        : seconds < 36_000 ? format("%.1f min", seconds / 60) : format("%.1f h", seconds / 3_600);
  }

  static String number(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    double size = Math.abs(value);
    return size == 0
        ? "0"
        : size >= 1e6 || size < 1e-3
            ? format("%.2e", value)
            : size >= 100 ? format("%.0f", value) : format("%.3g", value);
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
