package io.fabrichealth.detect.fec;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How probable 0, 1, ... t errors in a codeword are, and more than t of them, under one of the
 * families that a fit tries. The last element holds "more than t". Belongs to one fit.
 */
final class Masses {
  /** Codewords of up to that many errors are followed for the tail of a recursion. */
  private static final int FAR = 96;

  private static final double NEGLIGIBLE = 1e-10;

  /** Beyond what can be corrected, probabilities fall by this factor an error at least. */
  private static final double STEEPEST = .9;

  private final int n;
  private final int t;
  private final double[] one;
  private final double[] other;
  private final double[] next;
  private final double[] logRise;
  private double[] shares = new double[0];

  Masses(int n, int t) {
    this.n = n;
    this.t = t;
    one = new double[FAR + 1];
    other = new double[FAR + 1];
    next = new double[FAR + 1];
    logRise = new double[FAR];
    for (int k = 0; k < FAR; k++) {
      logRise[k] = Math.log((n - k) / (k + 1.0));
    }
  }

  /** Shares of the lanes in the errors, that add up to 1; for {@link #lanes}. */
  void shares(double[] ofLanes) {
    shares = ofLanes;
  }

  /**
   * Adds a binomial of that weight.
   *
   * @param slope where its slope by the logarithm of p goes; null where nobody asks
   */
  private void addBinomial(double weight, double p, double[] into, double @Nullable [] slope) {
    double odds = p / (1 - p);
    double mean = n * p;
    double term = weight * Math.exp(n * Math.log1p(-p));
    for (int k = 0; k <= t; k++) {
      into[k] += term;
      if (slope != null) {
        slope[k] = term * (k - mean) / (1 - p);
      }
      term *= (n - k) / (k + 1.0) * odds;
    }
    if (slope != null) {
      slope[t + 1] = (t + 1) * term;
    }
    double tail = 0;
    for (int k = t + 1; k < n && term > NEGLIGIBLE * tail; k++) {
      tail += term;
      term *= (n - k) / (k + 1.0) * odds;
    }
    into[t + 1] += tail;
  }

  void noise(double logP, double[] into, double @Nullable [][] slopes) {
    Arrays.fill(into, 0, t + 2, 0);
    addBinomial(1, probability(logP), into, slopes == null ? null : slopes[0]);
  }

  void twoStates(
      double logP, double logWeight, double logOther, double[] into, double @Nullable [][] slopes) {
    double weight = Math.min(Math.exp(logWeight), 1 - 1e-9);
    Arrays.fill(into, 0, t + 2, 0);
    addBinomial(1, probability(logP), into, slopes == null ? null : slopes[0]);
    Arrays.fill(other, 0, t + 2, 0);
    addBinomial(1, probability(logOther), other, slopes == null ? null : slopes[2]);
    for (int k = 0; k <= t + 1; k++) {
      if (slopes != null) {
        slopes[0][k] *= 1 - weight;
        slopes[1][k] = weight * (other[k] - into[k]);
        slopes[2][k] *= weight;
      }
      into[k] += weight * (other[k] - into[k]);
    }
  }

  /**
   * Poisson noise and bursts of geometrically many errors beside it; without noise Polya-Aeppli.
   */
  void bursts(double noise, double bursts, double more, double[] into) {
    double theta = more;
    double single = noise + bursts * (1 - theta);
    double[] p = one;
    p[0] = Math.exp(-noise - bursts);
    double sum = 0;
    int k = 0;
    for (; k < FAR; k++) {
      double term = single * p[k];
      if (k >= 1) {
        term += 2 * theta * k * p[k] - 2 * theta * noise * p[k - 1];
      }
      if (k >= 2) {
        term += theta * theta * (noise * p[k - 2] - (k - 1) * p[k - 1]);
      }
      p[k + 1] = Math.max(term / (k + 1), 0);
      if (k + 1 > t) {
        sum += p[k + 1];
        if (p[k + 1] < NEGLIGIBLE * sum || sum == 0) {
          break;
        }
      }
    }
    System.arraycopy(p, 0, into, 0, t + 1);
    into[t + 1] = sum;
  }

  /** Each lane a binomial of its own: the symbols of a codeword are dealt out to the lanes. */
  void lanes(double logMean, double[] into) {
    int width = Math.min(FAR, t + 17);
    double mean = Math.exp(logMean);
    double[] sum = one;
    Arrays.fill(sum, 0, width + 1, 0);
    sum[0] = 1;
    int size = 0;
    int trials = n / shares.length;
    for (double share : shares) {
      double p = Math.min(.4, mean * share / trials);
      double odds = p / (1 - p);
      double term = Math.exp(trials * Math.log1p(-p));
      int terms = Math.min(trials, width);
      for (int k = 0; k <= terms; k++) {
        other[k] = term;
        term *= (trials - k) / (k + 1.0) * odds;
      }
      int reach = Math.min(width, size + terms);
      for (int k = 0; k <= reach; k++) {
        double value = 0;
        for (int j = Math.max(0, k - size); j <= Math.min(k, terms); j++) {
          value += other[j] * sum[k - j];
        }
        next[k] = value;
      }
      System.arraycopy(next, 0, sum, 0, reach + 1);
      size = reach;
    }
    System.arraycopy(sum, 0, into, 0, t + 1);
    double tail = 0;
    for (int k = width; k > t; k--) {
      tail += sum[k];
    }
    if (mean > t / 3.0) {
      double within = 0;
      for (int k = 0; k <= t; k++) {
        within += sum[k];
      }
      tail = Math.max(tail, 1 - within);
    }
    into[t + 1] = tail;
  }

  /**
   * Between a geometric law (curve 0) and a binomial one (curve 1) from one number of errors on;
   * what is below is left open (NaN).
   */
  void tail(
      int from,
      double logMass,
      double logFactor,
      double curve,
      double[] into,
      double @Nullable [][] slopes) {
    Arrays.fill(into, 0, from, Double.NaN);
    double bend = Math.max(0, curve);
    double term = Math.exp(logMass);
    double rise = 0;
    double sum = 0;
    double sumOfSteps = 0;
    double sumOfRises = 0;
    for (int k = from; k < FAR; k++) {
      if (k <= t) {
        into[k] = term;
        if (slopes != null) {
          slopes[0][k] = term;
          slopes[1][k] = term * (k - from);
          slopes[2][k] = term * rise;
        }
      } else {
        sum += term;
        sumOfSteps += term * (k - from);
        sumOfRises += term * rise;
        if (term < NEGLIGIBLE * sum) {
          break;
        }
      }
      double factor = Math.exp(logFactor + bend * logRise[k]);
      term *= k < t ? factor : Math.min(factor, STEEPEST);
      rise += logRise[k];
    }
    into[t + 1] = sum;
    if (slopes != null) {
      slopes[0][t + 1] = sum;
      slopes[1][t + 1] = sumOfSteps;
      slopes[2][t + 1] = sumOfRises;
    }
  }

  /** Logarithm of the factor from k to k + 1 in the number of ways to have k errors. */
  double logRise(int k) {
    return logRise[k];
  }

  private static double probability(double log) {
    return Math.min(Math.exp(log), .4);
  }
}
