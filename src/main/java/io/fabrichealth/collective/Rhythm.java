package io.fabrichealth.collective;

import java.time.Instant;

/**
 * How often a group meets. Of what it does only a sample may be recorded, but the numbers go on: so
 * many numbers in so much time.
 */
final class Rhythm {
  private static final int KEPT = 64;
  private static final double NANOS_A_MICRO = 1e3;

  private final long[] sequences = new long[KEPT];
  private final double[] at = new double[KEPT];
  private long count;

  void add(Instant time, long sequence) {
    int slot = (int) (count++ % KEPT);
    sequences[slot] = sequence;
    at[slot] = time.getEpochSecond() * 1e6 + time.getNano() / NANOS_A_MICRO;
  }

  /** Recorded so far. */
  long count() {
    return count;
  }

  /** Microseconds from one collective of the group to the next; NaN while that is not known. */
  double interval() {
    int size = (int) Math.min(KEPT, count);
    if (size < 2) {
      return Double.NaN;
    }
    int newest = (int) ((count - 1) % KEPT);
    int oldest = (int) ((count - size) % KEPT);
    long numbers = sequences[newest] - sequences[oldest];
    return numbers <= 0 ? Double.NaN : (at[newest] - at[oldest]) / numbers;
  }
}
