package io.fabrichealth.benchmark.localise;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Precision, recall and F1 over traces: counts of all traces together, and the means over traces as
 * papers give them (a trace without an answer has a precision of 1). Standard errors by leaving out
 * one trace at a time.
 */
final class Tally {
  private final List<int[]> traces = new ArrayList<>();

  void add(BitSet found, BitSet faulty) {
    BitSet right = (BitSet) found.clone();
    right.and(faulty);
    traces.add(new int[] {right.cardinality(), found.cardinality(), faulty.cardinality()});
  }

  private int right() {
    return traces.stream().mapToInt(of -> of[0]).sum();
  }

  private int found() {
    return traces.stream().mapToInt(of -> of[1]).sum();
  }

  private int faulty() {
    return traces.stream().mapToInt(of -> of[2]).sum();
  }

  double precision() {
    return found() == 0 ? 1 : (double) right() / found();
  }

  double recall() {
    return (double) right() / faulty();
  }

  double f1() {
    return 2.0 * right() / (found() + faulty());
  }

  double f1Error() {
    int n = traces.size();
    double sum = 0;
    double squares = 0;
    for (int[] out : traces) {
      double f1 = 2.0 * (right() - out[0]) / (found() - out[1] + faulty() - out[2]);
      sum += f1;
      squares += f1 * f1;
    }
    double variance = squares / n - sum / n * (sum / n);
    return Math.sqrt(Math.max(0, variance) * (n - 1));
  }

  double meanPrecision() {
    return traces.stream()
        .mapToDouble(of -> of[1] == 0 ? 1 : (double) of[0] / of[1])
        .average()
        .orElse(0);
  }

  double meanRecall() {
    return traces.stream().mapToDouble(of -> (double) of[0] / of[2]).average().orElse(0);
  }

  double f1OfMeans() {
    double precision = meanPrecision();
    double recall = meanRecall();
    return 2 * precision * recall / (precision + recall);
  }
}
