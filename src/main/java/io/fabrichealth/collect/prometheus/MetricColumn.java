package io.fabrichealth.collect.prometheus;

import io.fabrichealth.signal.Signal;

/**
 * A metric that gives a signal of a port. A metric with a placeholder for a lane or priority is one
 * column for each.
 *
 * @param index place among the columns of its shape
 * @param signal ordinal in the dictionary
 * @param rank where several metrics give one signal of one port the lowest rank is used
 * @param scale factor of a gauge
 * @param divisor of a counter
 * @param factor of a counter
 * @param oneWhere the state is 1 where the value is this, else 0; NaN: the value is the state
 * @param bit the state is this bit of the value; -1: it is not
 * @param negativeIsUnknown a negative value says that the device does not know
 * @param saturatesAt value at which the counter sticks, unsigned; 0: it does not
 */
record MetricColumn(
    int index,
    String metric,
    PortShape shape,
    int signal,
    Signal.Kind kind,
    int element,
    int rank,
    double scale,
    int divisor,
    int factor,
    double oneWhere,
    int bit,
    boolean negativeIsUnknown,
    long saturatesAt) {

  /** Whether samples that a page declares to be of that type may hold this. */
  boolean accepts(String type) {
    return switch (type) {
      case "untyped", "unknown" -> true;
      case "counter" -> kind == Signal.Kind.COUNTER;
      case "gauge" -> kind != Signal.Kind.COUNTER;
      default -> false;
    };
  }

  /** Puts the value into {@code cells}: unsigned for counters, else the bits of a double. */
  CellState read(DecimalText text, long[] cells, int cell) {
    if (kind == Signal.Kind.COUNTER) {
      CellState state = text.counterState();
      if (state != CellState.OK) {
        return state;
      }
      long value = text.unsigned();
      cells[cell] = factor * (divisor == 1 ? value : Long.divideUnsigned(value, divisor));
      return saturatesAt != 0 && value == saturatesAt ? CellState.SATURATED : CellState.OK;
    }
    double value = text.value();
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return CellState.NOT_A_NUMBER;
    }
    if (negativeIsUnknown && value < 0) {
      return CellState.UNKNOWN;
    }
    if (bit >= 0) {
      value = ((long) value >> bit) & 1;
    } else if (!Double.isNaN(oneWhere)) {
      value = value == oneWhere ? 1 : 0;
    }
    cells[cell] = Double.doubleToRawLongBits(value * scale);
    return CellState.OK;
  }
}
