package io.fabrichealth.scorecard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Probabilities held against what is true: one trial a subject and run. */
final class Calibration {
  /** Of equal mass. */
  static final int BINS = 15;

  private final List<double[]> trials = new ArrayList<>();

  /** One bin of the reliability diagram. */
  record Bin(double said, double happened, int trials) {}

  synchronized void add(double probability, boolean happened) {
    trials.add(new double[] {probability, happened ? 1 : 0});
  }

  int trials() {
    return trials.size();
  }

  double rate() {
    return trials.stream().mapToDouble(trial -> trial[1]).average().orElse(Double.NaN);
  }

  /** Mean square of what is said against what happens. */
  double brier() {
    return trials.stream()
        .mapToDouble(trial -> (trial[0] - trial[1]) * (trial[0] - trial[1]))
        .average()
        .orElse(Double.NaN);
  }

  /** That of always saying how often it happens. */
  double brierOfRate() {
    return rate() * (1 - rate());
  }

  List<Bin> bins() {
    double[][] sorted = trials.toArray(double[][]::new);
    Arrays.sort(
        sorted,
        (one, other) ->
            one[0] == other[0]
                ? Double.compare(one[1], other[1])
                : Double.compare(one[0], other[0]));
    List<Bin> bins = new ArrayList<>();
    for (int bin = 0; bin < BINS; bin++) {
      int from = (int) ((long) sorted.length * bin / BINS);
      int to = (int) ((long) sorted.length * (bin + 1) / BINS);
      if (to > from) {
        double said = 0;
        double happened = 0;
        for (int i = from; i < to; i++) {
          said += sorted[i][0];
          happened += sorted[i][1];
        }
        bins.add(new Bin(said / (to - from), happened / (to - from), to - from));
      }
    }
    return bins;
  }

  /** Expected calibration error: mean distance of the bins from what happens. */
  double error() {
    return bins().stream()
        .mapToDouble(bin -> Math.abs(bin.said() - bin.happened()) * bin.trials() / trials.size())
        .sum();
  }
}
