package io.fabrichealth.latency;

import io.fabrichealth.latency.ProbeSample.Endpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How long a round trip between two endpoints takes when nothing queues: the shortest of each
 * window of time, and of those the lower quartile, so that neither one lucky window nor a link that
 * has been slow for a while sets it. All flows of a pair count together.
 *
 * <p>Full round trips in microseconds. Holds a bounded number of pairs, 20 bytes for each window of
 * a pair. Not for use by several threads.
 */
public final class PairBaselines {
  /** With fewer windows there is no baseline yet. */
  private static final int LEAST_WINDOWS = 3;

  private static final int FREE = -1;

  private final long windowNanos;
  private final int windows;
  private final int mostPairs;
  private final Map<Endpoint, Integer> numbers = new HashMap<>();
  private final List<Endpoint> endpoints = new ArrayList<>();

  private int[] table = new int[64];
  private long[] keys = new long[32];
  private long[] numberOf;
  private float[] least;
  private int[] sent;
  private int[] lost;
  private int pairs;
  private long newest = Long.MIN_VALUE;
  private long refused;

  /**
   * @param window of which the shortest round trip counts: long enough that some probe meets empty
   *     queues
   * @param windows how many are kept
   * @param mostPairs ordered pairs that are kept
   */
  public PairBaselines(Duration window, int windows, int mostPairs) {
    if (window.isNegative() || window.isZero() || windows <= LEAST_WINDOWS || mostPairs < 1) {
      throw new IllegalArgumentException(
          windows + " windows of " + window + " for " + mostPairs + " pairs");
    }
    windowNanos = window.toNanos();
    this.windows = windows;
    this.mostPairs = mostPairs;
    numberOf = new long[keys.length * windows];
    Arrays.fill(numberOf, Long.MIN_VALUE);
    least = new float[keys.length * windows];
    sent = new int[keys.length * windows];
    lost = new int[keys.length * windows];
    Arrays.fill(table, FREE);
  }

  /** Adds a sample; one of a pair too many, or of a window that is gone, is counted as refused. */
  public void add(Instant at, ProbeSample sample) {
    long number = window(at);
    int pair = pair(number(sample.src()), number(sample.dst()), true);
    newest = Math.max(newest, number);
    if (pair < 0 || number <= newest - windows) {
      refused++;
      return;
    }
    int cell = pair * windows + (int) Math.floorMod(number, (long) windows);
    if (numberOf[cell] != number) {
      numberOf[cell] = number;
      least[cell] = Float.NaN;
      sent[cell] = 0;
      lost[cell] = 0;
    }
    sent[cell] =
        (int) Math.min(Integer.MAX_VALUE, sent[cell] + Math.min(sample.sent(), Integer.MAX_VALUE));
    lost[cell] =
        (int) Math.min(Integer.MAX_VALUE, lost[cell] + Math.min(sample.lost(), Integer.MAX_VALUE));
    ProbeSample.RoundTrip rtt = sample.rtt();
    float micros = rtt == null ? Float.NaN : (float) shortest(rtt);
    if (micros > 0 && !(least[cell] <= micros)) {
      least[cell] = micros;
    }
  }

  /** What is of late is so at this time, though nothing may have come since. */
  public void advance(Instant now) {
    newest = Math.max(newest, window(now));
  }

  private long window(Instant at) {
    return Math.floorDiv(
        Math.addExact(Math.multiplyExact(at.getEpochSecond(), 1_000_000_000L), at.getNano()),
        windowNanos);
  }

  /** The shortest of a sample's round trips; NaN where it tells none. */
  static double shortest(ProbeSample.RoundTrip rtt) {
    return Double.isFinite(rtt.min()) ? rtt.min() : rtt.median();
  }

  public long refused() {
    return refused;
  }

  /** Ordered pairs that were probed, numbered from 0. */
  public int pairs() {
    return pairs;
  }

  public Endpoint src(int pair) {
    return endpoints.get((int) (keys[pair] >>> 32));
  }

  public Endpoint dst(int pair) {
    return endpoints.get((int) keys[pair]);
  }

  /** The number of a pair; negative where it was not probed. */
  public int pair(Endpoint src, Endpoint dst) {
    Integer from = numbers.get(src);
    Integer to = numbers.get(dst);
    return from == null || to == null ? FREE : pair(from, to, false);
  }

  /** The round trip without queues, microseconds; NaN where too few windows before tell it. */
  public double baselineMicros(int pair) {
    float[] minima = new float[windows];
    int count = minima(pair, minima);
    return count < LEAST_WINDOWS ? Double.NaN : minima[(count - 1) / 4];
  }

  /** How far the shortest round trips of windows lie apart: from lower to upper quartile. */
  public double spreadMicros(int pair) {
    float[] minima = new float[windows];
    int count = minima(pair, minima);
    return count < LEAST_WINDOWS
        ? Double.NaN
        : minima[(3 * (count - 1) + 3) / 4] - minima[(count - 1) / 4];
  }

  /** The shortest round trips of windows before the newest, sorted. */
  private int minima(int pair, float[] into) {
    int count = 0;
    for (int cell = pair * windows; cell < (pair + 1) * windows; cell++) {
      if (isKept(cell) && numberOf[cell] != newest && least[cell] > 0) {
        into[count++] = least[cell];
      }
    }
    Arrays.sort(into, 0, count);
    return count;
  }

  /** The shortest round trip of the newest two windows; NaN where none was timed. */
  public double recentMicros(int pair) {
    double micros = Double.NaN;
    for (long number = newest - 1; number <= newest; number++) {
      int cell = cell(pair, number);
      if (cell >= 0 && !(micros <= least[cell])) {
        micros = Float.isNaN(least[cell]) ? micros : least[cell];
      }
    }
    return micros;
  }

  /** Probes sent in the newest two windows. */
  public long recentSent(int pair) {
    int before = cell(pair, newest - 1);
    int now = cell(pair, newest);
    return (before < 0 ? 0L : sent[before]) + (now < 0 ? 0 : sent[now]);
  }

  /** Those of them that were not answered. */
  public long recentLost(int pair) {
    int before = cell(pair, newest - 1);
    int now = cell(pair, newest);
    return (before < 0 ? 0L : lost[before]) + (now < 0 ? 0 : lost[now]);
  }

  private int cell(int pair, long number) {
    int cell = pair * windows + (int) Math.floorMod(number, (long) windows);
    return numberOf[cell] == number ? cell : FREE;
  }

  private boolean isKept(int cell) {
    return numberOf[cell] != Long.MIN_VALUE && numberOf[cell] > newest - windows;
  }

  private int number(Endpoint endpoint) {
    Integer known = numbers.get(endpoint);
    if (known == null) {
      if (endpoints.size() > mostPairs) {
        return FREE;
      }
      known = endpoints.size();
      endpoints.add(endpoint);
      numbers.put(endpoint, known);
    }
    return known;
  }

  /** Open addressing over the pairs' keys; the table is at most half full. */
  private int pair(int src, int dst, boolean isNew) {
    if (src < 0 || dst < 0) {
      return FREE;
    }
    long key = (long) src << 32 | dst;
    int mask = table.length - 1;
    int at = (int) ((key * 0x9E3779B97F4A7C15L) >>> 33) & mask;
    while (table[at] != FREE) {
      if (keys[table[at]] == key) {
        return table[at];
      }
      at = (at + 1) & mask;
    }
    if (!isNew || pairs == mostPairs) {
      return FREE;
    }
    if (pairs == keys.length) {
      grow();
      return pair(src, dst, true);
    }
    keys[pairs] = key;
    table[at] = pairs;
    return pairs++;
  }

  private void grow() {
    int more = (int) Math.min(mostPairs, 2L * keys.length);
    int before = numberOf.length;
    keys = Arrays.copyOf(keys, more);
    numberOf = Arrays.copyOf(numberOf, more * windows);
    Arrays.fill(numberOf, before, numberOf.length, Long.MIN_VALUE);
    least = Arrays.copyOf(least, more * windows);
    sent = Arrays.copyOf(sent, more * windows);
    lost = Arrays.copyOf(lost, more * windows);
    table = new int[2 * Integer.highestOneBit(Math.max(2, more - 1)) * 2];
    Arrays.fill(table, FREE);
    for (int pair = 0; pair < pairs; pair++) {
      int at = (int) ((keys[pair] * 0x9E3779B97F4A7C15L) >>> 33) & (table.length - 1);
      while (table[at] != FREE) {
        at = (at + 1) & (table.length - 1);
      }
      table[at] = pair;
    }
  }
}
