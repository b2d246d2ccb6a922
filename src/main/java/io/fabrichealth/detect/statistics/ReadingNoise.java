package io.fabrichealth.detect.statistics;

/**
 * What is known of the error with which a sum is read, from the differences of neighbouring
 * readings.
 *
 * @param variance of one reading
 * @param freedom readings that this rests on
 * @param least the smallest variance that is believed
 */
public record ReadingNoise(double variance, int freedom, double least) {
  private static final int MOST_FREEDOM = 200;

  /** An error beyond that many standard deviations counts as if it were one of so many. */
  private static final double OUTLIER = 5;

  private static final int FEW = 5;

  public static final ReadingNoise UNKNOWN = new ReadingNoise(0, 0, 0);

  /**
   * After one more reading, the older ones fading.
   *
   * @param difference from the reading before, less what was due
   */
  public ReadingNoise plus(double difference) {
    double square = difference * difference / 2;
    if (freedom >= FEW) {
      square = Math.min(square, OUTLIER * OUTLIER * Math.max(variance, least));
    }
    int next = Math.min(freedom + 1, MOST_FREEDOM);
    return new ReadingNoise(variance + (square - variance) / next, next, least);
  }

  /** Whether a difference is so large that the reading is not to be believed yet. */
  public boolean isOutlier(double difference) {
    return freedom >= FEW
        && difference * difference > 2 * OUTLIER * OUTLIER * Math.max(variance, least);
  }

  /** With that standard deviation as the smallest that is believed. */
  public ReadingNoise atLeast(double error) {
    return new ReadingNoise(variance, freedom, error * error);
  }
}
