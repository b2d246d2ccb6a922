package io.fabrichealth.collect.prometheus;

import io.fabrichealth.signal.Signal;

/**
 * How the number of a sample becomes the value of a signal.
 *
 * @param scale factor of a gauge
 * @param divisor of a counter
 * @param factor of a counter
 * @param decimals places by which the point of a counter moves to the right first
 * @param oneWhere the state is 1 where the value is this, else 0; NaN: the value is the state
 * @param bit the state is this bit of the value; -1: it is not
 * @param negativeIsUnknown a negative value says that the device does not know
 * @param noLightAt a power of that or less is none; NaN: it is
 * @param unknownFrom a counter of that or more says that the device does not know, unsigned; 0: it
 *     does not
 * @param bits width of a counter where it is not the dictionary's; 0 where it is
 * @param saturatesAt value at which the counter sticks, unsigned; 0: it does not
 */
record MetricValue(
    Signal.Kind kind,
    double scale,
    int divisor,
    int factor,
    int decimals,
    double oneWhere,
    int bit,
    boolean negativeIsUnknown,
    double noLightAt,
    long unknownFrom,
    int bits,
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
    return kind == Signal.Kind.COUNTER
        ? readCounter(text, cells, cell)
        : readNumber(text, cells, cell);
  }

  private CellState readCounter(DecimalText text, long[] cells, int cell) {
    if (decimals != 0) {
      text.movePointRight(decimals);
    }
    CellState state = text.counterState();
    if (state != CellState.OK) {
      return state;
    }
    long value = text.unsigned();
    if (unknownFrom != 0 && Long.compareUnsigned(value, unknownFrom) >= 0) {
      return CellState.UNKNOWN;
    }
    cells[cell] = factor * (divisor == 1 ? value : Long.divideUnsigned(value, divisor));
    return saturatesAt != 0 && value == saturatesAt ? CellState.SATURATED : CellState.OK;
  }

  private CellState readNumber(DecimalText text, long[] cells, int cell) {
    double value = text.value();
    if (value <= noLightAt) {
      return CellState.NO_LIGHT;
    }
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
