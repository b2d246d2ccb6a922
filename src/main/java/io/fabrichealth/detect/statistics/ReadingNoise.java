package io.fabrichealth.detect.statistics;

/**
 * What is known of the error with which a sum is read, from how the differences of neighbouring
 * readings differ among themselves: what the sum itself grows by, all the time, is no error.
 *
 * @param variance of one reading
 * @param freedom readings that this rests on
 * @param least the smallest variance that is believed
 * @param slope growth per second by the last reading
 * @param largest error of a reading lately, in seconds of what passed: whatever the distribution of
 *     the errors, few will be much larger
 */
public record ReadingNoise(
    double variance, int freedom, double least, double slope, double largest) {
  private static final int MOST_FREEDOM = 200;

  /** Readings in which the largest error loses its half. */
  private static final double HALF = 1_000;

  private static final double FADING = Math.pow(.5, 1 / HALF);

  /** An error beyond that many standard deviations counts as if it were one of so many. */
  private static final double OUTLIER = 5;

  private static final int FEW = 5;

  /** Variance of the difference of two differences, by that of a reading: 1 + 4 + 1. */
  private static final double OF_DIFFERENCES = 6;

  public static final ReadingNoise UNKNOWN = new ReadingNoise(0, 0, 0, 0, 0);

  /**
   * After one more reading, the older ones fading.
   *
   * @param difference from the reading before
   * @param seconds since then
   * @param rate of what passes, a second
   */
  public ReadingNoise plus(double difference, double seconds, double rate) {
    double off = difference - slope * seconds;
    double square = off * off / OF_DIFFERENCES;
    if (freedom >= FEW) {
      square = Math.min(square, OUTLIER * OUTLIER * Math.max(variance, least));
    }
    int next = Math.min(freedom + 1, MOST_FREEDOM);
    return new ReadingNoise(
        variance + (square - variance) / next,
        next,
        least,
        seconds > 0 ? difference / seconds : slope,
        largest(difference, rate));
  }

  /** After one that is not believed yet: an error, or else it will be seen again. */
  public ReadingNoise doubting(double difference, double rate) {
    return new ReadingNoise(variance, freedom, least, slope, largest(difference, rate));
  }

  private double largest(double difference, double rate) {
    double now = rate > 0 ? Math.abs(difference) / rate : 0;
    return Math.max(largest * FADING, now);
  }

  /** Whether a difference is so large that the reading is not to be believed yet. */
  public boolean isOutlier(double difference, double seconds) {
    double off = difference - slope * seconds;
    return freedom >= FEW
        && off * off > OF_DIFFERENCES * OUTLIER * OUTLIER * Math.max(variance, least);
  }

  /** With that standard deviation as the smallest that is believed. */
  public ReadingNoise atLeast(double error) {
    return new ReadingNoise(variance, freedom, error * error, slope, largest);
  }
}
