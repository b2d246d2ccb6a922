package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.CollectOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The readings of one page: a row for each port as the exporter shows it, a column for each metric
 * of the mapping. Reused from page to page.
 */
final class PortTable {
  /** More ports than any host has. */
  static final int MOST_PORTS = 1_024;

  /** More sets of labels than any host has; interfaces of containers come and go. */
  private static final int MOST_NAMES = 8_192;

  private static final int LONGEST_NAME = 128;

  /** The sample lacks a label that names the port, or the name is none. */
  static final int NO_NAME = -1;

  /** A rule says that it is no port of the fabric. */
  static final int LEFT_OUT = -2;

  /** One port more than a host may have. */
  static final int TOO_MANY = -3;

  private final MetricMapping mapping;
  private final int columns;
  private final byte[] key = new byte[LONGEST_NAME];
  private final ByteNames names = new ByteNames();
  private final List<Row> rows = new ArrayList<>();
  private final List<CollectOutcome.LeftOut> leftOut = new ArrayList<>();

  /** By number of a name. The names stay from page to page, as the ports of hosts do. */
  private final List<Known> known = new ArrayList<>();

  private int[] rowOfName = new int[64];
  private int[] pageOfName = new int[64];
  private int page;
  private long[] values = new long[0];
  private byte[] states = new byte[0];

  PortTable(MetricMapping mapping) {
    this.mapping = mapping;
    columns = mapping.columns().size();
  }

  /** A port as the exporter shows it. */
  record Row(PortKind kind, String name) {}

  /** What is known of a name: that it is one, and the rule that leaves it out. */
  private record Known(Row row, boolean isName, MetricMapping.@Nullable LeftOut rule) {}

  void clear() {
    Arrays.fill(states, 0, rows.size() * columns, (byte) 0);
    rows.clear();
    leftOut.clear();
    page++;
    if (names.size() > MOST_NAMES / 2) {
      names.clear();
      known.clear();
    }
  }

  List<Row> rows() {
    return rows;
  }

  List<CollectOutcome.LeftOut> leftOut() {
    return leftOut;
  }

  /** The row of the port that the labels name; one of the constants where there is none. */
  int row(PortKind kind, SampleLine line) {
    int end = 1;
    key[0] = (byte) kind.ordinal();
    List<byte[]> labels = mapping.portLabels(kind);
    for (int index = 0; index < labels.size(); index++) {
      int label = line.find(labels.get(index));
      if (label < 0) {
        return NO_NAME;
      }
      if (index > 0) {
        key[end++] = '/';
      }
      end = line.copyValue(label, key, end);
      if (end < 0 || end == LONGEST_NAME) {
        return NO_NAME;
      }
    }
    int hash = ByteNames.hash(key, 0, end);
    int name = names.find(key, 0, end, hash);
    if (name < 0) {
      if (names.size() == MOST_NAMES) {
        return TOO_MANY;
      }
      name = addName(kind, end, hash);
    }
    if (pageOfName[name] != page) {
      pageOfName[name] = page;
      rowOfName[name] = addRow(known.get(name));
    }
    return rowOfName[name];
  }

  private int addName(PortKind kind, int end, int hash) {
    int number = names.add(key, 0, end, hash);
    String name = SampleLine.unescape(key, 1, end);
    known.add(
        new Known(
            new Row(kind, name),
            isPortName(name),
            kind == PortKind.NETDEV ? mapping.leftOut(name) : null));
    if (number == rowOfName.length) {
      rowOfName = Arrays.copyOf(rowOfName, number * 2);
      pageOfName = Arrays.copyOf(pageOfName, number * 2);
    }
    pageOfName[number] = page - 1;
    return number;
  }

  private int addRow(Known name) {
    if (!name.isName()) {
      return NO_NAME;
    }
    if (name.rule() != null) {
      leftOut.add(new CollectOutcome.LeftOut(name.row().name(), name.rule().rule()));
      return LEFT_OUT;
    }
    if (rows.size() == MOST_PORTS) {
      return TOO_MANY;
    }
    rows.add(name.row());
    int cells = rows.size() * columns;
    if (cells > states.length) {
      int larger = Math.max(cells, 2 * states.length);
      states = Arrays.copyOf(states, larger);
      values = Arrays.copyOf(values, larger);
    }
    return rows.size() - 1;
  }

  /**
   * Names that people and tools can handle: no blanks, no control characters, no replaced bytes.
   */
  private static boolean isPortName(String name) {
    return !name.isEmpty() && name.chars().allMatch(c -> c > ' ' && c < 0x7F);
  }

  /** False where the page gave the same series before: the first stays. */
  boolean put(int row, MetricColumn column, DecimalText value) {
    int cell = row * columns + column.index();
    if (states[cell] != 0) {
      return false;
    }
    states[cell] = (byte) column.read(value, values, cell).ordinal();
    return true;
  }

  CellState state(int row, MetricColumn column) {
    return CellState.of(states[row * columns + column.index()]);
  }

  /** Good only where the state has a value. */
  long value(int row, MetricColumn column) {
    return values[row * columns + column.index()];
  }
}
