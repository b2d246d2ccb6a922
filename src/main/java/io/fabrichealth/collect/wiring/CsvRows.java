package io.fabrichealth.collect.wiring;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.MappingIterator;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvReadFeature;

/** The rows of a CSV document (RFC 4180), each with its line. */
final class CsvRows {
  private static final CsvMapper CSV =
      CsvMapper.builder()
          .enable(CsvReadFeature.WRAP_AS_ARRAY)
          .enable(CsvReadFeature.TRIM_SPACES)
          .build();

  private CsvRows() {}

  /** A row; a cell that is not there is empty. */
  record Row(int line, List<String> cells) {
    String cell(int column) {
      return column < 0 || column >= cells.size() ? "" : cells.get(column).strip();
    }

    boolean isBlank() {
      return cells.stream().allMatch(String::isBlank);
    }
  }

  /**
   * All rows but blank ones.
   *
   * @throws WiringFormatException where quotes do not end
   */
  static List<Row> read(String document) throws WiringFormatException {
    List<Row> rows = new ArrayList<>();
    String text = document.startsWith("\uFEFF") ? document.substring(1) : document;
    try (MappingIterator<String[]> cells = CSV.readerFor(String[].class).readValues(text)) {
      while (true) {
        int line = Math.max(cells.currentLocation().getLineNr(), 1);
        if (!cells.hasNextValue()) {
          return rows;
        }
        Row row = new Row(line, List.of(cells.nextValue()));
        if (!row.isBlank()) {
          rows.add(row);
        }
      }
    } catch (JacksonException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw new WiringFormatException(Math.max(line, 0), "not well-formed CSV");
    }
  }

  /** Columns by name in lower case with underscores; of a name that occurs twice, the first. */
  static Map<String, Integer> columns(Row header) {
    Map<String, Integer> columns = new HashMap<>();
    for (int at = 0; at < header.cells().size(); at++) {
      String name = header.cell(at).toLowerCase(Locale.ROOT).replaceAll("[\\s-]+", "_");
      columns.putIfAbsent(name, at);
    }
    return columns;
  }
}
