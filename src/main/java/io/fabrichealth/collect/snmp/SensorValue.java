package io.fabrichealth.collect.snmp;

import org.jspecify.annotations.Nullable;

/**
 * A sensor's number in its SI unit, or why there is none (ENTITY-SENSOR-MIB, RFC 3433): value times
 * 10 to the power of the scale, divided by 10 to the power of the precision.
 *
 * @param number NaN where there is none
 * @param reason null where there is a number
 */
record SensorValue(double number, @Nullable String reason) {
  private static final int OK = 1;
  private static final int UNAVAILABLE = 2;
  private static final long OVERFLOW = 1_000_000_000;

  private static final int UNITS = 9;

  /** The MIB has exa before peta. */
  private static final int EXA = 14;

  private static final int PETA = 15;
  private static final int SMALLEST_SCALE = 1;
  private static final int LARGEST_SCALE = 17;
  private static final int SMALLEST_PRECISION = -8;
  private static final int LARGEST_PRECISION = 9;

  /**
   * @param scale SensorDataScale, 1 (yocto) to 17 (yotta)
   * @param precision SensorPrecision, -8 to 9
   * @param status EntitySensorStatus; 1 where the agent does not give it
   */
  static SensorValue of(long value, int scale, int precision, int status) {
    if (status == UNAVAILABLE) {
      return none("unavailable");
    }
    if (status != OK) {
      return none("nonoperational");
    }
    if (value >= OVERFLOW) {
      return none("overflow");
    }
    if (value <= -OVERFLOW) {
      return none("underflow");
    }
    if (scale < SMALLEST_SCALE
        || scale > LARGEST_SCALE
        || precision < SMALLEST_PRECISION
        || precision > LARGEST_PRECISION) {
      return none("scale " + scale + ", precision " + precision);
    }
    return new SensorValue(value * Math.pow(10, exponent(scale) - precision), null);
  }

  private static SensorValue none(String why) {
    return new SensorValue(Double.NaN, why);
  }

  private static int exponent(int scale) {
    return switch (scale) {
      case EXA -> 18;
      case PETA -> 15;
      default -> 3 * (scale - UNITS);
    };
  }

  /** The power in dBm, or why there is none. */
  SensorValue toDbm(boolean isDbm, @Nullable String zeroDbm) {
    if (reason != null) {
      // Less than the least that it can tell is darkness.
      return reason.equals("underflow") ? none(Power.NO_LIGHT) : this;
    }
    if (isDbm && number == 0 && zeroDbm != null) {
      return none(zeroDbm);
    }
    double dbm = isDbm ? number : Power.dbm(number);
    return Power.isDark(dbm) ? none(Power.NO_LIGHT) : new SensorValue(dbm, null);
  }
}
