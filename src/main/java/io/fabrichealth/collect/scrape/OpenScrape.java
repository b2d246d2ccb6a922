package io.fabrichealth.collect.scrape;

import java.util.Arrays;

/** Samples of one scrape of one exporter that wait for the rest of it. */
public final class OpenScrape {
  private final long millis;
  private long touchedNanos;
  private int size;
  private int[] metrics = new int[64];
  private int[] labels = new int[64];
  private long[] values = new long[64];

  /**
   * @param millis when the exporter was scraped, since 1970
   */
  public OpenScrape(long millis) {
    this.millis = millis;
  }

  public long millis() {
    return millis;
  }

  /** When a part of it came last, by the monotonic clock. */
  public long touchedNanos() {
    return touchedNanos;
  }

  public void touch(long nanos) {
    touchedNanos = nanos;
  }

  public int size() {
    return size;
  }

  /** Number of the metric in the mapping. */
  public int metric(int sample) {
    return metrics[sample] & Integer.MAX_VALUE;
  }

  /** Whether the value is a whole number, and no bits of a double. */
  public boolean isWhole(int sample) {
    return metrics[sample] < 0;
  }

  /** Number of the set of labels. */
  public int labels(int sample) {
    return labels[sample];
  }

  public long value(int sample) {
    return values[sample];
  }

  public void add(int metric, boolean whole, int labelSet, long value) {
    if (size == values.length) {
      int larger = size + (size >> 1);
      metrics = Arrays.copyOf(metrics, larger);
      labels = Arrays.copyOf(labels, larger);
      values = Arrays.copyOf(values, larger);
    }
    metrics[size] = whole ? metric | Integer.MIN_VALUE : metric;
    labels[size] = labelSet;
    values[size] = value;
    size++;
  }
}
