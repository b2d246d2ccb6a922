package io.fabrichealth.collect.gnmi;

import java.util.Arrays;

/** The last values of one leaf of one row, by element. */
final class Cells {
  private long[] raw = new long[1];
  private long[] heard = new long[1];
  private CellState[] states = {CellState.NONE};
  private int size;

  /** One more than the highest element that was ever set. */
  int size() {
    return size;
  }

  CellState state(int element) {
    return element < size ? states[element] : CellState.NONE;
  }

  /** Counters as unsigned numbers, others by their bits. */
  long raw(int element) {
    return raw[element];
  }

  /** When it was last heard of, by {@link System#nanoTime}. */
  long heard(int element) {
    return heard[element];
  }

  void set(int element, long bits, CellState state, long nanos) {
    if (element >= size) {
      grow(element);
    }
    raw[element] = bits;
    states[element] = state;
    heard[element] = nanos;
  }

  private void grow(int element) {
    if (element >= raw.length) {
      int larger = Math.max(element + 1, raw.length * 2);
      raw = Arrays.copyOf(raw, larger);
      heard = Arrays.copyOf(heard, larger);
      int before = states.length;
      states = Arrays.copyOf(states, larger);
      Arrays.fill(states, before, larger, CellState.NONE);
    }
    size = element + 1;
  }

  /** The device says that it is no more. */
  void delete(int element) {
    if (element < size && states[element] != CellState.NONE) {
      states[element] = CellState.DELETED;
    }
  }

  boolean isTold() {
    for (int element = 0; element < size; element++) {
      if (states[element].isTold()) {
        return true;
      }
    }
    return false;
  }

  void deleteAll() {
    for (int element = 0; element < size; element++) {
      delete(element);
    }
  }

  /** What was not heard of since then is no more. */
  void sweep(long since) {
    for (int element = 0; element < size; element++) {
      if (states[element] != CellState.NONE && heard[element] - since < 0) {
        states[element] = CellState.SWEPT;
      }
    }
  }
}
