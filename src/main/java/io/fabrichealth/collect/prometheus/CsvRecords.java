package io.fabrichealth.collect.prometheus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of CSV: a row of names, then a row for each port. Cells may be quoted (RFC 4180). */
final class CsvRecords {
  private final PortRecords records;
  private final List<Column> columns = new ArrayList<>();

  CsvRecords(PortRecords records) {
    this.records = records;
  }

  /** What a column holds: a label, the time of the row, a wanted number, or nothing of use. */
  private record Column(String name, @Nullable String label, boolean isTime, int metric) {}

  void read(InputStream in) throws IOException {
    BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    StringBuilder row = new StringBuilder();
    List<String> cells = new ArrayList<>();
    boolean tooLong = false;
    int next;
    while ((next = reader.read()) >= 0) {
      if (next == '\n') {
        take(row, tooLong, cells);
        row.setLength(0);
        tooLong = false;
      } else if (row.length() < PortRecords.LARGEST_RECORD) {
        row.append((char) next);
      } else {
        tooLong = true;
      }
    }
    if (!row.isEmpty()) {
      records.cut();
    }
  }

  private void take(StringBuilder row, boolean tooLong, List<String> cells) {
    if (row.toString().isBlank()) {
      return;
    }
    if (columns.isEmpty()) {
      split(row, cells);
      cells.forEach(name -> columns.add(column(name.strip())));
      return;
    }
    records.begin();
    if (tooLong) {
      records.bad("a row", "at most %d characters".formatted(PortRecords.LARGEST_RECORD));
      return;
    }
    split(row, cells);
    if (cells.size() != columns.size()) {
      records.bad(cells.size() + " cells", columns.size() + ", as in the first row");
      return;
    }
    for (int index = 0; index < cells.size(); index++) {
      Column column = columns.get(index);
      String cell = cells.get(index).strip();
      if (column.label() != null) {
        records.addLabel(column.label(), cell);
      } else if (column.isTime()) {
        records.setTime(cell);
      } else if (column.metric() >= 0) {
        records.addNumber(column.metric(), cell);
      }
    }
    records.end();
  }

  private Column column(String name) {
    return new Column(
        name,
        PortRecords.label(name),
        name.equals("timestamp"),
        columns.size() < PortRecords.MOST_MEMBERS ? records.metric(name) : -1);
  }

  private static void split(StringBuilder row, List<String> cells) {
    cells.clear();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int at = 0; at < row.length(); at++) {
      char next = row.charAt(at);
      if (next == '"') {
        if (quoted && at + 1 < row.length() && row.charAt(at + 1) == '"') {
          cell.append('"');
          at++;
        } else {
          quoted = !quoted;
        }
      } else if (next == ',' && !quoted) {
        cells.add(cell.toString());
        cell.setLength(0);
      } else if (next != '\r') {
        cell.append(next);
      }
    }
    cells.add(cell.toString());
  }
}
