package io.fabrichealth.collective;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The collectives of one kind in one group, the last of them: how long the last rank of each took,
 * by how much it was late, and who it was.
 */
final class Series {
  static final int KEPT = 16;
  private static final int FIRST_SAMPLES = 12;

  private final Key key;
  private final int[] ranks;
  private boolean isSocket;
  private final double[] transfers = new double[KEPT];
  private final double[] lateness = new double[KEPT];
  private final double[] leads = new double[KEPT];
  private final int[] latest = new int[KEPT];
  private final double[] firstTransfers = new double[FIRST_SAMPLES];
  private final Map<Integer, Double> waits = new HashMap<>();
  private final Rhythm rhythm;
  private long count;
  private Instant lastAt = Instant.MIN;

  /** What makes collectives alike; sender and receiver are -1 but of a send. */
  record Key(String group, String operation, long bytes, int size, int sender, int receiver) {}

  /** What makes series of different groups comparable. */
  record Kind(String operation, String algorithm, String protocol, long bytes, int size) {}

  private final Kind kind;

  Series(Key key, Kind kind, int[] ranks, Rhythm rhythm) {
    this.key = key;
    this.kind = kind;
    this.ranks = ranks.clone();
    this.rhythm = rhythm;
  }

  Key key() {
    return key;
  }

  Kind kind() {
    return kind;
  }

  int[] ranks() {
    return ranks;
  }

  /** Whether one of its ranks goes over TCP, which makes all slow. */
  boolean isSocket() {
    return isSocket;
  }

  Instant lastAt() {
    return lastAt;
  }

  boolean isPointToPoint() {
    return key.sender() >= 0;
  }

  /** Takes a collective whose ranks all told how long it took. */
  void add(Instant time, Collective of) {
    double least = Double.POSITIVE_INFINITY;
    int last = -1;
    double[] durations = new double[of.size()];
    for (int row = 0; row < of.size(); row++) {
      durations[row] = of.duration(row);
      if (durations[row] < least) {
        least = durations[row];
        last = of.rank(row);
      }
    }
    int slot = (int) (count % KEPT);
    transfers[slot] = least;
    Arrays.sort(durations);
    boolean isAlone = durations.length < 2;
    lateness[slot] =
        isAlone ? 0 : Quantiles.median(Arrays.copyOfRange(durations, 1, durations.length)) - least;
    leads[slot] = isAlone ? 0 : durations[1] - least;
    latest[slot] = last;
    if (count < FIRST_SAMPLES) {
      firstTransfers[(int) count] = least;
    }
    double weight = Math.max(1.0 / (count + 1), 2.0 / KEPT);
    for (int row = 0; row < of.size(); row++) {
      double wait = of.duration(row) - least;
      waits.merge(of.rank(row), wait, (before, now) -> before + weight * (now - before));
    }
    isSocket = false;
    for (int row = 0; row < of.size(); row++) {
      isSocket |= "SOCKET".equals(of.transport(of.rank(row)));
    }
    rhythm.add(time, of.sequence());
    count++;
    lastAt = time;
  }

  int size() {
    return (int) Math.min(KEPT, count);
  }

  /** How long the ranks waited on the average of late. */
  double wait(int rank) {
    return waits.getOrDefault(rank, 0.0);
  }

  /** What would have been saved had the last rank come with the last but one. */
  double[] leads() {
    return Arrays.copyOf(leads, size());
  }

  /** By how much the others were kept waiting. */
  double[] lateness() {
    return Arrays.copyOf(lateness, size());
  }

  double[] transfers() {
    return Arrays.copyOf(transfers, size());
  }

  double transfer() {
    return Quantiles.median(Arrays.copyOf(transfers, size()));
  }

  /** As it was at first; NaN while too little is known. */
  double firstTransfer() {
    return count < FIRST_SAMPLES ? Double.NaN : Quantiles.median(firstTransfers);
  }

  /** Part of the last collectives whose transfer took at least so long. */
  double partAbove(double micros) {
    int above = 0;
    for (int i = 0; i < size(); i++) {
      above += transfers[i] >= micros ? 1 : 0;
    }
    return size() == 0 ? 0 : (double) above / size();
  }

  /** The time from one collective of the series to the next, recorded or not; NaN if unknown. */
  double interval() {
    return rhythm.interval() * rhythm.count() / count;
  }

  /**
   * Who was last most often, among collectives with so much lateness.
   *
   * @param newest of how many to look at
   */
  Late late(double atLeast, int newest) {
    Map<Integer, Integer> times = new HashMap<>();
    int all = 0;
    double sum = 0;
    int outOf = Math.min(size(), newest);
    for (int i = 1; i <= outOf; i++) {
      int slot = (int) ((count - i) % KEPT);
      sum += lateness[slot];
      if (lateness[slot] >= atLeast) {
        times.merge(latest[slot], 1, Integer::sum);
        all++;
      }
    }
    int rank = -1;
    int most = 0;
    for (Map.Entry<Integer, Integer> entry : times.entrySet()) {
      if (entry.getValue() > most || (entry.getValue() == most && entry.getKey() < rank)) {
        rank = entry.getKey();
        most = entry.getValue();
      }
    }
    return new Late(rank, most, all, times.size(), outOf, outOf == 0 ? 0 : sum / outOf);
  }

  /**
   * @param rank that was last most often; -1 where nobody was late
   * @param times that it was
   * @param late of the collectives somebody was
   * @param ranks how many different ones were
   * @param outOf collectives
   * @param meanMicros that the median rank waited
   */
  record Late(int rank, int times, int late, int ranks, int outOf, double meanMicros) {}
}
