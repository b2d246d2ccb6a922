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

  /** More ports than the nodes of a fabric have, as one page shows it. */
  static final int MOST_NODE_PORTS = 131_072;

  /** More sets of labels than any host has; interfaces of containers come and go. */
  private static final int MOST_NAMES = 8_192;

  private static final int LONGEST_NAME = 128;

  /** Cells of some thousand ports. */
  private static final int LARGE = 1 << 19;

  /** The sample lacks a label that names the port, or the name is none. */
  static final int NO_NAME = -1;

  /** A rule says that it is no port of the fabric. */
  static final int LEFT_OUT = -2;

  /** One port more than there may be. */
  static final int TOO_MANY = -3;

  private final MetricMapping mapping;
  private final byte[] key = new byte[LONGEST_NAME];
  private final ByteNames names = new ByteNames();
  private final List<Row> rows = new ArrayList<>();
  private final List<CollectOutcome.LeftOut> leftOut = new ArrayList<>();

  /** By number of a name. The names stay from page to page, as the ports of hosts do. */
  private final List<Known> known = new ArrayList<>();

  private int[] rowOfName = new int[64];
  private int[] pageOfName = new int[64];
  private int page;
  private int namesOfNodes;
  private int rowsOfNodes;
  private boolean isNewRow;

  /** Where the cells of a row begin: rows have as many as their shape has columns. */
  private int[] firstCell = new int[64];

  /** By row: the time of its first sample as the page gives it, microseconds since 1970, else 0. */
  private long[] stamps = new long[64];

  /** By row, a bit for each signal that any of its cells gives. */
  private long[] given;

  private final int wordsOfRow;
  private int cells;
  private long[] values = new long[0];
  private byte[] states = new byte[0];

  PortTable(MetricMapping mapping) {
    this.mapping = mapping;
    wordsOfRow = (mapping.dictionary().size() + Long.SIZE - 1) / Long.SIZE;
    given = new long[64 * wordsOfRow];
  }

  /**
   * A port as the exporter shows it.
   *
   * @param device as the label names it; empty where it is the target's own
   */
  record Row(PortShape shape, String device, String name) {}

  /** What is known of a name: that it is one, and the rule that leaves it out. */
  private record Known(Row row, boolean isName, MetricMapping.@Nullable LeftOut rule) {}

  void clear() {
    Arrays.fill(states, 0, cells, (byte) 0);
    Arrays.fill(given, 0, rows.size() * wordsOfRow, 0);
    cells = 0;
    rows.clear();
    leftOut.clear();
    rowsOfNodes = 0;
    page++;
    if (names.size() - namesOfNodes > MOST_NAMES / 2 || namesOfNodes > MOST_NODE_PORTS / 2) {
      names.clear();
      known.clear();
      namesOfNodes = 0;
    }
  }

  List<Row> rows() {
    return rows;
  }

  /** When the port was read, microseconds since 1970; 0 where the page does not say. */
  long stampMicros(int row) {
    return stamps[row];
  }

  /** Whether the last call of {@link #row} made the row that it gave. */
  boolean isNewRow() {
    return isNewRow;
  }

  List<CollectOutcome.LeftOut> leftOut() {
    return leftOut;
  }

  /** The row of the port that the labels name; one of the constants where there is none. */
  int row(PortShape shape, SampleLine line) {
    isNewRow = false;
    int deviceEnd = keyDevice(shape, line);
    int end = deviceEnd < 0 ? -1 : keyPort(shape, line, deviceEnd);
    if (end < 0) {
      return NO_NAME;
    }
    int hash = ByteNames.hash(key, 0, end);
    int name = names.find(key, 0, end, hash);
    if (name < 0) {
      if (isFull(shape)) {
        return TOO_MANY;
      }
      name = addName(shape, deviceEnd, end, hash);
    }
    if (pageOfName[name] != page) {
      pageOfName[name] = page;
      rowOfName[name] = addRow(known.get(name));
      isNewRow = rowOfName[name] >= 0;
      if (isNewRow) {
        stamps[rowOfName[name]] = line.stampMicros();
      }
    }
    return rowOfName[name];
  }

  /** Puts shape and device into the key; the place behind them, -1 where there is no device. */
  private int keyDevice(PortShape shape, SampleLine line) {
    key[0] = (byte) shape.index();
    int end = 1;
    for (byte[] label : shape.device()) {
      int found = line.find(label);
      if (found < 0) {
        // Whose links a host's exporter shows need not be said.
        return shape.kind() == PortKind.NODE ? -1 : end;
      }
      end = line.copyValue(found, key, end);
    }
    return end;
  }

  private int keyPort(PortShape shape, SampleLine line, int from) {
    int end = from;
    if (end == LONGEST_NAME) {
      return -1;
    }
    // No label's value holds it unescaped, so that device and port stay apart.
    key[end++] = '\n';
    List<byte[]> labels = shape.labels();
    for (int index = 0; index < labels.size(); index++) {
      int label = line.find(labels.get(index));
      if (label < 0 || end == LONGEST_NAME) {
        return -1;
      }
      if (index > 0) {
        key[end++] = '/';
      }
      end = line.copyValue(label, key, end);
      if (end < 0) {
        return -1;
      }
    }
    return end;
  }

  private boolean isFull(PortShape shape) {
    return shape.kind() == PortKind.NODE
        ? namesOfNodes == MOST_NODE_PORTS
        : names.size() - namesOfNodes == MOST_NAMES;
  }

  private int addName(PortShape shape, int deviceEnd, int end, int hash) {
    int number = names.add(key, 0, end, hash);
    String device = SampleLine.unescape(key, 1, deviceEnd);
    String name = SampleLine.unescape(key, deviceEnd + 1, end);
    boolean isName = isPortName(name) && (device.isEmpty() || isPortName(device));
    if (shape.kind() == PortKind.NODE) {
      namesOfNodes++;
      String guid = NodeName.guid(device);
      isName = isName && guid != null;
      device = guid == null ? device : guid;
    }
    known.add(
        new Known(
            new Row(shape, device, name),
            isName,
            shape.kind() == PortKind.NETDEV ? mapping.leftOut(name) : null));
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
    if (name.row().shape().kind() == PortKind.NODE) {
      rowsOfNodes++;
    } else if (rows.size() - rowsOfNodes == MOST_PORTS) {
      return TOO_MANY;
    }
    int row = rows.size();
    rows.add(name.row());
    if (row == firstCell.length) {
      firstCell = Arrays.copyOf(firstCell, row * 2);
      stamps = Arrays.copyOf(stamps, row * 2);
      given = Arrays.copyOf(given, row * 2 * wordsOfRow);
    }
    firstCell[row] = cells;
    cells += mapping.columns(name.row().shape());
    if (cells > states.length) {
      int larger = Math.max(cells, 2 * states.length);
      states = Arrays.copyOf(states, larger);
      values = Arrays.copyOf(values, larger);
    }
    return row;
  }

  /** Whether the buffers have grown so large that they are not to be kept for any next page. */
  boolean isLarge() {
    return values.length > LARGE || names.size() > 2 * MOST_NAMES;
  }

  /**
   * Names that people and tools can handle: no blanks, no control characters, no replaced bytes.
   */
  private static boolean isPortName(String name) {
    return !name.isEmpty() && name.chars().allMatch(c -> c > ' ' && c < 0x7F);
  }

  /** False where the page gave the same series before: the first stays. */
  boolean put(int row, MetricColumn column, DecimalText value) {
    int cell = firstCell[row] + column.index();
    if (states[cell] != 0) {
      return false;
    }
    states[cell] = (byte) column.value().read(value, values, cell).ordinal();
    given[row * wordsOfRow + column.signal() / Long.SIZE] |= 1L << column.signal();
    return true;
  }

  /** Whether the page gives the signal in that row, with or without a value. */
  boolean gives(int row, int signal) {
    return (given[row * wordsOfRow + signal / Long.SIZE] >>> signal & 1) != 0;
  }

  CellState state(int row, MetricColumn column) {
    return CellState.of(states[firstCell[row] + column.index()]);
  }

  /** Good only where the state has a value. */
  long value(int row, MetricColumn column) {
    return values[firstCell[row] + column.index()];
  }
}
