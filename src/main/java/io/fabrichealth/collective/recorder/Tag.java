package io.fabrichealth.collective.recorder;

/**
 * A value of a pickle in 64 bits: the lowest say what the others are. An integer has 62 of them,
 * and a real number loses the last two of its mantissa.
 */
final class Tag {
  static final long NONE = 3;
  static final long FALSE = 7;
  static final long TRUE = 11;

  /** An integer that does not fit. */
  static final long LARGE = 15;

  /** Not a value: a place in the memo that nothing was put into. */
  static final long UNSET = 19;

  private static final int KIND = 3;
  private static final int INTEGER = 0;
  private static final int REAL = 1;
  private static final int REFERENCE = 7;
  private static final int WORD = 2;
  private static final int BOX = 6;

  private Tag() {}

  static long integer(long value) {
    long shifted = value << 2;
    return shifted >> 2 == value ? shifted : LARGE;
  }

  /** Of one that has at most 32 bits. */
  static long small(long value) {
    return value << 2;
  }

  static long real(double value) {
    return Double.doubleToRawLongBits(value) & ~KIND | REAL;
  }

  /** A number in {@link Words}. */
  static long word(int number) {
    return (long) number << 3 | WORD;
  }

  /** A number in {@link Boxes}. */
  static long box(int number) {
    return (long) number << 3 | BOX;
  }

  static boolean isInteger(long value) {
    return (value & KIND) == INTEGER;
  }

  static boolean isReal(long value) {
    return (value & KIND) == REAL;
  }

  static boolean isWord(long value) {
    return (value & REFERENCE) == WORD;
  }

  static boolean isBox(long value) {
    return (value & REFERENCE) == BOX;
  }

  static long integerOf(long value) {
    return value >> 2;
  }

  static double realOf(long value) {
    return Double.longBitsToDouble(value & ~KIND);
  }

  /** The number of a word or box. */
  static int number(long value) {
    return (int) (value >>> 3);
  }
}
