package io.fabrichealth.latency;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Finds the few candidates whose delays explain by how much round trips grew: {@code excess = sum
 * of delays along the path + noise}, delays not negative, most of them 0. The excess is that of the
 * shortest round trip of a window over the pair's baseline, so that queues that come and go have
 * cancelled.
 *
 * <p>Noise has long tails: a flow that fits nothing counts for a few nats, however far off it is.
 * Each candidate's delay is the median of what its flows have left over; the one that gains most is
 * taken, all are set anew, and what gains too little is given up. The same input gives the same
 * answer.
 */
public final class LatencyTomography {
  /** What a clock of a prober tells apart, microseconds. */
  private static final double LEAST_NOISE = .3;

  /** How often a round trip is off for reasons that no link has, and how far, microseconds. */
  private static final double ODD = .02;

  private static final double ODD_SCALE = 1_000;
  private static final double LEAST_NATS = 3;
  private static final int MOST_FAULTS = 32;
  private static final int ROUNDS = 4;
  private static final double NORMAL_95 = 1.96;

  private final int candidates;
  private final List<int[]> paths = new ArrayList<>();
  private double[] excess = new double[64];
  private double[] left = new double[0];
  private double noise;
  private int[] start = new int[0];
  private int[] flows = new int[0];

  public LatencyTomography(int candidates) {
    this.candidates = candidates;
  }

  /**
   * @param path candidates that the flow crosses on its round trip; kept, not copied
   * @param excessMicros by how much its shortest round trip is longer than usual; not NaN
   */
  public void add(int[] path, double excessMicros) {
    if (paths.size() == excess.length) {
      excess = Arrays.copyOf(excess, 2 * excess.length);
    }
    excess[paths.size()] = excessMicros;
    paths.add(path);
  }

  public int flows() {
    return paths.size();
  }

  /**
   * The candidates that delay, the surest first.
   *
   * @param noiseMicros how far apart shortest round trips of one pair usually are
   * @param logPriorOdds of each candidate, nats
   */
  public List<SlowFault> faults(double noiseMicros, double logPriorOdds) {
    noise = Math.max(LEAST_NOISE, noiseMicros);
    left = Arrays.copyOf(excess, paths.size());
    index();
    double[] delay = new double[candidates];
    List<Integer> found = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      boolean isChanged = add(found, delay, logPriorOdds);
      for (int at = found.size() - 1; at >= 0; at--) {
        int candidate = found.get(at);
        shift(candidate, delay[candidate]);
        delay[candidate] = middle(candidate);
        if (gain(candidate, delay[candidate]) + logPriorOdds < 0) {
          delay[candidate] = 0;
          found.remove(/* index */ at);
          isChanged = true;
        } else {
          shift(candidate, -delay[candidate]);
        }
      }
      if (!isChanged) {
        break;
      }
    }
    return described(found, delay);
  }

  private void index() {
    start = new int[candidates + 1];
    for (int[] path : paths) {
      for (int candidate : path) {
        start[candidate + 1]++;
      }
    }
    for (int candidate = 0; candidate < candidates; candidate++) {
      start[candidate + 1] += start[candidate];
    }
    flows = new int[start[candidates]];
    int[] next = start.clone();
    for (int flow = 0; flow < paths.size(); flow++) {
      for (int candidate : paths.get(flow)) {
        flows[next[candidate]++] = flow;
      }
    }
  }

  private boolean add(List<Integer> found, double[] delay, double logPriorOdds) {
    boolean isChanged = false;
    while (found.size() < MOST_FAULTS) {
      int best = -1;
      double most = Math.max(LEAST_NATS, -logPriorOdds);
      for (int candidate = 0; candidate < candidates; candidate++) {
        double micros = delay[candidate] == 0 ? middle(candidate) : 0;
        double gain = micros > noise ? gain(candidate, micros) : 0;
        if (gain > most) {
          most = gain;
          best = candidate;
        }
      }
      if (best < 0) {
        break;
      }
      delay[best] = middle(best);
      shift(best, -delay[best]);
      found.add(best);
      isChanged = true;
    }
    return isChanged;
  }

  /** The median of what the candidate's flows have left; 0 where it is negative. */
  private double middle(int candidate) {
    int count = start[candidate + 1] - start[candidate];
    if (count == 0) {
      return 0;
    }
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = left[flows[start[candidate] + i]];
    }
    Arrays.sort(values);
    return Math.max(0, values[(count - 1) / 2]);
  }

  private double gain(int candidate, double micros) {
    double gain = -Math.log(1 + micros / noise);
    for (int i = start[candidate]; i < start[candidate + 1]; i++) {
      gain += logDensity(left[flows[i]] - micros) - logDensity(left[flows[i]]);
    }
    return gain;
  }

  private double logDensity(double residual) {
    double size = Math.abs(residual);
    return Math.log(
        (1 - ODD) * Math.exp(-size / noise) / (2 * noise)
            + ODD * Math.exp(-size / ODD_SCALE) / (2 * ODD_SCALE));
  }

  private void shift(int candidate, double micros) {
    for (int i = start[candidate]; i < start[candidate + 1]; i++) {
      left[flows[i]] += micros;
    }
  }

  private List<SlowFault> described(List<Integer> found, double[] delay) {
    List<SlowFault> faults = new ArrayList<>();
    for (int candidate : found) {
      shift(candidate, delay[candidate]);
      int count = start[candidate + 1] - start[candidate];
      double error = NORMAL_95 * Math.sqrt(2.0) * noise / Math.sqrt(count);
      faults.add(
          new SlowFault(
              candidate,
              delay[candidate],
              Math.max(0, delay[candidate] - error),
              delay[candidate] + error,
              gain(candidate, delay[candidate]),
              count));
      shift(candidate, -delay[candidate]);
    }
    faults.sort(
        Comparator.comparingDouble((SlowFault fault) -> -fault.nats())
            .thenComparingInt(SlowFault::candidate));
    return faults;
  }
}
