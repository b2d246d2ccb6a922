package io.fabrichealth.collect.snmp;

/** Optical power. */
final class Power {
  /** What is said instead of a number. */
  static final String NO_LIGHT = "no light";

  /** Agents that have no number for darkness end here: .0001 mW. */
  private static final double DARK_DBM = -40;

  private static final double MILLI = 1000;
  private static final double TOLERANCE = 1e-9;

  private Power() {}

  /** Watts as dBm; minus infinity for none. */
  static double dbm(double watts) {
    return watts <= 0 ? Double.NEGATIVE_INFINITY : 10 * Math.log10(watts * MILLI);
  }

  static boolean isDark(double dbm) {
    return dbm <= DARK_DBM + TOLERANCE;
  }
}
