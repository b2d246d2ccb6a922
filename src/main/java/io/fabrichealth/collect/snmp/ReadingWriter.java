package io.fabrichealth.collect.snmp;

import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.Variable;

/** Turns the rows of one table into readings. One instance serves one pass. */
final class ReadingWriter {
  private static final String NO_MODULE = "no module";

  private final PassReadings pass;
  private final SignalDictionary dictionary;
  private final String device;

  ReadingWriter(PassReadings pass, SignalDictionary dictionary, String device) {
    this.pass = pass;
    this.dictionary = dictionary;
    this.device = device;
  }

  /** Writes one signal of one table. */
  void write(MappedTable table, MappedReading reading, Walk walk) {
    Column[] columns = new Column[reading.columns().size()];
    for (int at = 0; at < columns.length; at++) {
      Column column = walk.column(column(table, reading.columns().get(at)));
      if (column == null || column.size() == 0) {
        return;
      }
      columns[at] = column;
    }
    Column first = columns[0];
    int ifIndexAt = first.indexAt() + table.index().ifIndexAt();
    Variable[] values = new Variable[columns.length];
    int garbage = 0;
    for (int row = 0; row < first.size(); row++) {
      int[] object = first.object(row);
      int element = table.index().element(object, first.indexAt());
      if (element == RowIndex.NOT_MEANT) {
        continue;
      }
      int port = pass.port(object[ifIndexAt]);
      if (port < 0 || !fill(columns, object, row, values)) {
        continue;
      }
      int under = reading.element() == null ? element : reading.element();
      if (!pass.accepts(port, reading)) {
        continue;
      }
      if (isEmptyRow(table, walk, object, row)) {
        absent(port, reading, under, NO_MODULE);
      } else if (!value(port, reading, under, values)) {
        garbage++;
      }
    }
    if (garbage > 0) {
      walk.problem(
          FailureCode.MALFORMED,
          device,
          garbage + " values of column " + reading.columns().getFirst() + " are no numbers");
    }
  }

  /** Takes in what says that the counters of a row began anew. */
  void discontinuities(MappedTable table, Walk walk) {
    Integer number = table.discontinuity();
    Column column = number == null ? null : walk.column(column(table, number));
    if (column == null) {
      return;
    }
    for (int row = 0; row < column.size(); row++) {
      Variable ticks = column.value(row);
      int port = pass.port(column.lastIndex(row));
      if (port >= 0 && Numbers.isInteger(ticks)) {
        pass.discontinuity(port, Numbers.unsigned(ticks));
      }
    }
  }

  static OID column(MappedTable table, int number) {
    return new OID(table.entry()).append(number);
  }

  private static boolean fill(Column[] columns, int[] object, int row, Variable[] values) {
    for (int at = 0; at < columns.length; at++) {
      Variable value = at == 0 ? columns[0].value(row) : columns[at].valueAt(object, row);
      if (value == null) {
        return false;
      }
      values[at] = value;
    }
    return true;
  }

  private static boolean isEmptyRow(MappedTable table, Walk walk, int[] object, int row) {
    if (table.emptyRow().isEmpty()) {
      return false;
    }
    for (int number : table.emptyRow()) {
      Column column = walk.column(column(table, number));
      Variable value = column == null ? null : column.valueAt(object, row);
      if (!Numbers.isInteger(value) || Numbers.unsigned(value) != 0) {
        return false;
      }
    }
    return true;
  }

  private void absent(int port, MappedReading reading, int element, @Nullable String reason) {
    pass.batch().absent(port, reading.signal(), element, Quality.UNREADABLE, reason);
  }

  /** Writes a value, or why there is none; false where the agent sent something unusable. */
  private boolean value(int port, MappedReading reading, int element, Variable[] values) {
    if (reading.form() == MappedReading.Form.TEXT) {
      return text(port, reading, element, values[0]);
    }
    for (Variable value : values) {
      if (!Numbers.isInteger(value)) {
        absent(port, reading, element, Numbers.type(value) + " where a number should be");
        return false;
      }
    }
    String none = reading.unreadable().isEmpty() ? null : unreadable(reading, values[0]);
    if (none != null) {
      absent(port, reading, element, none);
    } else if (reading.counter()) {
      counter(port, reading, element, values);
    } else if (!reading.states().isEmpty()) {
      long state = Numbers.unsigned(values[0]);
      Double number = reading.states().get(state);
      if (number == null) {
        absent(port, reading, element, "state " + state);
      } else {
        pass.batch().value(port, reading.signal(), element, number);
      }
    } else {
      gauge(port, reading, element, combine(reading, values));
    }
    return true;
  }

  private static @Nullable String unreadable(MappedReading reading, Variable value) {
    return reading.unreadable().get(Numbers.unsigned(value));
  }

  private void counter(int port, MappedReading reading, int element, Variable[] values) {
    int bits = reading.bits();
    long sum = 0;
    int narrowest = Long.SIZE;
    for (Variable value : values) {
      sum += Numbers.unsigned(value);
      narrowest = Math.min(narrowest, Numbers.bits(value));
    }
    if (bits == 0) {
      bits = narrowest;
    }
    // A sum of counters that wrap at 2^n is right modulo 2^n.
    if (bits < Long.SIZE) {
      sum &= (1L << bits) - 1;
    }
    if (reading.form() == MappedReading.Form.HALF) {
      sum >>>= 1;
      pass.width(reading.signal(), bits - 1, dictionary.signal(reading.signal()).bits());
    } else if (reading.scale() == 1) {
      pass.width(reading.signal(), bits, dictionary.signal(reading.signal()).bits());
    } else {
      // In the signal's unit the counter does not end at a power of two: a fall is a reset then.
      sum *= (long) reading.scale();
    }
    pass.batch().counter(port, reading.signal(), element, sum);
  }

  private static double combine(MappedReading reading, Variable[] values) {
    if (reading.form() == MappedReading.Form.MANTISSA_EXPONENT) {
      return Numbers.real(values[0]) / Math.pow(10, Math.abs(Numbers.real(values[1])));
    }
    double sum = 0;
    for (Variable value : values) {
      sum += Numbers.real(value);
    }
    return sum * reading.scale();
  }

  private boolean text(int port, MappedReading reading, int element, Variable value) {
    try {
      gauge(port, reading, element, Double.parseDouble(Texts.text(value)) * reading.scale());
      return true;
    } catch (NumberFormatException e) {
      absent(port, reading, element, "text that is no number");
      return false;
    }
  }

  private void gauge(int port, MappedReading reading, int element, double value) {
    if (reading.dbm() && Power.isDark(value)) {
      absent(port, reading, element, Power.NO_LIGHT);
    } else {
      pass.batch().value(port, reading.signal(), element, value);
    }
  }
}
