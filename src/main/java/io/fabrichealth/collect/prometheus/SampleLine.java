package io.fabrichealth.collect.prometheus;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One sample of a page: places in the buffer of the parser, which are good until the next line. The
 * same object serves all lines.
 */
final class SampleLine {
  static final int MOST_LABELS = 64;

  final DecimalText value = new DecimalText();
  private final int[] nameFrom = new int[MOST_LABELS];
  private final int[] nameTo = new int[MOST_LABELS];
  private final int[] valueFrom = new int[MOST_LABELS];
  private final int[] valueTo = new int[MOST_LABELS];
  private byte[] bytes = {};
  private double stamp = Double.NaN;
  private int labels;
  private long number;

  void begin(byte[] buffer, long lineNumber) {
    bytes = buffer;
    number = lineNumber;
    labels = 0;
    stamp = Double.NaN;
  }

  /** The labels' places are from now on those of this buffer. */
  void moveTo(byte[] buffer) {
    bytes = buffer;
  }

  /** The time that the sample itself gives, whatever its unit; NaN where it gives none. */
  void setStamp(double time) {
    stamp = time;
  }

  /**
   * The sample's own time in microseconds since 1970; 0 where it gives none. Milliseconds are what
   * the format says; UFM writes microseconds. A time is told by its size.
   */
  long stampMicros() {
    if (!(stamp >= 1e8 && stamp < 1e17)) {
      return 0;
    }
    return (long) (stamp >= 1e14 ? stamp : stamp >= 1e11 ? stamp * 1e3 : stamp * 1e6);
  }

  /** False where the line has too many labels. */
  boolean addLabel(int nameStart, int nameEnd, int valueStart, int valueEnd) {
    if (labels == MOST_LABELS) {
      return false;
    }
    nameFrom[labels] = nameStart;
    nameTo[labels] = nameEnd;
    valueFrom[labels] = valueStart;
    valueTo[labels] = valueEnd;
    labels++;
    return true;
  }

  /** Number of the line, from 1. */
  long number() {
    return number;
  }

  /** Index of the label with that name; -1 where the sample has none. */
  int find(byte[] name) {
    for (int label = 0; label < labels; label++) {
      if (Arrays.equals(bytes, nameFrom[label], nameTo[label], name, 0, name.length)) {
        return label;
      }
    }
    return -1;
  }

  /** Copies the raw value of a label and gives the place behind it; -1 where it does not fit. */
  int copyValue(int label, byte[] into, int at) {
    int length = valueTo[label] - valueFrom[label];
    if (at + length > into.length) {
      return -1;
    }
    System.arraycopy(bytes, valueFrom[label], into, at, length);
    return at + length;
  }

  /** The value of a label as a number from 0 to 999; -1 where it is none. */
  int index(byte[] name) {
    int label = find(name);
    int length = label < 0 ? 0 : valueTo[label] - valueFrom[label];
    if (length < 1 || length > 3) {
      return -1;
    }
    int number = 0;
    for (int at = valueFrom[label]; at < valueTo[label]; at++) {
      if (bytes[at] < '0' || bytes[at] > '9') {
        return -1;
      }
      number = number * 10 + bytes[at] - '0';
    }
    return number;
  }

  /** The value of a label, escapes resolved; empty where the sample has no such label. */
  String text(byte[] name) {
    int label = find(name);
    return label < 0 ? "" : unescape(bytes, valueFrom[label], valueTo[label]);
  }

  static String unescape(byte[] bytes, int from, int to) {
    ByteArrayOutputStream plain = new ByteArrayOutputStream(to - from);
    for (int at = from; at < to; at++) {
      byte next = bytes[at];
      if (next == '\\' && at + 1 < to) {
        at++;
        switch (bytes[at]) {
          case 'n' -> plain.write('\n');
          case '"' -> plain.write('"');
          case '\\' -> plain.write('\\');
          default -> {
            plain.write('\\');
            plain.write(bytes[at]);
          }
        }
      } else {
        plain.write(next);
      }
    }
    return plain.toString(StandardCharsets.UTF_8);
  }
}
