package io.fabrichealth.detect.fec;

import org.jspecify.annotations.Nullable;

/**
 * Finds by maximum likelihood which distribution of errors over codewords a histogram shows, and
 * with it the ratio of lost codewords, far beyond what was seen.
 *
 * <p>Counts of bins are Poisson; lost codewords, where they are counted, are the last bin. Tried
 * are a binomial (noise), the convolution of lanes of known shares, Polya-Aeppli (bursts), noise
 * with bursts, and two binomials (good and bad times); where none of them holds, distributions that
 * follow only the codewords with many errors, with the counts of few errors as parameters of their
 * own. Of those that hold, the Bayesian information criterion chooses. The interval is that of the
 * profile likelihood, widened by the misfit (quasi-likelihood), over all families that are nearly
 * as good.
 *
 * <p>Source: A. Polya, Ann. Inst. Henri Poincare 1 (1930) and A. Aeppli (1924) for the compound
 * Poisson law; D. Venzon and S. Moolgavkar, Appl. Statist. 37 (1988) for profile likelihood
 * intervals; G. Schwarz, Ann. Statist. 6 (1978) for the criterion; P. McCullagh and J. Nelder,
 * Generalized Linear Models, 9.2, for quasi-likelihood.
 *
 * <p>Not safe for several threads; one instance is used for many histograms.
 */
public final class HistogramFit extends FamilyLikelihood {

  /** Half of the 95 % point of chi-square with one degree of freedom. */
  private static final double DROP = 1.9207;

  /**
   * Chi-square over degrees of freedom up to which the criterion prefers noise to all that has more
   * parameters.
   */
  private static final double FITS = 1.3;

  /** The same from which a richer family is tried too. */
  private static final double DOUBTFUL = 1.6;

  /** The same from which another start is no use. */
  private static final double HOPELESS = 100;

  /** So many lost codewords tell their ratio better than any family. */
  private static final double COUNTED = 10;

  /** Difference of the criterion up to which a family's interval counts too. */
  private static final double NEARLY = 6;

  private static final double NORMAL_95 = 1.96;
  private static final double LN10 = Math.log(10);

  private final Candidate[] candidates = new Candidate[32];
  private int found;

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

  /** The best of the families that hold; where none does, the best of all. */
  private Candidate likeliest() {
    Candidate least = candidates[0];
    for (int index = 1; index < found; index++) {
      Candidate candidate = candidates[index];
      boolean holds = candidate.misfit <= BAD;
      if (holds == (least.misfit <= BAD) ? candidate.criterion < least.criterion : holds) {
        least = candidate;
      }
    }
    return least;
  }

  private double bestMisfit() {
    return found == 0 ? Double.POSITIVE_INFINITY : likeliest().misfit;
  }

  private @Nullable TailEstimate summary(double ratio, double lost) {
    if (found == 0) {
      return null;
    }
    Candidate chosen = likeliest();
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int index = 0; index < found; index++) {
      Candidate candidate = candidates[index];
      boolean isNear =
          candidate.criterion <= chosen.criterion + NEARLY
              && (candidate.misfit <= BAD || chosen.misfit > BAD);
      if (isNear && lost < COUNTED) {
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
}
