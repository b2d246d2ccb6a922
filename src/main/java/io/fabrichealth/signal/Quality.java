package io.fabrichealth.signal;

/** How far a value can be trusted. Absent is not zero: a value that is not {@code OK} says why. */
public enum Quality {
  OK,
  /** The counter began anew; no growth can be told for this interval. */
  RESET,
  /** The counter passed its end once; the growth is good, as far as that is plausible. */
  WRAPPED,
  /** The counter stands at its end: the true value is that or more. */
  SATURATED,
  /** Polls were missed before this one; the growth is that of the longer interval. */
  GAP,
  /** Not read lately. */
  STALE,
  /** The device does not have it. */
  UNSUPPORTED,
  /** The device has it and gave no usable value; a reason stands beside it. */
  UNREADABLE;

  private static final Quality[] ALL = values();

  /** The quality of that ordinal; for compact storage. */
  public static Quality of(byte ordinal) {
    return ALL[ordinal];
  }

  /** Whether a value stands behind it. */
  public boolean hasValue() {
    return this != UNSUPPORTED && this != UNREADABLE;
  }
}
