package io.fabrichealth.detect.statistics;

import java.util.Arrays;

/**
 * How the members of a cohort usually are, by median and median absolute deviation, which a few bad
 * ones do not move.
 *
 * @param members whose value is known
 * @param median NaN where no value is known
 * @param spread standard deviation that goes with the median absolute deviation; 0 where half of
 *     the members are the same
 */
public record RobustCohort(int members, double median, double spread) {
  /** Members below which a cohort is no measure. */
  public static final int LEAST_MEMBERS = 20;

  private static final double SPREAD_OF_DEVIATION = 1.4826;

  /** Of the values that are numbers. */
  public static RobustCohort of(double[] values) {
    double[] known = Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
    double median = middle(known);
    double[] apart = Arrays.stream(known).map(value -> Math.abs(value - median)).sorted().toArray();
    return new RobustCohort(
        known.length, median, known.length == 0 ? 0 : SPREAD_OF_DEVIATION * middle(apart));
  }

  public boolean isMeasure() {
    return members >= LEAST_MEMBERS;
  }

  /**
   * How many standard deviations the value lies above the median.
   *
   * @param floor the least standard deviation, such as that of the count that the value stands for
   * @return 0 where the cohort is too small
   */
  public double deviation(double value, double floor) {
    double deviation = Math.max(spread, floor);
    return !isMeasure() || !(deviation > 0) ? 0 : (value - median) / deviation;
  }

  private static double middle(double[] sorted) {
    int size = sorted.length;
    return size == 0 ? Double.NaN : (sorted[(size - 1) / 2] + sorted[size / 2]) / 2;
  }
}
