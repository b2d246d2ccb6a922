package io.fabrichealth.collect.prometheus;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Numbers names from 0, in the order in which they come, and finds a name by a range of bytes
 * without making an object of it.
 */
final class ByteNames {
  private byte[][] names = new byte[64][];
  private int[] hashes = new int[64];

  /** Number of the name plus one, 0 where free; open addressing, at most half full. */
  private int[] slots = new int[128];

  private int size;

  static int hash(byte[] text, int from, int to) {
    int hash = 0;
    for (int at = from; at < to; at++) {
      hash = 31 * hash + text[at];
    }
    return hash;
  }

  int size() {
    return size;
  }

  /** All names, by number. */
  List<String> all() {
    return IntStream.range(0, size)
        .mapToObj(number -> new String(names[number], StandardCharsets.UTF_8))
        .toList();
  }

  /**
   * The number of a name; -1 where it is not known.
   *
   * @param hash of the range, as {@link #hash} gives it
   */
  int find(byte[] text, int from, int to, int hash) {
    int mask = slots.length - 1;
    for (int slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
      int number = slots[slot] - 1;
      if (number < 0) {
        return -1;
      }
      byte[] name = names[number];
      if (hashes[number] == hash && Arrays.equals(name, 0, name.length, text, from, to)) {
        return number;
      }
    }
  }

  /** The number of a name that {@link #find} does not know yet. */
  int add(byte[] text, int from, int to, int hash) {
    if (size == names.length) {
      names = Arrays.copyOf(names, size * 2);
      hashes = Arrays.copyOf(hashes, size * 2);
      slots = new int[size * 4];
      for (int number = 0; number < size; number++) {
        occupy(number);
      }
    }
    names[size] = Arrays.copyOfRange(text, from, to);
    hashes[size] = hash;
    occupy(size);
    return size++;
  }

  void clear() {
    Arrays.fill(slots, 0);
    size = 0;
  }

  private void occupy(int number) {
    int mask = slots.length - 1;
    int slot = spread(hashes[number]) & mask;
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = number + 1;
  }

  private static int spread(int hash) {
    int mixed = hash * 0x9E3779B9;
    return mixed ^ (mixed >>> 16);
  }
}
