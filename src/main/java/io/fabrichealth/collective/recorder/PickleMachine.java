package io.fabrichealth.collective.recorder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Runs the opcodes of a pickle on a stack of tagged numbers; there is no object for a value. Memory
 * is bounded by the bytes and by the limits below, time by the bytes.
 */
final class PickleMachine {
  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);
  private static final VarHandle DOUBLE =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.BIG_ENDIAN);

  private static final int DEEPEST = 256;
  private static final int MOST_ON_STACK = 1 << 22;
  private static final int MOST_IN_MEMO = 1 << 23;
  private static final int KEPT = 1 << 20;

  /** Writers number the memo from 0 without gaps; somebody's optimiser may leave some. */
  private static final int LARGEST_GAP = 65_536;

  private static final byte UNSET = -1;

  final Words words = new Words();
  final Boxes boxes = new Boxes();
  byte[] tags = new byte[1024];
  long[] values = new long[1024];
  int top;
  final int[] marks = new int[DEEPEST];
  int depth;
  private byte[] memoTags = new byte[1024];
  private long[] memoValues = new long[1024];
  private int memoEnd;
  private int puts;
  private long moves;
  private byte[] bytes = new byte[0];
  private int limit;
  private int at;
  private int start;

  /** Told of each dict when its values are there. */
  interface DictReader {
    void complete(int box, int from, int to) throws UnreadableDumpException;
  }

  void begin(byte[] of, int length) {
    if (tags.length > KEPT || memoTags.length > KEPT) {
      tags = new byte[1024];
      values = new long[1024];
      memoTags = new byte[1024];
      memoValues = new long[1024];
    }
    bytes = of;
    limit = length;
    at = 0;
    start = 0;
    top = 0;
    depth = 0;
    memoEnd = 0;
    puts = 0;
    moves = 0;
    words.begin(of);
    boxes.begin();
  }

  /** The byte at which the opcode stands that was read last. */
  int offset() {
    return start;
  }

  /** The opcode that was read last; -1 where there are no bytes. */
  int opcode() {
    return start < limit ? bytes[start] & 0xff : -1;
  }

  /**
   * Runs up to STOP.
   *
   * @return false where the bytes end before it
   */
  boolean run(DictReader dicts) throws UnreadableDumpException {
    while (at < limit) {
      start = at;
      int opcode = bytes[at++] & 0xff;
      int operand = Opcode.operandBytes(opcode);
      if (operand < 0) {
        throw new UnreadableDumpException(
            "%s is not an opcode of plain data".formatted(Opcode.describe(opcode)));
      }
      if (limit - at < operand) {
        return false;
      }
      switch (opcode) {
        case Opcode.BINGET -> get(bytes[at++] & 0xff);
        case Opcode.BININT1 -> push(Tag.INTEGER, bytes[at++] & 0xff);
        case Opcode.MARK -> mark();
        case Opcode.EMPTY_LIST -> push(Tag.BOX, boxes.add(Boxes.LIST));
        case Opcode.APPENDS -> append(unmark());
        case Opcode.EMPTY_DICT -> push(Tag.BOX, boxes.add(Boxes.DICT));
        case Opcode.SETITEMS -> set(unmark(), dicts);
        case Opcode.BINPUT -> put(bytes[at++] & 0xff);
        case Opcode.NONE -> push(Tag.NONE, 0);
        case Opcode.NEWTRUE -> push(Tag.TRUE, 1);
        case Opcode.NEWFALSE -> push(Tag.FALSE, 0);
        case Opcode.BININT2 -> {
          push(Tag.INTEGER, (short) SHORT.get(bytes, at) & 0xffff);
          at += Short.BYTES;
        }
        case Opcode.BININT -> push(Tag.INTEGER, readInt());
        case Opcode.BINFLOAT -> {
          push(Tag.REAL, Double.doubleToRawLongBits((double) DOUBLE.get(bytes, at)));
          at += Double.BYTES;
        }
        case Opcode.LONG_BINGET -> get(readInt());
        case Opcode.LONG_BINPUT -> put(readInt());
        case Opcode.MEMOIZE -> put(memoEnd);
        case Opcode.TUPLE2 -> tuple(top - 2);
        case Opcode.STOP -> {
          return true;
        }
        default -> {
          if (!rare(opcode, dicts)) {
            return false;
          }
        }
      }
    }
    start = limit;
    return false;
  }

  /** Those with a length, and those that PyTorch's own writer does not use. */
  private boolean rare(int opcode, DictReader dicts) throws UnreadableDumpException {
    switch (opcode) {
      case Opcode.BINUNICODE -> {
        return word(readInt() & 0xffff_ffffL);
      }
      case Opcode.SHORT_BINUNICODE -> {
        return word(bytes[at++] & 0xff);
      }
      case Opcode.BINUNICODE8 -> {
        return word(readLong());
      }
      case Opcode.LONG1 -> {
        return integer(bytes[at++] & 0xff);
      }
      case Opcode.LONG4 -> {
        return integer(readInt() & 0xffff_ffffL);
      }
      case Opcode.EMPTY_TUPLE -> tuple(top);
      case Opcode.TUPLE -> tuple(unmark());
      case Opcode.TUPLE1 -> tuple(top - 1);
      case Opcode.TUPLE3 -> tuple(top - 3);
      case Opcode.APPEND -> append(top - 1);
      case Opcode.SETITEM -> set(top - 2, dicts);
      case Opcode.PROTO -> protocol(bytes[at++] & 0xff);
      case Opcode.FRAME -> at += Long.BYTES;
      default -> throw new IllegalStateException("opcode " + opcode);
    }
    return true;
  }

  private void protocol(int version) throws UnreadableDumpException {
    if (version < 2 || version > 5) {
      throw new UnreadableDumpException("pickle protocol %d is not 2 to 5".formatted(version));
    }
  }

  private int readInt() {
    int value = (int) INT.get(bytes, at);
    at += Integer.BYTES;
    return value;
  }

  private long readLong() {
    long value = (long) LONG.get(bytes, at);
    at += Long.BYTES;
    return value;
  }

  private boolean word(long length) throws UnreadableDumpException {
    if (length < 0 || length > limit - at) {
      return false;
    }
    push(Tag.WORD, words.of(at, (int) length));
    at += (int) length;
    return true;
  }

  private boolean integer(long length) throws UnreadableDumpException {
    if (length > limit - at) {
      return false;
    }
    if (length == Long.BYTES) {
      push(Tag.INTEGER, readLong());
      return true;
    }
    if (length > Long.BYTES) {
      push(Tag.LARGE, 0);
    } else {
      long value = length == 0 ? 0 : bytes[at + (int) length - 1];
      for (int i = (int) length - 2; i >= 0; i--) {
        value = value << 8 | bytes[at + i] & 0xff;
      }
      push(Tag.INTEGER, value);
    }
    at += (int) length;
    return true;
  }

  private void push(byte tag, long value) throws UnreadableDumpException {
    if (top == tags.length) {
      if (top >= MOST_ON_STACK) {
        throw new UnreadableDumpException(
            "more than %,d values wait to be put in a list".formatted(MOST_ON_STACK));
      }
      tags = Arrays.copyOf(tags, top * 2);
      values = Arrays.copyOf(values, top * 2);
    }
    tags[top] = tag;
    values[top++] = value;
  }

  private void mark() throws UnreadableDumpException {
    if (depth == DEEPEST) {
      throw new UnreadableDumpException("nested deeper than %d".formatted(DEEPEST));
    }
    marks[depth++] = top;
  }

  private int unmark() throws UnreadableDumpException {
    if (depth == 0) {
      throw new UnreadableDumpException("there is no MARK for it");
    }
    return marks[--depth];
  }

  /** The values from here to the top belong to the box below them. */
  private int boxBelow(int from) throws UnreadableDumpException {
    if (from < floor() + 1 || tags[from - 1] != Tag.BOX) {
      throw new UnreadableDumpException("there is nothing to put the values into");
    }
    return (int) values[from - 1];
  }

  private int floor() {
    return depth == 0 ? 0 : marks[depth - 1];
  }

  private void append(int from) throws UnreadableDumpException {
    int box = boxBelow(from);
    if (boxes.kind(box) != Boxes.LIST) {
      throw new UnreadableDumpException("values are put into something that is not a list");
    }
    moved(boxes.append(box, tags, values, from, top));
    top = from;
  }

  private void set(int from, DictReader dicts) throws UnreadableDumpException {
    int box = boxBelow(from);
    if (boxes.kind(box) != Boxes.DICT || (top - from) % 2 != 0) {
      throw new UnreadableDumpException("pairs are put into something that is not a dict");
    }
    if (boxes.length(box) == 0) {
      dicts.complete(box, from, top);
    }
    if (boxes.kind(box) == Boxes.DICT) {
      moved(boxes.append(box, tags, values, from, top));
    }
    top = from;
  }

  private void tuple(int from) throws UnreadableDumpException {
    if (from < floor()) {
      throw new UnreadableDumpException("a tuple of values that are not there");
    }
    int box = boxes.add(Boxes.TUPLE);
    boxes.append(box, tags, values, from, top);
    top = from;
    push(Tag.BOX, box);
  }

  /** Lists that grow in turn would be moved again and again. */
  private void moved(int count) throws UnreadableDumpException {
    moves += count;
    if (moves > 16L * limit + KEPT) {
      throw new UnreadableDumpException("its lists grow in turn");
    }
  }

  private void put(int slot) throws UnreadableDumpException {
    if (slot < 0 || slot > puts + LARGEST_GAP || slot >= MOST_IN_MEMO) {
      throw new UnreadableDumpException(
          "number %s in the memo after %d".formatted(Integer.toUnsignedString(slot), puts));
    }
    if (top <= floor()) {
      throw new UnreadableDumpException("nothing is there to be remembered");
    }
    if (slot >= memoTags.length) {
      int longer = Math.max(slot + 1, memoTags.length * 2);
      memoTags = Arrays.copyOf(memoTags, longer);
      memoValues = Arrays.copyOf(memoValues, longer);
    }
    if (slot > memoEnd) {
      Arrays.fill(memoTags, memoEnd, slot, UNSET);
    }
    memoTags[slot] = tags[top - 1];
    memoValues[slot] = values[top - 1];
    memoEnd = Math.max(memoEnd, slot + 1);
    puts++;
  }

  private void get(int slot) throws UnreadableDumpException {
    if (slot < 0 || slot >= memoEnd || memoTags[slot] == UNSET) {
      throw new UnreadableDumpException(
          "number %s is not in the memo".formatted(Integer.toUnsignedString(slot)));
    }
    push(memoTags[slot], memoValues[slot]);
  }

  private static VarHandle view(Class<?> type) {
    return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.LITTLE_ENDIAN);
  }
}
