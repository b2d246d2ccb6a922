package io.fabrichealth.detect.fec;

import io.fabrichealth.topology.FecMode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The likelihood of one family of distributions of errors over codewords: its largest value by
 * Levenberg and Marquardt, and the profile of its tail. Not safe for several threads.
 */
class FamilyLikelihood {
  static final int MOST_PARAMETERS = 3;
  private static final int STEPS = 15;
  private static final int INTERVAL_STEPS = 8;
  private static final double CONVERGED = 2e-3;
  private static final double DELTA = 1e-5;
  private static final double LARGEST_STEP = 1.5;

  /** Chi-square over degrees of freedom from which a family does not hold. */
  static final double BAD = 3;

  /** Twice the log-likelihood that one bin may cost where the family holds. */
  private static final double ONE_BIN = 10;

  private final double[] masses = new double[64];
  private final double[] shifted = new double[64];
  private final double[] expected = new double[64];
  private final double[][] ofMasses = new double[MOST_PARAMETERS][64];
  private final double[][] slopes = new double[MOST_PARAMETERS][64];
  private final double[] tailSlopes = new double[MOST_PARAMETERS];
  private final double[] score = new double[MOST_PARAMETERS];
  private final double[][] information = new double[MOST_PARAMETERS][MOST_PARAMETERS];
  private final double[][] solved = new double[MOST_PARAMETERS][MOST_PARAMETERS + 1];
  private final double[] step = new double[MOST_PARAMETERS];
  private final double[] trial = new double[MOST_PARAMETERS];
  final double[] best = new double[MOST_PARAMETERS];
  private final double[] bestOfStarts = new double[MOST_PARAMETERS];

  SymbolHistogram histogram;
  Masses family;
  Kind kind = Kind.NOISE;
  int from;
  int size;
  int tail;
  double bestValue;
  double logTail;

  enum Kind {
    NOISE(true, 1, .02, Shape.NOISE),
    LANES(false, 1, .01, Shape.LANES),
    BURSTS(false, 2, .03, Shape.BURSTS),
    NOISE_AND_BURSTS(false, 3, .05, Shape.NOISE_AND_BURSTS),
    TWO_STATES(true, 3, .1, Shape.TWO_STATES),
    TAIL(true, 3, .1, Shape.TAIL);

    final boolean hasSlopes;
    final int parameters;

    /** How far the tail of a true distribution that is like it may lie off, by its distance. */
    final double allowance;

    final Shape shape;

    Kind(boolean hasSlopes, int parameters, double allowance, Shape shape) {
      this.hasSlopes = hasSlopes;
      this.parameters = parameters;
      this.allowance = allowance;
      this.shape = shape;
    }
  }

  FamilyLikelihood() {
    histogram = SymbolHistogram.of(FecMode.RS544, new double[0], null, 0, 0);
    family = new Masses(1, 1);
  }

  // --- the families

  private void evaluate(double[] parameters, double[] into) {
    evaluate(parameters, into, null);
  }

  private void evaluate(double[] parameters, double[] into, double @Nullable [][] slopesOf) {
    switch (kind) {
      case NOISE -> family.noise(parameters[0], into, slopesOf);
      case LANES -> family.lanes(parameters[0], into);
      case BURSTS -> family.bursts(0, Math.exp(parameters[0]), logistic(parameters[1]), into);
      case NOISE_AND_BURSTS ->
          family.bursts(
              Math.exp(parameters[0]), Math.exp(parameters[1]), logistic(parameters[2]), into);
      case TWO_STATES ->
          family.twoStates(parameters[0], parameters[1], parameters[2], into, slopesOf);
      case TAIL -> family.tail(from, parameters[0], parameters[1], parameters[2], into, slopesOf);
    }
  }

  boolean isFree(int bin) {
    return kind == Kind.TAIL && histogram.first()[bin] < from;
  }

  private double massOf(int bin, double[] of) {
    double sum = 0;
    for (int k = histogram.first()[bin]; k <= histogram.last()[bin]; k++) {
      sum += of[k];
    }
    return sum;
  }

  // --- likelihood

  private double value(double[] parameters) {
    evaluate(parameters, masses);
    double all = histogram.codewords();
    double sum = 0;
    for (int bin = 0; bin < size; bin++) {
      if (!isFree(bin)) {
        expected[bin] = all * massOf(bin, masses);
        sum += poisson(histogram.counts()[bin], expected[bin]);
      }
    }
    if (!Double.isNaN(histogram.lost())) {
      expected[size] = all * masses[tail];
      sum += poisson(histogram.lost(), expected[size]);
    }
    logTail = Math.log(masses[tail]);
    return Double.isNaN(sum) ? Double.NEGATIVE_INFINITY : sum;
  }

  /** Log-likelihood of a count, less that of its own value: 0 at best. */
  private static double poisson(double count, double mean) {
    if (!(mean > 0)) {
      return count > 0 ? Double.NEGATIVE_INFINITY : 0;
    }
    if (count == 0) {
      return -mean;
    }
    double excess = mean - count;
    if (mean < count / 1e3) {
      return count * Math.log(mean / count) - excess;
    }
    return count * Math.log1p(excess / count) - excess;
  }

  double pearson() {
    double sum = 0;
    int terms = 0;
    for (int bin = 0; bin < size; bin++) {
      if (!isFree(bin) && expected[bin] > .5) {
        double excess = histogram.counts()[bin] - expected[bin];
        sum += excess * excess / expected[bin];
        terms++;
      } else if (!isFree(bin) && histogram.counts()[bin] > 0) {
        // Hardly expected and yet there: what it costs in likelihood.
        sum += -2 * poisson(histogram.counts()[bin], expected[bin]);
        terms++;
      }
    }
    if (!Double.isNaN(histogram.lost()) && (histogram.lost() > 0 || expected[size] > .5)) {
      double ofLost = -2 * poisson(histogram.lost(), expected[size]);
      if (ofLost > ONE_BIN) {
        return Math.max(2 * BAD, ofLost / ONE_BIN * BAD);
      }
      sum += ofLost;
      terms++;
    }
    return sum / Math.max(1, terms - kind.parameters);
  }

  // --- optimisation

  void start(double one, double two, double three) {
    best[0] = one;
    best[1] = two;
    best[2] = three;
  }

  /** Levenberg and Marquardt on the expected information. */
  void optimise() {
    bestValue = value(best);
    double damping = 1e-3;
    for (int round = 0; round < STEPS; round++) {
      derive(best, false);
      boolean better = false;
      while (damping < 1e9) {
        solve(damping, null, 0);
        if (promised() < CONVERGED) {
          break;
        }
        move(best, 1);
        double next = value(trial);
        if (next > bestValue) {
          double gain = next - bestValue;
          System.arraycopy(trial, 0, best, 0, MOST_PARAMETERS);
          bestValue = next;
          damping = Math.max(damping / 10, 1e-9);
          better = gain > CONVERGED;
          break;
        }
        damping *= 10;
      }
      if (!better) {
        break;
      }
    }
    bestValue = value(best);
  }

  /** What the step gains if the likelihood is a parabola. */
  private double promised() {
    double sum = 0;
    for (int index = 0; index < kind.parameters; index++) {
      sum += score[index] * step[index];
    }
    return sum / 2;
  }

  /** Score and expected information at the point, by differences. */
  private void derive(double[] at, boolean withTail) {
    int parameters = kind.parameters;
    double all = histogram.codewords();
    evaluate(at, masses, kind.hasSlopes ? ofMasses : null);
    for (int index = 0; index < parameters; index++) {
      double[] slope = ofMasses[index];
      if (!kind.hasSlopes) {
        System.arraycopy(at, 0, trial, 0, MOST_PARAMETERS);
        trial[index] += DELTA;
        evaluate(trial, shifted);
        for (int k = 0; k <= tail; k++) {
          slope[k] = (shifted[k] - masses[k]) / DELTA;
        }
      }
      for (int bin = 0; bin < size; bin++) {
        slopes[index][bin] = isFree(bin) ? 0 : massOf(bin, slope) * all;
      }
      slopes[index][size] = slope[tail] * all;
      if (withTail) {
        tailSlopes[index] = slope[tail] / masses[tail];
      }
    }
    int bins = Double.isNaN(histogram.lost()) ? size : size + 1;
    for (int row = 0; row < parameters; row++) {
      score[row] = 0;
      Arrays.fill(information[row], 0);
    }
    for (int bin = 0; bin < bins; bin++) {
      if (bin < size && isFree(bin)) {
        continue;
      }
      double mean = all * (bin < size ? massOf(bin, masses) : masses[tail]);
      if (!(mean > 1e-200)) {
        continue;
      }
      double count = bin < size ? histogram.counts()[bin] : histogram.lost();
      for (int row = 0; row < parameters; row++) {
        score[row] += (count - mean) / mean * slopes[row][bin];
        for (int column = 0; column <= row; column++) {
          information[row][column] += slopes[row][bin] / mean * slopes[column][bin];
        }
      }
    }
    for (int row = 0; row < parameters; row++) {
      for (int column = 0; column < row; column++) {
        information[column][row] = information[row][column];
      }
    }
  }

  /** Solves information * step = score (+ pull * tail slopes). */
  private void solve(double damping, double @Nullable [] along, double pull) {
    int parameters = kind.parameters;
    for (int row = 0; row < parameters; row++) {
      System.arraycopy(information[row], 0, solved[row], 0, parameters);
      solved[row][row] += damping * Math.max(information[row][row], 1e-12);
      solved[row][parameters] = score[row] + (along == null ? 0 : pull * along[row]);
    }
    for (int pivot = 0; pivot < parameters; pivot++) {
      int strongest = pivot;
      for (int row = pivot + 1; row < parameters; row++) {
        if (Math.abs(solved[row][pivot]) > Math.abs(solved[strongest][pivot])) {
          strongest = row;
        }
      }
      double[] swapped = solved[pivot];
      solved[pivot] = solved[strongest];
      solved[strongest] = swapped;
      double divisor = solved[pivot][pivot];
      if (divisor == 0) {
        Arrays.fill(step, 0);
        return;
      }
      for (int row = 0; row < parameters; row++) {
        if (row != pivot) {
          double factor = solved[row][pivot] / divisor;
          for (int column = pivot; column <= parameters; column++) {
            solved[row][column] -= factor * solved[pivot][column];
          }
        }
      }
    }
    for (int row = 0; row < parameters; row++) {
      step[row] = solved[row][parameters] / solved[row][row];
    }
  }

  private void move(double[] start, double share) {
    double longest = 0;
    for (int index = 0; index < kind.parameters; index++) {
      longest = Math.max(longest, Math.abs(step[index]) * share);
    }
    double shrink = longest > LARGEST_STEP ? LARGEST_STEP / longest : 1;
    System.arraycopy(start, 0, trial, 0, MOST_PARAMETERS);
    for (int index = 0; index < kind.parameters; index++) {
      trial[index] = start[index] + step[index] * share * shrink;
    }
  }

  double keep(double value) {
    if (bestValue > value) {
      System.arraycopy(best, 0, bestOfStarts, 0, MOST_PARAMETERS);
      return bestValue;
    }
    return value;
  }

  void restore() {
    System.arraycopy(bestOfStarts, 0, best, 0, MOST_PARAMETERS);
    bestValue = value(best);
  }

  /** Follows the profile of the tail to where the likelihood has fallen to the target. */
  double end(double target, int direction, double middle) {
    System.arraycopy(best, 0, bestOfStarts, 0, MOST_PARAMETERS);
    double reached = middle;
    for (int round = 0; round < INTERVAL_STEPS; round++) {
      double here = value(bestOfStarts);
      double there = logTail;
      if (Double.isFinite(there) && direction * (there - reached) > 0) {
        reached = there;
      }
      if (round > 0 && Math.abs(here - target) < .05 * Math.max(1, bestValue - target)) {
        break;
      }
      derive(bestOfStarts, true);
      solve(1e-9, null, 0);
      double a = 0;
      for (int index = 0; index < kind.parameters; index++) {
        a += step[index] * score[index];
      }
      System.arraycopy(score, 0, shifted, 0, kind.parameters);
      System.arraycopy(tailSlopes, 0, score, 0, kind.parameters);
      solve(1e-9, null, 0);
      double b = 0;
      for (int index = 0; index < kind.parameters; index++) {
        b += step[index] * tailSlopes[index];
      }
      System.arraycopy(shifted, 0, score, 0, kind.parameters);
      if (!(b > 0)) {
        break;
      }
      double pull = Math.sqrt(Math.max(0, a + 2 * (here - target)) / b);
      solve(1e-9, tailSlopes, direction * pull);
      move(bestOfStarts, 1);
      System.arraycopy(trial, 0, bestOfStarts, 0, MOST_PARAMETERS);
    }
    return reached;
  }

  private static double logistic(double x) {
    return 1 / (1 + Math.exp(-x));
  }
}
