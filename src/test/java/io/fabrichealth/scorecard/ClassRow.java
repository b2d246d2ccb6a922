package io.fabrichealth.scorecard;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * The row of a class: all its runs together. Ratios are NaN where there is nothing to divide by.
 *
 * @param faults that were to be found; announced ones are not among them
 */
record ClassRow(
    int faultClass,
    String name,
    int runs,
    int faults,
    int found,
    int first,
    int firstThree,
    double meanReciprocalRank,
    int causeRight,
    int right,
    int echoes,
    int wrong,
    double ttdMedian,
    double ttdP95,
    double fromOnsetMedian,
    double linkDays) {

  static ClassRow of(int faultClass, String name, List<RunScore> runs) {
    List<FaultScore> faults =
        runs.stream()
            .flatMap(run -> run.faults().stream())
            .filter(fault -> !fault.announced())
            .toList();
    List<FaultScore> found = faults.stream().filter(FaultScore::isFound).toList();
    return new ClassRow(
        faultClass,
        name,
        runs.size(),
        faults.size(),
        found.size(),
        (int) found.stream().filter(fault -> fault.rank() == 1).count(),
        (int) found.stream().filter(fault -> fault.rank() <= 3).count(),
        faults.stream()
            .mapToDouble(fault -> fault.rank() == 0 ? 0 : 1.0 / fault.rank())
            .average()
            .orElse(Double.NaN),
        (int) found.stream().filter(FaultScore::causeRight).count(),
        runs.stream().mapToInt(RunScore::right).sum(),
        runs.stream().mapToInt(run -> run.echoes().size()).sum(),
        runs.stream().mapToInt(run -> run.wrong().size()).sum(),
        quantile(found.stream().mapToDouble(FaultScore::secondsFromObservable), .5),
        quantile(found.stream().mapToDouble(FaultScore::secondsFromObservable), .95),
        quantile(found.stream().mapToDouble(FaultScore::secondsFromOnset), .5),
        runs.stream().mapToDouble(RunScore::linkDays).sum());
  }

  double recall() {
    return ratio(found, faults);
  }

  /** Echoes count as wrong: one fault is one incident. */
  double precision() {
    return ratio(right, right + echoes + wrong);
  }

  double topOne() {
    return ratio(first, faults);
  }

  double topThree() {
    return ratio(firstThree, faults);
  }

  double cause() {
    return ratio(causeRight, found);
  }

  static double ratio(long part, long whole) {
    return whole == 0 ? Double.NaN : (double) part / whole;
  }

  /** Of the values in order, interpolated; NaN of none. */
  static double quantile(DoubleStream values, double at) {
    double[] sorted = values.filter(value -> !Double.isNaN(value)).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double place = at * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  static double median(double[] values) {
    return quantile(Arrays.stream(values), .5);
  }
}
