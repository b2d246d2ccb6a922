package io.fabrichealth.collect.gnmi;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Speeds as identities of openconfig-if-ethernet: {@code SPEED_400GB}, {@code SPEED_2500MB}. */
final class SpeedText {
  private static final Pattern SPEED = Pattern.compile("(?:.*:)?SPEED_(\\d{1,5})([MGT])B");

  private SpeedText() {}

  /** NaN where the text is none of them. */
  static double bitsPerSecond(String text) {
    Matcher matcher = SPEED.matcher(text);
    if (!matcher.matches()) {
      return Double.NaN;
    }
    double unit =
        switch (matcher.group(2)) {
          case "M" -> 1e6;
          case "G" -> 1e9;
          default -> 1e12;
        };
    return Integer.parseInt(matcher.group(1)) * unit;
  }
}
