package io.fabrichealth.collect.scrape;

import io.fabrichealth.collect.prometheus.ExporterSamples;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Sets of labels of one exporter, numbered. Most metrics of an exporter share them: there are about
 * as many as it has ports.
 */
public final class LabelSets {
  /** More than the ports of a fabric have, as one exporter shows them. */
  private static final int MOST = 200_000;

  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_VALUE = 2_048;

  /** No number: the set is longer than any that is meant. */
  public static final int TOO_LONG = -1;

  /** No number: there are too many sets. */
  public static final int TOO_MANY = -2;

  private final ByteKeys keys = new ByteKeys();
  private byte[] scratch = new byte[512];
  private int end;

  public int size() {
    return keys.size();
  }

  /** Takes labels in, but for those to be left out (-1 for none); the number of their set. */
  public int number(SeriesLabels from, int leftOut, int alsoLeftOut, int thirdLeftOut) {
    end = 0;
    for (int label = 0; label < from.size(); label++) {
      boolean isLeftOut = label == leftOut || label == alsoLeftOut || label == thirdLeftOut;
      if (!isLeftOut && !append(from, label)) {
        return TOO_LONG;
      }
    }
    int hash = ByteKeys.hash(scratch, 0, end);
    int known = keys.find(scratch, 0, end, hash);
    if (known >= 0) {
      return known;
    }
    return keys.size() == MOST ? TOO_MANY : keys.add(scratch, 0, end, hash);
  }

  /** Length and name, length and value as the exposition format writes it. */
  private boolean append(SeriesLabels from, int label) {
    byte[] bytes = from.bytes();
    int name = from.nameTo(label) - from.nameFrom(label);
    int value = from.valueTo(label) - from.valueFrom(label);
    if (name > LONGEST_NAME || value > LONGEST_VALUE) {
      return false;
    }
    int most = end + 3 + name + 2 * value;
    if (most > scratch.length) {
      scratch = Arrays.copyOf(scratch, 2 * most);
    }
    scratch[end++] = (byte) name;
    System.arraycopy(bytes, from.nameFrom(label), scratch, end, name);
    end += name;
    int start = end + 2;
    int at = start;
    for (int index = from.valueFrom(label); index < from.valueTo(label); index++) {
      byte next = bytes[index];
      if (next == '\\' || next == '"' || next == '\n') {
        scratch[at++] = '\\';
        next = next == '\n' ? (byte) 'n' : next;
      }
      scratch[at++] = next;
    }
    scratch[end] = (byte) (at - start >> 8);
    scratch[end + 1] = (byte) (at - start);
    end = at;
    return true;
  }

  /** Begins a sample with the labels of a set. */
  public void begin(int set, ExporterSamples samples) {
    byte[] bytes = keys.bytes();
    samples.begin(bytes);
    int at = keys.from(set);
    while (at < keys.to(set)) {
      int nameFrom = at + 1;
      int nameTo = nameFrom + (bytes[at] & 0xFF);
      int valueFrom = nameTo + 2;
      int valueTo = valueFrom + ((bytes[nameTo] & 0xFF) << 8 | bytes[nameTo + 1] & 0xFF);
      boolean _ = samples.label(nameFrom, nameTo, valueFrom, valueTo);
      at = valueTo;
    }
  }

  /** The value of one label of a set, as the exposition format writes it; empty for none. */
  public String value(int set, byte[] name) {
    byte[] bytes = keys.bytes();
    int at = keys.from(set);
    while (at < keys.to(set)) {
      int nameTo = at + 1 + (bytes[at] & 0xFF);
      int valueFrom = nameTo + 2;
      int valueTo = valueFrom + ((bytes[nameTo] & 0xFF) << 8 | bytes[nameTo + 1] & 0xFF);
      if (Arrays.equals(bytes, at + 1, nameTo, name, 0, name.length)) {
        return new String(bytes, valueFrom, valueTo - valueFrom, StandardCharsets.UTF_8);
      }
      at = valueTo;
    }
    return "";
  }
}
