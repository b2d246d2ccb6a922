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

  final Words words = new Words();
  final Boxes boxes = new Boxes();
  long[] values = new long[1024];
  int top;
  final int[] marks = new int[DEEPEST];
  int depth;
  private long[] memo = new long[1024];
  private int memoEnd;
  private int lastRememberedBox;
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
    if (values.length > KEPT || memo.length > KEPT) {
      values = new long[1024];
      memo = new long[1024];
    }
    bytes = of;
    limit = length;
    at = 0;
    start = 0;
    top = 0;
    depth = 0;
    memoEnd = 0;
    lastRememberedBox = -1;
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
    byte[] code = bytes;
    long[] stack = values;
    int next = at;
    int height = top;
    while (next < limit) {
      // Each case moves on by its own constant: the processor need not wait for the length.
      start = next;
      int opcode = code[next++] & 0xff;
      if (limit - next < Long.BYTES && limit - next < Opcode.operandBytes(opcode)) {
        top = height;
        return false;
      }
      if (height == stack.length) {
        top = height;
        grow();
        stack = values;
      }
      switch (opcode) {
        case Opcode.BINGET -> {
          stack[height++] = remembered(code[next] & 0xff);
          next++;
        }
        case Opcode.LONG_BINGET -> {
          stack[height++] = remembered((int) INT.get(code, next));
          next += Integer.BYTES;
        }
        case Opcode.BININT1 -> {
          stack[height++] = Tag.small(code[next] & 0xff);
          next++;
        }
        case Opcode.BININT2 -> {
          stack[height++] = Tag.small((short) SHORT.get(code, next) & 0xffff);
          next += Short.BYTES;
        }
        case Opcode.BININT -> {
          stack[height++] = Tag.small((int) INT.get(code, next));
          next += Integer.BYTES;
        }
        case Opcode.NONE -> stack[height++] = Tag.NONE;
        case Opcode.NEWTRUE -> stack[height++] = Tag.TRUE;
        case Opcode.NEWFALSE -> stack[height++] = Tag.FALSE;
        case Opcode.BINFLOAT -> {
          stack[height++] = Tag.real((double) DOUBLE.get(code, next));
          next += Double.BYTES;
        }
        case Opcode.EMPTY_LIST -> stack[height++] = Tag.box(boxes.add(Boxes.LIST));
        case Opcode.EMPTY_DICT -> stack[height++] = Tag.box(boxes.add(Boxes.DICT));
        case Opcode.MARK -> {
          top = height;
          mark();
        }
        case Opcode.STOP -> {
          top = height;
          return true;
        }
        default -> {
          at = next;
          top = height;
          if (!rare(opcode, dicts)) {
            return false;
          }
          stack = values;
          height = top;
          next = at;
        }
      }
    }
    top = height;
    start = limit;
    return false;
  }

  /** Those that take from the stack or have a length. */
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
      case Opcode.APPENDS -> append(unmark());
      case Opcode.SETITEMS -> set(unmark(), dicts);
      case Opcode.TUPLE2 -> tuple(top - 2);
      case Opcode.BINPUT -> put(bytes[at++] & 0xff);
      case Opcode.LONG_BINPUT -> put(readInt());
      case Opcode.MEMOIZE -> put(memoEnd);
      case Opcode.EMPTY_TUPLE -> tuple(top);
      case Opcode.TUPLE -> tuple(unmark());
      case Opcode.TUPLE1 -> tuple(top - 1);
      case Opcode.TUPLE3 -> tuple(top - 3);
      case Opcode.APPEND -> append(top - 1);
      case Opcode.SETITEM -> set(top - 2, dicts);
      case Opcode.PROTO -> protocol(bytes[at++] & 0xff);
      case Opcode.FRAME -> at += Long.BYTES;
      default ->
          throw new UnreadableDumpException(
              "%s is not an opcode of plain data".formatted(Opcode.describe(opcode)));
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
    push(Tag.word(words.of(at, (int) length)));
    at += (int) length;
    return true;
  }

  private boolean integer(long length) throws UnreadableDumpException {
    if (length > limit - at) {
      return false;
    }
    if (length == Long.BYTES) {
      push(Tag.integer(readLong()));
      return true;
    }
    if (length > Long.BYTES) {
      push(Tag.LARGE);
    } else {
      long value = length == 0 ? 0 : bytes[at + (int) length - 1];
      for (int i = (int) length - 2; i >= 0; i--) {
        value = value << 8 | (bytes[at + i] & 0xff);
      }
      push(Tag.integer(value));
    }
    at += (int) length;
    return true;
  }

  private void push(long value) throws UnreadableDumpException {
    if (top == values.length) {
      grow();
    }
    values[top++] = value;
  }

  private void grow() throws UnreadableDumpException {
    if (top >= MOST_ON_STACK) {
      throw new UnreadableDumpException(
          "more than %,d values wait to be put in a list".formatted(MOST_ON_STACK));
    }
    values = Arrays.copyOf(values, top * 2);
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
    if (from < floor() + 1 || !Tag.isBox(values[from - 1])) {
      throw new UnreadableDumpException("there is nothing to put the values into");
    }
    return Tag.number(values[from - 1]);
  }

  private int floor() {
    return depth == 0 ? 0 : marks[depth - 1];
  }

  private void append(int from) throws UnreadableDumpException {
    int box = boxBelow(from);
    if (boxes.kind(box) != Boxes.LIST) {
      throw new UnreadableDumpException("values are put into something that is not a list");
    }
    moved(boxes.append(box, values, from, top));
    top = from;
  }

  private void set(int from, DictReader dicts) throws UnreadableDumpException {
    int box = boxBelow(from);
    if (boxes.kind(box) != Boxes.DICT || (top - from) % 2 != 0) {
      throw new UnreadableDumpException("pairs are put into something that is not a dict");
    }
    if (boxes.length(box) == 0) {
      int start = boxes.start(box);
      dicts.complete(box, from, top);
      if (boxes.kind(box) == Boxes.ENTRY && lastRememberedBox <= box) {
        boxes.releaseAfter(box, start);
      }
    }
    if (boxes.kind(box) == Boxes.DICT) {
      moved(boxes.append(box, values, from, top));
    }
    top = from;
  }

  private void tuple(int from) throws UnreadableDumpException {
    if (from < floor()) {
      throw new UnreadableDumpException("a tuple of values that are not there");
    }
    int box = boxes.add(Boxes.TUPLE);
    boxes.append(box, values, from, top);
    top = from;
    push(Tag.box(box));
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
    if (slot >= memo.length) {
      memo = Arrays.copyOf(memo, Math.max(slot + 1, memo.length * 2));
    }
    if (slot > memoEnd) {
      Arrays.fill(memo, memoEnd, slot, Tag.UNSET);
    }
    long value = values[top - 1];
    if (Tag.isBox(value)) {
      lastRememberedBox = Math.max(lastRememberedBox, Tag.number(value));
    }
    memo[slot] = value;
    memoEnd = Math.max(memoEnd, slot + 1);
    puts++;
  }

  private long remembered(int slot) throws UnreadableDumpException {
    if (slot < 0 || slot >= memoEnd || memo[slot] == Tag.UNSET) {
      throw new UnreadableDumpException(
          "number %s is not in the memo".formatted(Integer.toUnsignedString(slot)));
    }
    return memo[slot];
  }

  private static VarHandle view(Class<?> type) {
    return MethodHandles.byteArrayViewVarHandle(type, ByteOrder.LITTLE_ENDIAN);
  }
}
