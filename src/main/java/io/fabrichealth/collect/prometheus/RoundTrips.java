package io.fabrichealth.collect.prometheus;

import io.fabrichealth.latency.ProbeSample.RoundTrip;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a histogram tells of round trips. */
final class RoundTrips {
  private RoundTrips() {}

  /**
   * Median and 99th percentile, each within its bucket as if that were evenly filled, and the
   * bounds of the lowest and highest bucket in use for least and most; NaN where that is the bucket
   * without an upper bound. Null where nothing was answered, or it is not known.
   *
   * @param cumulative counts by upper bound in microseconds, in its order
   */
  static @Nullable RoundTrip of(Map<Double, Double> cumulative) {
    double count = 0;
    for (double upTo : cumulative.values()) {
      count = Math.max(count, upTo);
    }
    if (!(count > 0)) {
      return null;
    }
    double least = Double.NaN;
    double most = 0;
    double below = 0;
    double before = 0;
    for (Map.Entry<Double, Double> bucket : cumulative.entrySet()) {
      if (bucket.getValue() > before) {
        least = Double.isNaN(least) ? below : least;
        most = bucket.getKey();
        before = bucket.getValue();
      }
      below = bucket.getKey();
    }
    return new RoundTrip(
        least,
        quantile(cumulative, count / 2),
        quantile(cumulative, count * .99),
        Double.isInfinite(most) ? Double.NaN : most);
  }

  private static double quantile(Map<Double, Double> cumulative, double rank) {
    double below = 0;
    double before = 0;
    for (Map.Entry<Double, Double> bucket : cumulative.entrySet()) {
      if (bucket.getValue() >= rank && bucket.getValue() > before) {
        double share = (rank - before) / (bucket.getValue() - before);
        double value = below + share * (bucket.getKey() - below);
        return Double.isInfinite(value) ? Double.NaN : value;
      }
      before = Math.max(before, bucket.getValue());
      below = bucket.getKey();
    }
    return Double.NaN;
  }
}
