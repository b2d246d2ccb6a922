package io.fabrichealth.detect;

/**
 * Where the error ratio goes: a line through its logarithm over time, with what the module's
 * temperature does to it taken out.
 *
 * <p>Least squares of log10 of the ratio on time and temperature, the older the less. The sums are
 * all that is kept.
 *
 * @param sums weight, t, T, tt, tT, TT, y, ty, Ty, yy; time in hours since {@code sinceNanos}
 * @param warm whether every sample had a temperature
 */
@SuppressWarnings("ArrayRecordComponent") // columns, never compared
record BerTrend(double[] sums, boolean warm, long sinceNanos, long atNanos) {
  static final BerTrend NONE = new BerTrend(new double[0], true, 0, 0);

  private static final double HOUR_NANOS = 3.6e12;
  private static final double LEAST_KELVIN_SQUARED = .5;
  private static final int SUMS = 10;

  /**
   * What a line through the samples says.
   *
   * @param decadesPerHour slope over time
   * @param deviations slope over its standard error
   * @param hours from the first sample to the last
   */
  record Line(double decadesPerHour, double deviations, double hours) {}

  BerTrend next(double logRatio, double celsius, long nowNanos, double memoryHours) {
    boolean first = sums.length == 0;
    double[] next = first ? new double[SUMS] : sums.clone();
    long since = first ? nowNanos : sinceNanos;
    double fade = first ? 1 : Math.exp(-(nowNanos - atNanos) / HOUR_NANOS / memoryHours);
    double hours = (nowNanos - since) / HOUR_NANOS;
    boolean isWarm = warm && !Double.isNaN(celsius);
    double degrees = isWarm ? celsius : 0;
    double[] added = {
      1,
      hours,
      degrees,
      hours * hours,
      hours * degrees,
      degrees * degrees,
      logRatio,
      hours * logRatio,
      degrees * logRatio,
      logRatio * logRatio
    };
    for (int index = 0; index < SUMS; index++) {
      next[index] = next[index] * fade + added[index];
    }
    return new BerTrend(next, isWarm, since, nowNanos);
  }

  /** Whether a sample is due. */
  boolean isDue(long nowNanos, long everyNanos) {
    return sums.length == 0 || nowNanos - atNanos >= everyNanos;
  }

  Line line() {
    double hours = (atNanos - sinceNanos) / HOUR_NANOS;
    if (sums.length == 0 || sums[0] < 4) {
      return new Line(0, 0, hours);
    }
    double weight = sums[0];
    double timeTime = sums[3] - sums[1] * sums[1] / weight;
    double timeWarmth = sums[4] - sums[1] * sums[2] / weight;
    double warmthWarmth = sums[5] - sums[2] * sums[2] / weight;
    double timeRatio = sums[7] - sums[1] * sums[6] / weight;
    double warmthRatio = sums[8] - sums[2] * sums[6] / weight;
    double ratioRatio = sums[9] - sums[6] * sums[6] / weight;
    boolean byWarmth = warm && warmthWarmth > LEAST_KELVIN_SQUARED * weight;
    double own = byWarmth ? timeTime - timeWarmth * timeWarmth / warmthWarmth : timeTime;
    if (!(own > 1e-9)) {
      return new Line(0, 0, hours);
    }
    double slope = (timeRatio - (byWarmth ? timeWarmth * warmthRatio / warmthWarmth : 0)) / own;
    double ofWarmth = byWarmth ? (warmthRatio - slope * timeWarmth) / warmthWarmth : 0;
    double left = ratioRatio - slope * timeRatio - ofWarmth * warmthRatio;
    double variance = Math.max(left, 1e-6 * weight) / (weight - (byWarmth ? 3 : 2));
    return new Line(slope, slope / Math.sqrt(variance / own), hours);
  }
}
