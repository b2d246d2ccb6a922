package io.fabrichealth.scorecard;

import io.fabrichealth.detect.fec.HistogramFit;
import io.fabrichealth.detect.fec.SymbolHistogram;
import io.fabrichealth.detect.fec.TailEstimate;
import io.fabrichealth.topology.FecMode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws histograms of RS(544,514) from distributions whose loss is known, two minutes of a 400G
 * port each, and has the ratio of lost codewords told from them: by our fit, and by SONiC's method
 * written anew from its description. Shares no formula with the fit.
 */
final class FecTrial {
  private static final int SYMBOLS = 544;
  private static final int CORRECTABLE = 15;
  private static final int LANES = 8;
  private static final int MOST = 200;
  private static final double CODEWORDS = 78.125e6 * 120;

  private final SplittableRandom random;
  private final HistogramFit fit = new HistogramFit();

  FecTrial(long seed) {
    random = new SplittableRandom(seed);
  }

  /** What a device tells of the true counts. */
  private interface Telling {
    SymbolHistogram of(double[] counts, double lost);
  }

  private record Truth(String words, double[] masses, boolean inFamily, Telling telling) {}

  FecMargins run(int draws) {
    return new FecMargins(truths().stream().map(truth -> row(truth, draws)).toList());
  }

  private static List<Truth> truths() {
    List<Truth> truths = new ArrayList<>();
    for (double ber : new double[] {1e-6, 1e-5, 1e-4, 2.4e-4}) {
      truths.add(
          new Truth(
              "independent, BER %.1e".formatted(ber),
              binomial(SYMBOLS, symbol(ber)),
              true,
              FecTrial::all));
    }
    for (double[] burst : new double[][] {{.005, .1}, {.005, .3}, {.05, .3}, {.1, .4}}) {
      truths.add(
          new Truth(
              "bursts, %s a codeword, going on %s".formatted(burst[0], burst[1]),
              bursts(burst[0], burst[1]),
              true,
              FecTrial::all));
    }
    truths.add(
        new Truth(
            "good and bad times, 1 in 10^6 bad",
            mixed(binomial(SYMBOLS, symbol(1e-5)), binomial(SYMBOLS, .02), 1e-6),
            true,
            FecTrial::all));
    truths.add(
        new Truth(
            "good and bad times, 1 in 10^7 bad",
            mixed(binomial(SYMBOLS, symbol(1e-6)), binomial(SYMBOLS, .015), 1e-7),
            true,
            FecTrial::all));
    truths.add(
        new Truth(
            "one lane of eight 30 times worse, lanes not counted",
            lanes(1e-4, 3e-3),
            false,
            FecTrial::all));
    truths.add(
        new Truth(
            "noise, and bad times with bursts",
            mixed(binomial(SYMBOLS, symbol(1e-5)), bursts(.8, .3), 1e-5),
            false,
            FecTrial::all));
    truths.add(
        new Truth(
            "bad times that differ among themselves",
            mixed(binomial(SYMBOLS, symbol(1e-5)), spread(.004, .016), 1e-5),
            false,
            FecTrial::all));
    double[] noise = binomial(SYMBOLS, symbol(1e-4));
    truths.add(
        new Truth(
            "independent, the counter of clean codewords saturated",
            noise,
            false,
            FecTrial::withoutClean));
    truths.add(new Truth("independent, ten bins", noise, false, FecTrial::tenBins));
    truths.add(new Truth("independent, bins merged", noise, false, FecTrial::merged));
    return truths;
  }

  private FecMargins.Row row(Truth truth, int draws) {
    double lost = 0;
    for (int errors = CORRECTABLE + 1; errors < MOST; errors++) {
      lost += truth.masses()[errors];
    }
    double log = Math.log10(lost);
    List<Double> ours = new ArrayList<>();
    List<Double> designed = new ArrayList<>();
    List<Double> shipped = new ArrayList<>();
    int covered = 0;
    for (int draw = 0; draw < draws; draw++) {
      double[] counts = new double[CORRECTABLE + 1];
      for (int errors = 0; errors < counts.length; errors++) {
        counts[errors] = poisson(CODEWORDS * truth.masses()[errors]);
      }
      double gone = poisson(CODEWORDS * lost);
      TailEstimate estimate = fit.fit(truth.telling().of(counts, gone), null);
      ours.add(estimate == null ? Double.POSITIVE_INFINITY : estimate.logLostRatio() - log);
      covered += estimate != null && estimate.low() <= log && log <= estimate.high() ? 1 : 0;
      designed.add(Math.abs(sonic(counts, true) - log));
      shipped.add(Math.abs(sonic(counts, false) - log));
    }
    return new FecMargins.Row(
        truth.words(), lost, truth.inFamily(), ours, covered, median(designed), median(shipped));
  }

  private static double median(List<Double> values) {
    return ClassRow.quantile(values.stream().mapToDouble(Double::doubleValue), .5);
  }

  // --- what devices tell

  private static SymbolHistogram all(double[] counts, double lost) {
    return SymbolHistogram.of(FecMode.RS544, counts.clone(), null, lost, Double.NaN);
  }

  private static SymbolHistogram withoutClean(double[] counts, double lost) {
    double[] told = counts.clone();
    told[0] = Double.NaN;
    return SymbolHistogram.of(FecMode.RS544, told, null, lost, CODEWORDS);
  }

  private static SymbolHistogram tenBins(double[] counts, double lost) {
    double[] told = java.util.Arrays.copyOf(counts, 10);
    for (int errors = 10; errors < counts.length; errors++) {
      told[9] += counts[errors];
    }
    return SymbolHistogram.of(FecMode.RS544, told, null, lost, Double.NaN);
  }

  private static SymbolHistogram merged(double[] counts, double lost) {
    int[][] ranges = {{0, 0}, {1, 1}, {2, 3}, {4, 7}, {8, 15}};
    double[] told = new double[ranges.length];
    for (int bin = 0; bin < ranges.length; bin++) {
      for (int errors = ranges[bin][0]; errors <= ranges[bin][1]; errors++) {
        told[bin] += counts[errors];
      }
    }
    return SymbolHistogram.of(FecMode.RS544, told, ranges, lost, Double.NaN);
  }

  // --- SONiC

  /**
   * A line through log10 of the shares of codewords with 1 to 15 errors, where more than ten were
   * counted, and its values from 16 to 20 added up. As shipped, the script has lost the clean
   * codewords when it works out the shares.
   */
  private static double sonic(double[] counts, boolean asDesigned) {
    double total = 0;
    for (int errors = asDesigned ? 0 : 1; errors < counts.length; errors++) {
      total += counts[errors];
    }
    int used = 0;
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
    for (int errors = 1; errors < counts.length; errors++) {
      if (counts[errors] > 10) {
        double share = Math.log10(counts[errors] / total);
        used++;
        x += errors;
        y += share;
        xx += errors * errors;
        xy += errors * share;
      }
    }
    if (used < 2) {
      return Double.NaN;
    }
    double slope = (used * xy - x * y) / (used * xx - x * x);
    double start = (y - slope * x) / used;
    double sum = 0;
    for (int errors = CORRECTABLE + 1; errors <= 20; errors++) {
      sum += Math.pow(10, start + slope * errors);
    }
    return Math.log10(sum);
  }

  // --- truths

  private static double symbol(double bitErrorRatio) {
    return -Math.expm1(10 * Math.log1p(-bitErrorRatio));
  }

  private static double[] binomial(int trials, double p) {
    double[] masses = new double[MOST];
    double log = trials * Math.log1p(-p);
    for (int k = 0; k < MOST && k <= trials; k++) {
      masses[k] = Math.exp(log);
      log += Math.log(trials - k) - Math.log(k + 1) + Math.log(p) - Math.log1p(-p);
    }
    return masses;
  }

  /** Geometrically many errors a burst, Poisson many bursts: convolved term by term. */
  private static double[] bursts(double rate, double goesOn) {
    double[] sum = new double[MOST];
    double[] together = new double[MOST];
    together[0] = 1;
    double weight = Math.exp(-rate);
    for (int bursts = 0; bursts < 40; bursts++) {
      for (int k = 0; k < MOST; k++) {
        sum[k] += weight * together[k];
      }
      double[] next = new double[MOST];
      for (int k = 0; k < MOST; k++) {
        for (int more = 1; k + more < MOST; more++) {
          next[k + more] += together[k] * (1 - goesOn) * Math.pow(goesOn, more - 1);
        }
      }
      together = next;
      weight *= rate / (bursts + 1);
    }
    return sum;
  }

  private static double[] mixed(double[] good, double[] bad, double partBad) {
    double[] masses = new double[MOST];
    for (int k = 0; k < MOST; k++) {
      masses[k] = (1 - partBad) * good[k] + partBad * bad[k];
    }
    return masses;
  }

  /** Error ratios of the symbols from one value to another, all alike. */
  private static double[] spread(double least, double most) {
    double[] masses = new double[MOST];
    int steps = 50;
    for (int step = 0; step < steps; step++) {
      double[] one = binomial(SYMBOLS, least + (most - least) * (step + .5) / steps);
      for (int k = 0; k < MOST; k++) {
        masses[k] += one[k] / steps;
      }
    }
    return masses;
  }

  private static double[] lanes(double others, double bad) {
    double[] masses = binomial(SYMBOLS / LANES, bad);
    double[] rest = binomial(SYMBOLS - SYMBOLS / LANES, others);
    double[] both = new double[MOST];
    for (int a = 0; a < MOST; a++) {
      for (int b = 0; a + b < MOST; b++) {
        both[a + b] += masses[a] * rest[b];
      }
    }
    return both;
  }

  private double poisson(double mean) {
    if (mean > 500) {
      return Math.max(0, Math.rint(mean + Math.sqrt(mean) * gaussian()));
    }
    double limit = Math.exp(-mean);
    double product = random.nextDouble();
    int count = 0;
    while (product > limit) {
      count++;
      product *= random.nextDouble();
    }
    return count;
  }

  private double gaussian() {
    return random.nextGaussian();
  }
}
