package io.fabrichealth.scorecard;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How well the ratio of lost codewords was told from histograms of symbol errors.
 *
 * @param rows a kind of truth each
 */
record FecMargins(List<Row> rows) {
  static final FecMargins NOT_MEASURED = new FecMargins(List.of());

  /**
   * One kind of truth.
   *
   * @param truth in words
   * @param lostRatio codewords that are truly lost, of all
   * @param inFamily whether the fit knows this kind
   * @param errors of our fit, decades, one a draw
   * @param covered draws whose 95 % interval holds the truth
   * @param sonicMethod median error of SONiC's method as its design describes it, decades
   * @param sonicScript median error of the script that SONiC ships, decades
   */
  record Row(
      String truth,
      double lostRatio,
      boolean inFamily,
      List<Double> errors,
      int covered,
      double sonicMethod,
      double sonicScript) {

    double median() {
      return ClassRow.quantile(errors.stream().mapToDouble(Math::abs), .5);
    }

    double worst() {
      return errors.stream().mapToDouble(Math::abs).max().orElse(Double.NaN);
    }
  }

  private double of(ToDoubleFunction<Row> draws, double quantile) {
    return ClassRow.quantile(rows.stream().mapToDouble(draws), quantile);
  }

  double median() {
    return ClassRow.quantile(all(), .5);
  }

  double p95() {
    return ClassRow.quantile(all(), .95);
  }

  private java.util.stream.DoubleStream all() {
    return rows.stream().flatMap(row -> row.errors().stream()).mapToDouble(Math::abs);
  }

  double covered() {
    return ClassRow.ratio(
        rows.stream().mapToInt(Row::covered).sum(),
        rows.stream().mapToInt(row -> row.errors().size()).sum());
  }

  /** Median over the kinds of the median error of SONiC's method. */
  double sonicMethod() {
    return of(Row::sonicMethod, .5);
  }

  double sonicScript() {
    return of(Row::sonicScript, .5);
  }
}
