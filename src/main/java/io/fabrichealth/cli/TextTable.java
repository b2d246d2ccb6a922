package io.fabrichealth.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows whose columns stand below each other. */
final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  /** A row; each as long as the first one. */
  void row(String... cells) {
    rows.add(List.of(cells));
  }

  List<String> lines() {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    rows.forEach(
        row -> {
          for (int i = 0; i < columns; i++) {
            widths[i] = Math.max(widths[i], row.get(i).length());
          }
        });
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 2);
    }
    return line.toString().stripTrailing();
  }
}
