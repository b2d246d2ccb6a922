package io.fabrichealth.collect.push;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The labels of one series, as places in a buffer. The same object serves all series. */
final class SeriesLabels {
  static final int MOST = 64;

  private final int[] nameFrom = new int[MOST];
  private final int[] nameTo = new int[MOST];
  private final int[] valueFrom = new int[MOST];
  private final int[] valueTo = new int[MOST];
  private byte[] bytes = {};
  private int size;

  void begin(byte[] buffer) {
    bytes = buffer;
    size = 0;
  }

  /** False where there are too many. */
  boolean add(int nameStart, int nameEnd, int valueStart, int valueEnd) {
    if (size == MOST) {
      return false;
    }
    nameFrom[size] = nameStart;
    nameTo[size] = nameEnd;
    valueFrom[size] = valueStart;
    valueTo[size] = valueEnd;
    size++;
    return true;
  }

  int size() {
    return size;
  }

  byte[] bytes() {
    return bytes;
  }

  int nameFrom(int label) {
    return nameFrom[label];
  }

  int nameTo(int label) {
    return nameTo[label];
  }

  int valueFrom(int label) {
    return valueFrom[label];
  }

  int valueTo(int label) {
    return valueTo[label];
  }

  /** Index of the label with that name; -1 where the series has none. */
  int find(byte[] name) {
    for (int label = 0; label < size; label++) {
      if (Arrays.equals(bytes, nameFrom[label], nameTo[label], name, 0, name.length)) {
        return label;
      }
    }
    return -1;
  }

  /** The value of a label; empty where there is no such label. */
  String value(int label) {
    return label < 0
        ? ""
        : new String(
            bytes, valueFrom[label], valueTo[label] - valueFrom[label], StandardCharsets.UTF_8);
  }
}
