package io.fabrichealth.collective;

import java.util.Arrays;

/** Quantiles of small samples. */
final class Quantiles {
  private Quantiles() {}

  /** The value that a share of the sample does not exceed; NaN of nothing. */
  static double of(double[] sorted, double share) {
    return sorted.length == 0 ? Double.NaN : sorted[(int) (share * (sorted.length - 1))];
  }

  /** Of an unsorted sample, the mean of the middle two where they are two. */
  static double median(double[] sample) {
    double[] sorted = sample.clone();
    Arrays.sort(sorted);
    int size = sorted.length;
    return size == 0 ? Double.NaN : (sorted[(size - 1) / 2] + sorted[size / 2]) / 2;
  }
}
