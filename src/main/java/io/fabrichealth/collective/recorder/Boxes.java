package io.fabrichealth.collective.recorder;

import java.util.Arrays;

/**
 * The lists, tuples and dicts of a pickle, by columns: each is a stretch of tagged values. A dict
 * whose meaning was understood when it was complete keeps only a number.
 */
final class Boxes {
  static final byte LIST = 0;
  static final byte TUPLE = 1;
  static final byte DICT = 2;

  /** A dict that is an entry: its start is the entry's number. */
  static final byte ENTRY = 3;

  /** A dict that is a stack frame: its start is the frame's number. */
  static final byte STACK_FRAME = 4;

  /** An honest dump has eight an entry. */
  private static final int MOST_BOXES = 1 << 23;

  private static final int MOST_VALUES = 1 << 24;
  private static final int KEPT = 1 << 20;

  long[] values = new long[1024];
  private byte[] kinds = new byte[256];
  private int[] starts = new int[256];
  private int[] lengths = new int[256];
  private int boxes;
  private int end;

  void begin() {
    if (kinds.length > KEPT || values.length > KEPT) {
      values = new long[1024];
      kinds = new byte[256];
      starts = new int[256];
      lengths = new int[256];
    }
    boxes = 0;
    end = 0;
  }

  int add(byte kind) throws UnreadableDumpException {
    if (boxes == kinds.length) {
      if (boxes >= MOST_BOXES) {
        throw new UnreadableDumpException("it has more than %,d lists".formatted(MOST_BOXES));
      }
      kinds = Arrays.copyOf(kinds, boxes * 2);
      starts = Arrays.copyOf(starts, boxes * 2);
      lengths = Arrays.copyOf(lengths, boxes * 2);
    }
    kinds[boxes] = kind;
    starts[boxes] = end;
    lengths[boxes] = 0;
    return boxes++;
  }

  /**
   * Puts values behind those that the box has.
   *
   * @return how many values had to be moved
   */
  int append(int box, long[] fromValues, int from, int to) throws UnreadableDumpException {
    int more = to - from;
    int had = lengths[box];
    boolean isLast = starts[box] + had == end;
    int moved = isLast ? 0 : had;
    reserve(moved + more);
    if (!isLast) {
      System.arraycopy(values, starts[box], values, end, had);
      starts[box] = end;
      end += had;
    }
    System.arraycopy(fromValues, from, values, end, more);
    end += more;
    lengths[box] = had + more;
    return moved;
  }

  /**
   * Forgets all boxes that were made after this one, and all values from there on: what an entry
   * held is in its columns, and the next one finds the same memory still near the processor.
   */
  void releaseAfter(int box, int value) {
    boxes = box + 1;
    end = value;
  }

  void become(int box, byte kind, int number) {
    kinds[box] = kind;
    starts[box] = number;
    lengths[box] = 0;
  }

  byte kind(int box) {
    return kinds[box];
  }

  boolean isSequence(int box) {
    return kinds[box] <= TUPLE;
  }

  /** Of the first value; of an entry or frame its number. */
  int start(int box) {
    return starts[box];
  }

  /** In values: a dict has two for each of its keys. */
  int length(int box) {
    return lengths[box];
  }

  private void reserve(int more) throws UnreadableDumpException {
    if (end + more > values.length) {
      if (end + more > MOST_VALUES) {
        throw new UnreadableDumpException("it has more than %,d values".formatted(MOST_VALUES));
      }
      int longer = Math.max(values.length * 2, end + more);
      values = Arrays.copyOf(values, longer);
    }
  }
}
