package io.fabrichealth.capture;

import java.util.Arrays;

/** Readings of a poll in the order of the text, before their quality is known. */
final class ReadColumns {
  private int size;
  private long[] keys = new long[256];
  private long[] raws = new long[256];
  private boolean[] nulls = new boolean[256];

  /** One number for port, signal and element. */
  static long key(int port, int signal, int element) {
    return (long) port << 32 | signal << 16 | element;
  }

  /** The key of all elements of a signal. */
  static long whole(long key) {
    return key | 0xFFFF;
  }

  static int port(long key) {
    return (int) (key >>> 32);
  }

  static int signal(long key) {
    return (int) (key >>> 16) & 0xFFFF;
  }

  static int element(long key) {
    return (int) key & 0xFFFF;
  }

  void value(long key, long raw) {
    append(key, raw, false);
  }

  void absent(long key) {
    append(key, 0, true);
  }

  int size() {
    return size;
  }

  long key(int reading) {
    return keys[reading];
  }

  long raw(int reading) {
    return raws[reading];
  }

  boolean isAbsent(int reading) {
    return nulls[reading];
  }

  private void append(long key, long raw, boolean absent) {
    if (size == keys.length) {
      int larger = size * 2;
      keys = Arrays.copyOf(keys, larger);
      raws = Arrays.copyOf(raws, larger);
      nulls = Arrays.copyOf(nulls, larger);
    }
    keys[size] = key;
    raws[size] = raw;
    nulls[size] = absent;
    size++;
  }
}
