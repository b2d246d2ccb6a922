package io.fabrichealth.benchmark.localise;

import java.util.Arrays;

/**
 * Latent factors of success, as NetBouncer solves them (Tan et al., NSDI 2019): the success ratios
 * of links in 0 to 1 that make {@code sum (y - product x)^2 + lambda sum x (1 - x)} least, by
 * coordinate descent from 1. Squares are weighted by the packets of a flow, without which its
 * results here are worse. Written after the paper.
 */
final class NetBouncerSolver {
  private static final int SWEEPS = 20;
  private static final double STILL = 1e-9;

  private final LossTrace trace;
  private final int[] start;
  private final int[] flows;
  private final double scale;

  NetBouncerSolver(LossTrace trace) {
    this.trace = trace;
    start = new int[trace.candidates() + 1];
    for (short link : trace.elements()) {
      start[link + 1]++;
    }
    for (int link = 0; link < trace.candidates(); link++) {
      start[link + 1] += start[link];
    }
    flows = new int[trace.elements().length];
    int[] next = start.clone();
    trace.walk(
        (flow, from, to) -> {
          for (int i = from; i < to; i++) {
            flows[next[trace.elements()[i]]++] = flow;
          }
        });
    scale = (double) trace.flows() / Arrays.stream(trace.sent()).asLongStream().sum();
  }

  /** The loss ratio of every directed link. */
  double[] losses(double lambda) {
    double[] success = new double[trace.candidates()];
    double[] product = new double[trace.flows()];
    Arrays.fill(success, 1);
    Arrays.fill(product, 1);
    double moved = 1;
    for (int sweep = 0; sweep < SWEEPS && moved > STILL; sweep++) {
      moved = 0;
      for (int link = 0; link < success.length; link++) {
        double best = best(link, success[link], product, lambda);
        double ratio = best / success[link];
        if (ratio != 1) {
          for (int i = start[link]; i < start[link + 1]; i++) {
            product[flows[i]] *= ratio;
          }
          moved = Math.max(moved, Math.abs(best - success[link]));
          success[link] = best;
        }
      }
    }
    return Arrays.stream(success).map(x -> 1 - x).toArray();
  }

  private double best(int link, double now, double[] product, double lambda) {
    double squares = -lambda;
    double linear = -lambda / 2;
    for (int i = start[link]; i < start[link + 1]; i++) {
      int flow = flows[i];
      double others = product[flow] / now;
      double weight = scale * trace.sent()[flow];
      squares += weight * others * others;
      linear += weight * others * (1 - (double) trace.lost()[flow] / trace.sent()[flow]);
    }
    if (squares <= 0) {
      return 1;
    }
    return Math.max(1e-6, Math.min(1, linear / squares));
  }
}
