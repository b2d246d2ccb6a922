package io.fabrichealth.collective;

import java.util.Arrays;

/**
 * How long a collective takes: a latency for each round and a bandwidth for the bytes, {@code T = a
 * * rounds + bytes / B}, fitted robustly to what was measured.
 *
 * <p>Rounds and bytes on the slowest link, for N ranks and S bytes: ring all-reduce 2(N-1) and
 * 2(N-1)/N S; reduce-scatter and all-gather half of it; a tree 2 log2 N and 2 S; all-to-all N-1 and
 * (N-1)/N S (Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations
 * in MPICH", 2005; for bus bandwidth, nccl-tests' PERFORMANCE.md).
 */
public final class CostModel {
  private static final int ROUNDS_OF_FIT = 20;

  /** Residuals beyond so many medians of them count less (Huber). */
  private static final double HUBER = 1.5;

  private final double roundMicros;
  private final double byteMicros;

  private CostModel(double roundMicros, double byteMicros) {
    this.roundMicros = roundMicros;
    this.byteMicros = byteMicros;
  }

  /** What one collective asks of the network. */
  public record Load(double rounds, double bytes) {

    /**
     * @param ranks at least 1
     * @param bytes of a rank
     */
    public static Load of(String operation, String algorithm, int ranks, double bytes) {
      double others = ranks - 1;
      double part = ranks == 0 ? 0 : others / ranks;
      boolean isTree = algorithm.equals("TREE");
      return switch (operation) {
        case "all_reduce" ->
            isTree ? new Load(2 * log2(ranks), 2 * bytes) : new Load(2 * others, 2 * part * bytes);
        case "reduce_scatter", "all_gather" -> new Load(others, part * bytes);
        case "all_to_all" -> new Load(others, part * bytes);
        case "broadcast", "reduce" -> new Load(isTree ? log2(ranks) : others, bytes);
        default -> new Load(1, bytes);
      };
    }

    private static double log2(int ranks) {
      return Math.log(Math.max(2, ranks)) / Math.log(2);
    }
  }

  /**
   * Fits the model; both parts stay positive.
   *
   * @param micros measured, one of each load
   */
  public static CostModel fit(Load[] loads, double[] micros) {
    double[] weights = new double[micros.length];
    Arrays.fill(weights, 1);
    CostModel model = solve(loads, micros, weights);
    for (int round = 0; round < ROUNDS_OF_FIT; round++) {
      double[] errors = new double[micros.length];
      for (int i = 0; i < micros.length; i++) {
        errors[i] = Math.abs(micros[i] / model.micros(loads[i]) - 1);
      }
      double scale = Math.max(1e-6, Quantiles.median(errors));
      for (int i = 0; i < micros.length; i++) {
        weights[i] = errors[i] <= HUBER * scale ? 1 : HUBER * scale / errors[i];
      }
      model = solve(loads, micros, weights);
    }
    return model;
  }

  /** Least squares of the relative error. */
  private static CostModel solve(Load[] loads, double[] micros, double[] weights) {
    double rr = 0;
    double rb = 0;
    double bb = 0;
    double ry = 0;
    double by = 0;
    for (int i = 0; i < micros.length; i++) {
      double rounds = loads[i].rounds() / micros[i];
      double bytes = loads[i].bytes() / micros[i];
      rr += weights[i] * rounds * rounds;
      rb += weights[i] * rounds * bytes;
      bb += weights[i] * bytes * bytes;
      ry += weights[i] * rounds;
      by += weights[i] * bytes;
    }
    double determinant = rr * bb - rb * rb;
    if (determinant > 1e-9 * rr * bb) {
      double a = (ry * bb - by * rb) / determinant;
      double b = (by * rr - ry * rb) / determinant;
      if (a >= 0 && b >= 0) {
        return new CostModel(a, b);
      }
    }
    double onlyRounds = rr > 0 ? ry / rr : 0;
    double onlyBytes = bb > 0 ? by / bb : 0;
    return ry * onlyRounds > by * onlyBytes
        ? new CostModel(onlyRounds, 0)
        : new CostModel(0, onlyBytes);
  }

  /** What a collective of this load should take. */
  public double micros(Load load) {
    return roundMicros * load.rounds() + byteMicros * load.bytes();
  }
}
