package io.fabrichealth.api;

import io.fabrichealth.latency.LatencyMatrix;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Round trips and loss of late between groups of endpoints; a row a source. */
record LatencyMatrixView(
    LatencyMatrix.Level level,
    @Schema(description = "of rows and columns, sorted") List<String> names,
    @Schema(description = "shortest full round trips, median over pairs; null where none was timed")
        List<List<@Nullable Double>> recentMicros,
    @Schema(description = "usual round trips without queues; null where too little is known")
        List<List<@Nullable Double>> baselineMicros,
    @Schema(description = "0 to 1; null where nothing was sent")
        List<List<@Nullable Double>> lossRatio) {

  private interface Cell {
    double of(int row, int column);
  }

  static LatencyMatrixView of(LatencyMatrix.Level level, LatencyMatrix matrix) {
    return new LatencyMatrixView(
        level,
        matrix.names(),
        rows(matrix, matrix::recentMicros),
        rows(matrix, matrix::baselineMicros),
        rows(matrix, matrix::lossRatio));
  }

  private static List<List<@Nullable Double>> rows(LatencyMatrix matrix, Cell cell) {
    int size = matrix.names().size();
    List<List<@Nullable Double>> rows = new ArrayList<>(size);
    for (int row = 0; row < size; row++) {
      List<@Nullable Double> values = new ArrayList<>(size);
      for (int column = 0; column < size; column++) {
        double value = cell.of(row, column);
        values.add(Double.isNaN(value) ? null : value);
      }
      rows.add(values);
    }
    return rows;
  }
}
