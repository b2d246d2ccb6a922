package io.fabrichealth.collect.scrape;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Numbers strings of bytes from 0, in the order in which they come, and finds one without making an
 * object of it. All bytes stand in one array.
 */
public final class ByteKeys {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final int OVERHEAD_BYTES = 16;

  /** Keys come from outside: nobody is to know which of them collide. */
  private static final long SECRET = System.nanoTime() * MIX | 1;

  private byte[] bytes = new byte[256];
  private int[] ends = new int[16];
  private int[] hashes = new int[16];

  /** Number of the key plus one, 0 where free; open addressing, at most half full. */
  private int[] slots = new int[32];

  private int size;

  public int size() {
    return size;
  }

  /** Where the keys stand; good until the next one is added. */
  public byte[] bytes() {
    return bytes;
  }

  public int from(int number) {
    return number == 0 ? 0 : ends[number - 1];
  }

  public int to(int number) {
    return ends[number];
  }

  /** About how much memory a key takes. */
  public static int memory(int length) {
    return length + OVERHEAD_BYTES;
  }

  public static int hash(byte[] text, int from, int to) {
    long hash = SECRET;
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      hash = (hash ^ (long) LONGS.get(text, at)) * MIX;
      hash ^= hash >>> 29;
    }
    for (; at < to; at++) {
      hash = (hash ^ text[at]) * MIX;
    }
    hash ^= hash >>> 32;
    return (int) (hash * SECRET >>> 32);
  }

  /** The number of a key; -1 where it is not known. */
  public int find(byte[] text, int from, int to, int hash) {
    int mask = slots.length - 1;
    for (int slot = hash & mask; ; slot = (slot + 1) & mask) {
      int number = slots[slot] - 1;
      if (number < 0) {
        return -1;
      }
      if (hashes[number] == hash
          && Arrays.equals(bytes, from(number), to(number), text, from, to)) {
        return number;
      }
    }
  }

  /** The number of a key that {@link #find} does not know yet. */
  public int add(byte[] text, int from, int to, int hash) {
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, size * 2);
      hashes = Arrays.copyOf(hashes, size * 2);
      slots = new int[size * 4];
      for (int number = 0; number < size; number++) {
        occupy(number);
      }
    }
    int start = size == 0 ? 0 : ends[size - 1];
    int end = start + to - from;
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
    }
    System.arraycopy(text, from, bytes, start, to - from);
    ends[size] = end;
    hashes[size] = hash;
    occupy(size);
    return size++;
  }

  private void occupy(int number) {
    int mask = slots.length - 1;
    int slot = hashes[number] & mask;
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = number + 1;
  }
}
