package io.fabrichealth.collect.prometheus;

import io.fabrichealth.signal.Unsigned;
import java.nio.charset.StandardCharsets;

/**
 * The number of a sample, read from its text; reused from line to line.
 *
 * <p>A counter is an unsigned 64-bit integer. Where the text is an integer it is taken digit by
 * digit, so that it is exact over the whole range. Where it is written as a float, the writer held
 * it as a double: the text stands for the double nearest to it, and that double's integer is the
 * closest that can be had.
 */
final class DecimalText {
  private static final long LARGEST_BY_TEN = Long.divideUnsigned(-1L, 10);
  private static final int LARGEST_LAST_DIGIT = 5;

  /** So many digits cannot leave 64 bits. */
  private static final int SAFE_DIGITS = 18;

  private static final long EXACT_DOUBLE = 1L << 53;
  private static final int LARGEST_EXPONENT = 99_999;
  private static final double[] TENS = new double[23];
  private static final long[] INTEGER_TENS = new long[20];

  static {
    double ten = 1;
    for (int power = 0; power < TENS.length; power++) {
      TENS[power] = ten;
      ten *= 10;
    }
    long integer = 1;
    for (int power = 0; power < INTEGER_TENS.length; power++) {
      INTEGER_TENS[power] = integer;
      integer *= 10;
    }
  }

  private byte[] text = {};
  private int start;
  private int to;
  private boolean negative;
  private boolean floatText;
  private boolean truncated;
  private boolean special;
  private double specialValue;
  private long digits;
  private int exponent;
  private int shift;

  /** Takes the number in; false where the range holds none. The text must stay as it is. */
  boolean parse(byte[] bytes, int first, int end) {
    text = bytes;
    start = first;
    to = end;
    negative = false;
    floatText = false;
    truncated = false;
    special = false;
    digits = 0;
    exponent = 0;
    shift = 0;
    int at = first;
    if (at < end && (bytes[at] == '-' || bytes[at] == '+')) {
      negative = bytes[at] == '-';
      at++;
    }
    if (at < end && !isDigit(bytes[at]) && bytes[at] != '.') {
      return parseSpecial(at);
    }
    int whole = at;
    at = takeDigits(at, false);
    int count = at - whole;
    if (at < end && bytes[at] == '.') {
      floatText = true;
      int fraction = ++at;
      at = takeDigits(at, true);
      count += at - fraction;
    }
    if (count == 0) {
      return false;
    }
    if (at < end && (bytes[at] == 'e' || bytes[at] == 'E')) {
      floatText = true;
      at = takeExponent(at + 1);
    }
    return at == end;
  }

  /** Takes a number that the sender held as a double. */
  void set(double number) {
    special = true;
    specialValue = number;
  }

  /** Takes a whole number. */
  void set(long number) {
    special = false;
    truncated = false;
    floatText = false;
    negative = number < 0;
    digits = Math.abs(number);
    exponent = 0;
    shift = 0;
  }

  private int takeDigits(int from, boolean fraction) {
    int at = from;
    if (digits == 0) {
      int safe = Math.min(to, at + SAFE_DIGITS);
      long value = 0;
      while (at < safe && isDigit(text[at])) {
        value = value * 10 + text[at] - '0';
        at++;
      }
      digits = value;
      exponent -= fraction ? at - from : 0;
    }
    while (at < to && isDigit(text[at])) {
      int digit = text[at] - '0';
      int order = Long.compareUnsigned(digits, LARGEST_BY_TEN);
      if (order < 0 || (order == 0 && digit <= LARGEST_LAST_DIGIT)) {
        digits = digits * 10 + digit;
        exponent -= fraction ? 1 : 0;
      } else {
        truncated = true;
        exponent += fraction ? 0 : 1;
      }
      at++;
    }
    return at;
  }

  /** The place behind the exponent; -1 where there is none. */
  private int takeExponent(int at) {
    boolean minus = at < to && text[at] == '-';
    if (at < to && (text[at] == '-' || text[at] == '+')) {
      at++;
    }
    int first = at;
    int value = 0;
    while (at < to && isDigit(text[at])) {
      value = Math.min(value * 10 + text[at] - '0', LARGEST_EXPONENT);
      at++;
    }
    exponent += minus ? -value : value;
    return at == first ? -1 : at;
  }

  private boolean parseSpecial(int at) {
    special = true;
    if (is(at, "nan")) {
      specialValue = Double.NaN;
      return true;
    }
    specialValue = negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    return is(at, "inf") || is(at, "infinity");
  }

  private boolean is(int at, String word) {
    if (to - at != word.length()) {
      return false;
    }
    for (int index = 0; index < word.length(); index++) {
      if ((text[at + index] | 0x20) != word.charAt(index)) {
        return false;
      }
    }
    return true;
  }

  /** The value as a double; NaN and infinities as they stand. */
  double value() {
    if (special) {
      return specialValue;
    }
    double magnitude;
    if (!truncated && digits >= 0 && digits <= EXACT_DOUBLE && Math.abs(exponent) < TENS.length) {
      // Both operands are exact, so the one rounding is the right one (Clinger 1990).
      magnitude = exponent < 0 ? digits / TENS[-exponent] : digits * TENS[exponent];
    } else if (isWhole()) {
      magnitude = Unsigned.toDouble(whole());
    } else {
      magnitude = slowMagnitude();
    }
    return negative ? -magnitude : magnitude;
  }

  /** Multiplies the number by a power of ten. */
  void movePointRight(int places) {
    exponent += places;
    shift += places;
    specialValue = Math.rint(specialValue * Math.pow(10, places));
  }

  /** What {@link #unsigned} would say of it. */
  CellState counterState() {
    if (special) {
      return stateOf(specialValue);
    }
    if (negative && digits != 0) {
      return CellState.NEGATIVE;
    }
    if (!truncated && (exponent <= 0 || isWhole())) {
      return CellState.OK;
    }
    return floatText && slowMagnitude() <= 0x1p64 ? CellState.OK : CellState.TOO_LARGE;
  }

  private static CellState stateOf(double counter) {
    if (Double.isNaN(counter) || Double.isInfinite(counter)) {
      return CellState.NOT_A_NUMBER;
    }
    return counter < 0
        ? CellState.NEGATIVE
        : counter <= 0x1p64 ? CellState.OK : CellState.TOO_LARGE;
  }

  /** The whole part as an unsigned number; good only where {@link #counterState} is OK. */
  long unsigned() {
    if (special) {
      return toUnsigned(specialValue);
    }
    if (truncated) {
      return toUnsigned(slowMagnitude());
    }
    if (exponent >= 0) {
      if (!isWhole()) {
        return toUnsigned(slowMagnitude());
      }
      long whole = whole();
      boolean isExact = !floatText || (whole >= 0 && whole <= EXACT_DOUBLE);
      return isExact ? whole : toUnsigned(Unsigned.toDouble(whole));
    }
    int shift = -exponent;
    if (shift >= INTEGER_TENS.length) {
      return toUnsigned(slowMagnitude());
    }
    return Long.divideUnsigned(digits, INTEGER_TENS[shift]);
  }

  /** Whether digits and exponent make an integer below 2^64 without rounding. */
  private boolean isWhole() {
    return !truncated
        && exponent >= 0
        && (digits == 0
            || (exponent < INTEGER_TENS.length
                && Math.unsignedMultiplyHigh(digits, INTEGER_TENS[exponent]) == 0));
  }

  private long whole() {
    return digits == 0 ? 0 : digits * INTEGER_TENS[exponent];
  }

  private double slowMagnitude() {
    double parsed =
        Double.parseDouble(new String(text, start, to - start, StandardCharsets.US_ASCII));
    return Math.abs(shift == 0 ? parsed : parsed * Math.pow(10, shift));
  }

  /** 2^64 is what the largest counter becomes as a double: it stands for that. */
  private static long toUnsigned(double value) {
    if (value >= 0x1p64) {
      return -1L;
    }
    return value < 0x1p63 ? (long) value : (long) (value - 0x1p63) + Long.MIN_VALUE;
  }

  private static boolean isDigit(byte character) {
    return character >= '0' && character <= '9';
  }
}
