package io.fabrichealth.collect.scrape;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The labels of one series, as places in a buffer: that of the message, or one of this object's own
 * where they come as text. The same object serves all series.
 */
public final class SeriesLabels {
  public static final int MOST = 64;

  private final int[] nameFrom = new int[MOST];
  private final int[] nameTo = new int[MOST];
  private final int[] valueFrom = new int[MOST];
  private final int[] valueTo = new int[MOST];
  private byte[] own = new byte[512];
  private int ownEnd;
  private byte[] bytes = own;
  private int size;

  public void begin(byte[] buffer) {
    bytes = buffer;
    size = 0;
  }

  /** Begins a series whose labels come as text. */
  public void begin() {
    begin(own);
    ownEnd = 0;
  }

  /** Adds a label that comes as text; false where there are too many. */
  public boolean add(String name, String value) {
    if (size == MOST) {
      return false;
    }
    int nameStart = ownEnd;
    append(name);
    int valueStart = ownEnd;
    append(value);
    return add(nameStart, valueStart, valueStart, ownEnd);
  }

  private void append(String text) {
    byte[] added = text.getBytes(StandardCharsets.UTF_8);
    if (ownEnd + added.length > own.length) {
      own = Arrays.copyOf(own, 2 * (ownEnd + added.length));
      bytes = own;
    }
    System.arraycopy(added, 0, own, ownEnd, added.length);
    ownEnd += added.length;
  }

  /** False where there are too many. */
  public boolean add(int nameStart, int nameEnd, int valueStart, int valueEnd) {
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

  public int size() {
    return size;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int nameFrom(int label) {
    return nameFrom[label];
  }

  public int nameTo(int label) {
    return nameTo[label];
  }

  public int valueFrom(int label) {
    return valueFrom[label];
  }

  public int valueTo(int label) {
    return valueTo[label];
  }

  /** Index of the label with that name; -1 where the series has none. */
  public int find(byte[] name) {
    for (int label = 0; label < size; label++) {
      if (Arrays.equals(bytes, nameFrom[label], nameTo[label], name, 0, name.length)) {
        return label;
      }
    }
    return -1;
  }

  /** The value of a label; empty where there is no such label. */
  public String value(int label) {
    return label < 0
        ? ""
        : new String(
            bytes, valueFrom[label], valueTo[label] - valueFrom[label], StandardCharsets.UTF_8);
  }
}
