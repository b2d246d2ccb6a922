package io.fabrichealth.detect.statistics;

import java.util.List;

/**
 * Watches a rate of events for a rise, by cumulative sums tuned to a rise by 1.5, 3, 10 and 100: of
 * a large rise it knows at once, of a small one in the end.
 *
 * <p>Each is {@code S = max(0, S + k ln r - expected (r - 1))}, in nats. While the rate is as
 * expected or less, the mean time until one is above {@code h} is e<sup>h</sup> samples or more.
 *
 * <p>Source: Page 1954; Lorden 1971.
 *
 * @param sums one a tuning, 0 or more
 */
public record CusumBank(List<Double> sums) {
  /** The rises that the sums are tuned to. */
  public static final List<Double> RISES = List.of(1.5, 3.0, 10.0, 100.0);

  public static final CusumBank EMPTY = new CusumBank(List.of(0.0, 0.0, 0.0, 0.0));

  public CusumBank {
    sums = List.copyOf(sums);
    if (sums.size() != RISES.size()) {
      throw new IllegalArgumentException(sums.size() + " sums, expected one for each of " + RISES);
    }
  }

  /**
   * After a sample.
   *
   * @param count events, 0 or more
   * @param expected events in the same exposure at the usual rate, 0 or more
   */
  public CusumBank plus(double count, double expected) {
    if (count == 0 && sums.equals(EMPTY.sums)) {
      return this;
    }
    Double[] next = new Double[RISES.size()];
    for (int tuning = 0; tuning < next.length; tuning++) {
      double rise = RISES.get(tuning);
      next[tuning] = Math.max(0, sums.get(tuning) + count * Math.log(rise) - expected * (rise - 1));
    }
    return new CusumBank(List.of(next));
  }

  /** The largest of the sums, in nats. */
  public double nats() {
    double largest = 0;
    for (double sum : sums) {
      largest = Math.max(largest, sum);
    }
    return largest;
  }
}
