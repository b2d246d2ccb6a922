package io.fabrichealth.detect.fec;

import io.fabrichealth.topology.FecMode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds by maximum likelihood which distribution of errors over codewords a histogram shows, and
 * with it the ratio of lost codewords, far beyond what was seen.
 *
 * <p>Counts of bins are Poisson; lost codewords, where they are counted, are the last bin. Tried
 * are a binomial (noise), the convolution of lanes of known shares, Polya-Aeppli (bursts), noise
 * with bursts, and two binomials (good and bad times); where none of them holds, distributions that
 * follow only the codewords with many errors, with the counts of few errors as parameters of their
 * own. The Bayesian information criterion decides. The interval is that of the profile likelihood,
 * widened by the misfit (quasi-likelihood), over all families that are nearly as good.
 *
 * <p>Source: A. Polya, Ann. Inst. Henri Poincare 1 (1930) and A. Aeppli (1924) for the compound
 * Poisson law; D. Venzon and S. Moolgavkar, Appl. Statist. 37 (1988) for profile likelihood
 * intervals; G. Schwarz, Ann. Statist. 6 (1978) for the criterion; P. McCullagh and J. Nelder,
 * Generalized Linear Models, 9.2, for quasi-likelihood.
 *
 * <p>Not safe for several threads; one instance is used for many histograms.
 */
public final class HistogramFit {
  private static final int MOST_PARAMETERS = 3;
  private static final int STEPS = 15;
  private static final int INTERVAL_STEPS = 8;
  private static final double CONVERGED = 2e-3;
  private static final double DELTA = 1e-5;
  private static final double LARGEST_STEP = 1.5;

  /** Half of the 95 % point of chi-square with one degree of freedom. */
  private static final double DROP = 1.9207;

  /** Chi-square over degrees of freedom from which a family does not hold. */
  private static final double BAD = 3;

  /** The same up to which the criterion prefers noise to all that has more parameters. */
  private static final double FITS = 1.3;

  /** The same from which a richer family is tried too. */
  private static final double DOUBTFUL = 1.6;

  /** The same from which another start is no use. */
  private static final double HOPELESS = 100;

  /** So many lost codewords tell their ratio better than any family. */
  private static final double COUNTED = 10;

  /** Twice the log-likelihood that one bin may cost where the family holds. */
  private static final double ONE_BIN = 10;

  /** Difference of the criterion up to which a family's interval counts too. */
  private static final double NEARLY = 6;

  private static final double NORMAL_95 = 1.96;
  private static final double LN10 = Math.log(10);

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
  private final double[] best = new double[MOST_PARAMETERS];
  private final double[] bestOfStarts = new double[MOST_PARAMETERS];

  private SymbolHistogram histogram;
  private Masses family;
  private Kind kind = Kind.NOISE;
  private int from;
  private int size;
  private int tail;
  private double bestValue;
  private double logTail;

  private final Candidate[] candidates = new Candidate[32];
  private int found;

  private enum Kind {
    NOISE(true, 1, .02, Shape.NOISE),
    LANES(false, 1, .01, Shape.LANES),
    BURSTS(false, 2, .03, Shape.BURSTS),
    NOISE_AND_BURSTS(false, 3, .05, Shape.NOISE_AND_BURSTS),
    TWO_STATES(true, 3, .1, Shape.TWO_STATES),
    TAIL(true, 3, .1, Shape.TAIL);

    private final boolean hasSlopes;
    private final int parameters;

    /** How far the tail of a true distribution that is like it may lie off, by its distance. */
    private final double allowance;

    private final Shape shape;

    Kind(boolean hasSlopes, int parameters, double allowance, Shape shape) {
      this.hasSlopes = hasSlopes;
      this.parameters = parameters;
      this.allowance = allowance;
      this.shape = shape;
    }
  }

  /** What was found of one family. */
  private static final class Candidate {
    private Shape shape = Shape.NOISE;
    private double criterion;
    private double misfit;
    private double logTail;
    private double value;
    private int from;
    private Kind kind = Kind.NOISE;
    private final double[] parameters = new double[MOST_PARAMETERS];
    private double low;
    private double high;
  }

  public HistogramFit() {
    histogram = SymbolHistogram.of(FecMode.RS544, new double[0], null, 0, 0);
    family = new Masses(1, 1);
    for (int index = 0; index < candidates.length; index++) {
      candidates[index] = new Candidate();
    }
  }

  /**
   * @param laneErrors corrected errors by lane in the same interval; null where lanes do not count
   * @return null where the histogram holds no error at all, or no codeword
   */
  public @Nullable TailEstimate fit(SymbolHistogram of, double @Nullable [] laneErrors) {
    histogram = of;
    int t = of.mode().correctableSymbols();
    family = new Masses(of.mode().codewordSymbols(), t);
    size = of.counts().length;
    tail = t + 1;
    found = 0;
    double lost = Double.isNaN(of.lost()) ? 0 : of.lost();
    double errors = of.symbolErrors() + lost * (t + 1);
    if (!(errors > 0) || !(of.codewords() > 0)) {
      return null;
    }
    double mean = errors / of.codewords();
    double ratio = mean / of.mode().codewordSymbols();
    noise(ratio);
    if (laneErrors != null && laneErrors.length > 1) {
      lanes(laneErrors, mean);
    }
    if (highest() >= 2 && bestMisfit() > FITS) {
      bursts(mean);
      if (bestMisfit() > DOUBTFUL) {
        twoStates(ratio);
      }
      if (bestMisfit() > DOUBTFUL) {
        noiseAndBursts(mean);
      }
      if (bestMisfit() > BAD && highest() >= 4 && lost < COUNTED) {
        tails();
      }
    }
    return summary(ratio, lost);
  }

  private void noise(double ratio) {
    kind = Kind.NOISE;
    start(Math.log(ratio), 0, 0);
    optimise();
    note();
  }

  private void lanes(double[] laneErrors, double mean) {
    double sum = 0;
    for (double ofLane : laneErrors) {
      sum += ofLane;
    }
    if (!(sum > 0)) {
      return;
    }
    double[] shares = laneErrors.clone();
    for (int lane = 0; lane < shares.length; lane++) {
      shares[lane] /= sum;
    }
    family.shares(shares);
    kind = Kind.LANES;
    start(Math.log(mean), 0, 0);
    optimise();
    note();
  }

  /** The mean and the share of good codewords fix a Polya-Aeppli law. */
  private void bursts(double mean) {
    double good =
        histogram.counts().length > 0 && histogram.last()[0] == 0
            ? histogram.counts()[0] / histogram.codewords()
            : Math.exp(-mean);
    double events = Math.max(mean * .05, Math.min(mean * .999, -Math.log(Math.max(good, 1e-9))));
    double more = Math.max(1e-4, 1 - events / mean);
    kind = Kind.BURSTS;
    start(Math.log(events), logit(more), 0);
    optimise();
    note();
  }

  private void noiseAndBursts(double mean) {
    kind = Kind.NOISE_AND_BURSTS;
    start(Math.log(mean * .98), Math.log(mean * .01), logit(.4));
    optimise();
    note();
  }

  private void twoStates(double ratio) {
    kind = Kind.TWO_STATES;
    double value = Double.NEGATIVE_INFINITY;
    int n = histogram.mode().codewordSymbols();
    for (int attempt = 0; attempt < 2; attempt++) {
      // Beyond this many errors, the codewords are taken for those of the bad time.
      int split = splitBin(attempt);
      double above = 0;
      double errors = 0;
      for (int bin = split; bin < size; bin++) {
        above += histogram.counts()[bin];
        errors += histogram.counts()[bin] * histogram.first()[bin];
      }
      if (!Double.isNaN(histogram.lost())) {
        above += histogram.lost();
        errors += histogram.lost() * tail;
      }
      if (!(above > 0)) {
        continue;
      }
      double bad = errors / above / n;
      double weight = Math.min(.5, above / histogram.codewords());
      double good = Math.max(ratio * .01, ratio - weight * bad);
      start(Math.log(good), Math.log(weight), Math.log(bad));
      optimise();
      value = keep(value);
      if (pearson() <= BAD || pearson() > HOPELESS) {
        break;
      }
    }
    if (value > Double.NEGATIVE_INFINITY) {
      restore();
      note();
    }
  }

  private int splitBin(int attempt) {
    int high = highest();
    int wanted = attempt == 0 ? Math.max(1, (high + 1) / 2) : Math.min(2, high);
    for (int bin = 0; bin < size; bin++) {
      if (histogram.first()[bin] >= wanted) {
        return bin;
      }
    }
    return size;
  }

  /** Largest number of errors that was seen. */
  private int highest() {
    if (histogram.lost() > 0) {
      return tail;
    }
    int highest = 0;
    for (int bin = 0; bin < size; bin++) {
      if (histogram.counts()[bin] > 0) {
        highest = Math.max(highest, histogram.first()[bin]);
      }
    }
    return highest;
  }

  private void tails() {
    int low = 1;
    int high = size - 1;
    while (high > 0 && histogram.first()[high] > highest() - 2) {
      high--;
    }
    // The fewer bins are left out, the better; more of them make it fit.
    while (low <= high) {
      int bin = (low + high) / 2;
      if (tailFrom(bin) <= BAD) {
        high = bin - 1;
      } else {
        low = bin + 1;
      }
    }
  }

  private double tailFrom(int bin) {
    double here = Math.max(histogram.counts()[bin], .5);
    double next = bin + 1 < size ? Math.max(histogram.counts()[bin + 1], .5) : .5;
    from = histogram.first()[bin];
    kind = Kind.TAIL;
    start(Math.log(here / histogram.codewords()), Math.min(-.05, Math.log(next / here)), .3);
    best[1] -= best[2] * family.logRise(from);
    optimise();
    note();
    return pearson();
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

  private boolean isFree(int bin) {
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

  private double pearson() {
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

  private void start(double one, double two, double three) {
    best[0] = one;
    best[1] = two;
    best[2] = three;
  }

  /** Levenberg and Marquardt on the expected information. */
  private void optimise() {
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

  private double keep(double value) {
    if (bestValue > value) {
      System.arraycopy(best, 0, bestOfStarts, 0, MOST_PARAMETERS);
      return bestValue;
    }
    return value;
  }

  private void restore() {
    System.arraycopy(bestOfStarts, 0, best, 0, MOST_PARAMETERS);
    bestValue = value(best);
  }

  // --- what is kept of a family

  private void note() {
    if (bestValue == Double.NEGATIVE_INFINITY || found == candidates.length) {
      return;
    }
    Candidate candidate = candidates[found++];
    candidate.shape = kind.shape;
    candidate.misfit = pearson();
    candidate.logTail = logTail;
    int free = 0;
    for (int bin = 0; bin < size; bin++) {
      free += isFree(bin) ? 1 : 0;
    }
    candidate.criterion =
        -2 * bestValue + (kind.parameters + free) * Math.log(histogram.codewords());
    candidate.value = bestValue;
    candidate.kind = kind;
    candidate.from = from;
    System.arraycopy(best, 0, candidate.parameters, 0, MOST_PARAMETERS);
  }

  private void addInterval(Candidate candidate) {
    kind = candidate.kind;
    from = candidate.from;
    bestValue = candidate.value;
    System.arraycopy(candidate.parameters, 0, best, 0, MOST_PARAMETERS);
    double target = bestValue - DROP * Math.max(1, candidate.misfit);
    candidate.high = end(target, 1, candidate.logTail);
    candidate.low = end(target, -1, candidate.logTail);
  }

  /** Follows the profile of the tail to where the likelihood has fallen to the target. */
  private double end(double target, int direction, double middle) {
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

  private double bestCriterion() {
    double least = Double.POSITIVE_INFINITY;
    for (int index = 0; index < found; index++) {
      least = Math.min(least, candidates[index].criterion);
    }
    return least;
  }

  private double bestMisfit() {
    double least = bestCriterion();
    for (int index = 0; index < found; index++) {
      if (candidates[index].criterion == least) {
        return candidates[index].misfit;
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  private TailEstimate summary(double ratio, double lost) {
    double least = bestCriterion();
    Candidate chosen = candidates[0];
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int index = 0; index < found; index++) {
      Candidate candidate = candidates[index];
      if (candidate.criterion == least) {
        chosen = candidate;
      }
      if (candidate.criterion <= least + NEARLY && lost < COUNTED) {
        addInterval(candidate);
        double allowed = candidate.kind.allowance * Math.max(0, lowestSeen() - candidate.logTail);
        low = Math.min(low, candidate.low - allowed);
        high = Math.max(high, candidate.high + allowed);
      }
    }
    if (lost >= COUNTED) {
      return counted(chosen, ratio, lost);
    }
    return estimate(chosen, ratio, chosen.logTail, low, high);
  }

  /** Where many were lost, a family may only sharpen what was counted. */
  private TailEstimate counted(Candidate chosen, double ratio, double lost) {
    double counted = Math.log(lost / histogram.codewords());
    double spread = NORMAL_95 / Math.sqrt(lost);
    if (chosen.misfit > DOUBTFUL || Math.abs(chosen.logTail - counted) > spread) {
      return estimate(chosen, ratio, counted, counted - spread, counted + spread);
    }
    addInterval(chosen);
    double log = chosen.logTail;
    double least = chosen.kind == Kind.TAIL ? spread : spread / 2;
    double low = Math.min(chosen.low, log - least);
    return estimate(chosen, ratio, log, low, Math.max(chosen.high, log + least));
  }

  private TailEstimate estimate(
      Candidate chosen, double ratio, double log, double low, double high) {
    return new TailEstimate(
        chosen.shape,
        chosen.shape.isBursty() && log > candidates[0].logTail,
        ratio,
        Math.min(log, 0) / LN10,
        Math.min(low, Math.min(log, 0)) / LN10,
        Math.max(Math.min(high, 0), Math.min(log, 0)) / LN10,
        chosen.misfit);
  }

  /** Logarithm of the smallest ratio that was seen: what lies below it is a matter of belief. */
  private double lowestSeen() {
    double lowest = histogram.lost() > 0 ? histogram.lost() : histogram.codewords();
    for (int bin = 0; bin < size; bin++) {
      if (histogram.counts()[bin] > 0) {
        lowest = Math.min(lowest, histogram.counts()[bin]);
      }
    }
    return Math.log(lowest / histogram.codewords());
  }

  private static double logit(double p) {
    return Math.log(p / (1 - p));
  }

  private static double logistic(double x) {
    return 1 / (1 + Math.exp(-x));
  }
}
