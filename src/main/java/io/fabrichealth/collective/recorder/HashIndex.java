package io.fabrichealth.collective.recorder;

import java.util.Arrays;

/**
 * Numbers distinct 64-bit hashes from 0, in the order in which they come. The hashes stand for what
 * they were made of: with a million values two of them meet once in 36 million dumps.
 */
final class HashIndex {
  /** With half of the slots free, honest hashes come nowhere near. */
  private static final int LONGEST_SEARCH = 4_096;

  private int[] slots = new int[64];
  private long[] hashes = new long[32];
  private int size;

  /** The number of the hash; -1 - number where it is new, and then numbered. */
  int find(long hash) throws UnreadableDumpException {
    int mask = slots.length - 1;
    int slot = (int) hash & mask;
    int steps = 0;
    while (slots[slot] != 0) {
      if (hashes[slots[slot] - 1] == hash) {
        return slots[slot] - 1;
      }
      if (++steps > LONGEST_SEARCH) {
        throw new UnreadableDumpException("its values were made to collide");
      }
      slot = (slot + 1) & mask;
    }
    if (size == hashes.length) {
      grow();
      mask = slots.length - 1;
      slot = (int) hash & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
    }
    hashes[size] = hash;
    slots[slot] = ++size;
    return -size;
  }

  void clear() {
    Arrays.fill(slots, 0);
    size = 0;
  }

  /** Takes a value into a hash that {@link #mix} finishes. */
  static long fold(long hash, long value) {
    long h = (Long.rotateLeft(hash, 23) ^ value) * 0x9fb21c651e98df25L;
    return h ^ (h >>> 28);
  }

  /** Spreads a value over all bits of what was hashed before (the finaliser of MurmurHash3). */
  static long mix(long hash, long value) {
    long h = (hash ^ value) * 0xff51afd7ed558ccdL;
    h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return h ^ (h >>> 29);
  }

  private void grow() {
    hashes = Arrays.copyOf(hashes, size * 2);
    slots = new int[size * 4];
    int mask = slots.length - 1;
    for (int i = 0; i < size; i++) {
      int slot = (int) hashes[i] & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = i + 1;
    }
  }
}
