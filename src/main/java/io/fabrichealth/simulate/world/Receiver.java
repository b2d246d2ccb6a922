package io.fabrichealth.simulate.world;

import io.fabrichealth.simulate.Draws;
import io.fabrichealth.simulate.ForwardErrorCorrection;
import java.util.Arrays;

/**
 * The receiving side of a port: codewords by the number of their wrong symbols, drawn from the bit
 * error ratios of the lanes. Stray bursts of a few symbols (error propagation of the equaliser)
 * come on top.
 */
final class Receiver {
  /** Terms beyond the last correctable one that are looked at. */
  private static final int BEYOND = 25;

  /** A lane that errs less leaves no terms that far out. */
  private static final double QUIET = 1e-6;

  private static final int BEYOND_QUIET = 1;

  /** A change of the lanes' errors that is worth new tables, in decades. */
  private static final double WORTHWHILE = .004;

  /** Fewer codewords than these are not drawn for. */
  private static final double NEVER = 1e-10;

  /** Wrong bits of a wrong symbol beyond the first. */
  private static final double MORE_BITS = .015;

  private static final double PROPAGATION = .3;

  private final Code code;
  private final Draws draws;
  private final double[] laneRatios;
  private final double[] laneShares;
  private double decadesPerDegree;
  private final double burstsPerSecond;
  private double raisedDecades;
  private double degrees;
  private double tableDegrees = Double.NaN;
  private double[] probability = {};
  private double codewordsPerSecond;

  private double advancedTo;
  private double fraction;
  private long total;
  private long lastUncorrectable;
  private final long[] bins;
  private final long[] symbols;
  private final long[] bits;
  private double windowCodewords;
  private final double[] windowBits;

  /**
   * @param laneRatios bit error ratio of each lane at the mean temperature
   * @param decadesPerDegree by which all lanes err more when the module is warmer
   */
  Receiver(
      Code code,
      double bitsPerSecond,
      double[] laneRatios,
      double decadesPerDegree,
      double burstsPerSecond,
      Draws draws) {
    this.code = code;
    this.laneRatios = laneRatios.clone();
    this.decadesPerDegree = decadesPerDegree;
    this.burstsPerSecond = burstsPerSecond;
    this.draws = draws;
    codewordsPerSecond = code.codewordsPerSecond(bitsPerSecond);
    laneShares = new double[laneRatios.length];
    bins = new long[code.correctable() + 2];
    symbols = new long[laneRatios.length];
    bits = new long[laneRatios.length];
    windowBits = new double[laneRatios.length];
  }

  int lanes() {
    return laneRatios.length;
  }

  double laneRatio(int lane) {
    return laneRatios[lane];
  }

  void setLaneRatio(int lane, double ratio) {
    laneRatios[lane] = ratio;
    tableDegrees = Double.NaN;
  }

  /** All lanes err more by that many decades than they were made to. */
  void raise(double decades) {
    raisedDecades = decades;
    tableDegrees = Double.NaN;
  }

  /** How much more all lanes err when the module is warmer. */
  void setDecadesPerDegree(double decades) {
    decadesPerDegree = decades;
    tableDegrees = Double.NaN;
  }

  void setBitsPerSecond(double bitsPerSecond) {
    codewordsPerSecond = code.codewordsPerSecond(bitsPerSecond);
  }

  double codewordsPerSecond() {
    return codewordsPerSecond;
  }

  Code code() {
    return code;
  }

  /**
   * Goes on to a time.
   *
   * @param upSeconds how long the link has been up until then
   * @param warmer degrees above the module's mean
   * @return codewords that could not be corrected on the way
   */
  long advance(double upSeconds, double warmer) {
    double seconds = upSeconds - advancedTo;
    if (seconds <= 0) {
      return 0;
    }
    advancedTo = upSeconds;
    degrees = warmer;
    refresh();
    double exact = seconds * codewordsPerSecond + fraction;
    long codewords = (long) exact;
    fraction = exact - codewords;
    total += codewords;
    windowCodewords = codewords;
    Arrays.fill(windowBits, 0);
    long wrong = 0;
    long wrongSymbols = 0;
    for (int k = 1; k < probability.length; k++) {
      double mean = codewords * probability[k];
      if (mean < NEVER) {
        break;
      }
      long drawn = Math.min(codewords - wrong, draws.count(mean));
      bins[k] += drawn;
      wrong += drawn;
      wrongSymbols += k <= code.correctable() ? k * drawn : 0;
    }
    long uncorrectable = probability.length > 0 ? takeLast() : 0;
    spread(wrongSymbols, laneShares);
    for (long left = draws.count(burstsPerSecond * seconds); left > 0; left--) {
      int length = (int) draws.geometric(1 / (1 - PROPAGATION));
      int bin = Math.min(length, bins.length - 1);
      bins[bin]++;
      wrong++;
      uncorrectable += bin > code.correctable() ? 1 : 0;
      note(draws.index(symbols.length), length);
    }
    bins[0] += codewords - wrong;
    return uncorrectable;
  }

  private long takeLast() {
    long more = bins[bins.length - 1] - lastUncorrectable;
    lastUncorrectable = bins[bins.length - 1];
    return more;
  }

  /**
   * Takes codewords that came while the lanes were in another state; they were counted as good ones
   * of the time's total.
   *
   * @param table probability of each number of wrong symbols, its last entry that of too many
   * @return those that could not be corrected
   */
  long disturb(long codewords, double[] table, double[] shares) {
    long left = codewords;
    double rest = 1;
    long wrongSymbols = 0;
    long uncorrectable = 0;
    for (int k = 0; k < table.length && left > 0; k++) {
      long drawn = k == table.length - 1 ? left : draws.successes(left, table[k] / rest);
      rest = Math.max(rest - table[k], 1e-300);
      left -= drawn;
      if (k > 0) {
        bins[k] += drawn;
        bins[0] -= drawn;
        wrongSymbols += k <= code.correctable() ? k * drawn : 0;
        uncorrectable = k > code.correctable() ? drawn : 0;
      }
    }
    lastUncorrectable = bins[bins.length - 1];
    spread(wrongSymbols, shares);
    return uncorrectable;
  }

  private void spread(long wrongSymbols, double[] shares) {
    long left = wrongSymbols;
    double rest = 1;
    for (int lane = 0; lane < symbols.length && left > 0; lane++) {
      long here = lane == symbols.length - 1 ? left : draws.successes(left, shares[lane] / rest);
      rest = Math.max(rest - shares[lane], 1e-300);
      left -= here;
      note(lane, here);
    }
  }

  private void note(int lane, long wrongSymbols) {
    if (wrongSymbols > 0) {
      long wrongBits = wrongSymbols + draws.count(wrongSymbols * MORE_BITS);
      symbols[lane] += wrongSymbols;
      bits[lane] += wrongBits;
      windowBits[lane] += wrongBits;
    }
  }

  private void refresh() {
    // Not a number where there is no table yet.
    if (Math.abs(degrees - tableDegrees) * Math.abs(decadesPerDegree) < WORTHWHILE) {
      return;
    }
    tableDegrees = degrees;
    double[] ratios = new double[laneRatios.length];
    double factor = Math.pow(10, raisedDecades + decadesPerDegree * degrees);
    for (int lane = 0; lane < ratios.length; lane++) {
      ratios[lane] = Math.min(.4, laneRatios[lane] * factor);
    }
    probability = table(code, ratios);
    shares(ratios, laneShares);
  }

  /**
   * Probability of each number of wrong symbols up to the last correctable one, and of more.
   *
   * @param ratios bit error ratio of each lane
   */
  static double[] table(Code code, double[] ratios) {
    double worst = 0;
    for (double ratio : ratios) {
      worst = Math.max(worst, ratio);
    }
    int most = code.correctable() + (worst < QUIET ? BEYOND_QUIET : BEYOND);
    double[] terms = ForwardErrorCorrection.wrongSymbols(code.symbols(), most, ratios);
    double[] table = new double[code.correctable() + 2];
    double within = 0;
    for (int k = 0; k <= code.correctable(); k++) {
      table[k] = terms[k];
      within += terms[k];
    }
    double beyond = 0;
    for (int k = most; k > code.correctable(); k--) {
      beyond += terms[k];
    }
    table[code.correctable() + 1] = within < .99 ? 1 - within : beyond;
    return table;
  }

  /** Each lane's part of all wrong symbols. */
  static void shares(double[] ratios, double[] into) {
    double sum = 0;
    for (int lane = 0; lane < ratios.length; lane++) {
      into[lane] = ForwardErrorCorrection.symbolErrorRatio(ratios[lane]);
      sum += into[lane];
    }
    for (int lane = 0; lane < ratios.length; lane++) {
      into[lane] /= sum;
    }
  }

  long totalCodewords() {
    return total;
  }

  /** Codewords with that many wrong symbols; the last entry has more than can be corrected. */
  long codewords(int wrongSymbols) {
    return bins[wrongSymbols];
  }

  long uncorrectableCodewords() {
    return bins[bins.length - 1];
  }

  long correctedCodewords() {
    return total - bins[0] - uncorrectableCodewords();
  }

  long symbolErrors(int lane) {
    return symbols[lane];
  }

  long correctedBits(int lane) {
    return bits[lane];
  }

  /** Bit error ratio of a lane over the last advance, as the device says it. */
  double measuredLaneRatio(int lane) {
    return windowCodewords == 0
        ? 0
        : windowBits[lane] / (windowCodewords * code.laneBits(windowBits.length));
  }

  double measuredRatio() {
    double sum = 0;
    for (double lane : windowBits) {
      sum += lane;
    }
    return windowCodewords == 0 ? 0 : sum / (windowCodewords * code.bits());
  }
}
