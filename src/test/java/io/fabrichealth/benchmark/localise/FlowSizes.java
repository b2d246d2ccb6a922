package io.fabrichealth.benchmark.localise;

import java.util.SplittableRandom;

/**
 * Sizes of flows by Pareto's law of shape 1.05, "with a mean of 200 kB", which can be read in two
 * ways: the law is so heavy that what is cut off far out makes more than half of its mean.
 */
enum FlowSizes {
  /** The sizes that are drawn have the mean: scale 25.6 kB, cut off at 100 MB. */
  MEAN_OF_SIZES(1e8, scaleOfMean(1e8)),
  /** The law has the mean before it is cut off at 1 GB: scale 9.5 kB, sizes of 90 kB on average. */
  MEAN_OF_LAW(1e9, 200_000 * .05 / 1.05);

  private static final double SHAPE = 1.05;
  private static final double PACKET_BYTES = 1_500;

  private final double most;
  private final double scale;

  FlowSizes(double most, double scale) {
    this.most = most;
    this.scale = scale;
  }

  int packets(SplittableRandom draws) {
    double bytes = Math.min(most, scale * Math.pow(1 - draws.nextDouble(), -1 / SHAPE));
    return (int) Math.ceil(bytes / PACKET_BYTES);
  }

  private static double scaleOfMean(double most) {
    double low = 1;
    double high = 200_000;
    while (high - low > 1e-6) {
      double scale = (low + high) / 2;
      double mean = scale * (1.05 - Math.pow(scale / most, .05)) / .05;
      if (mean < 200_000) {
        low = scale;
      } else {
        high = scale;
      }
    }
    return low;
  }
}
