package io.fabrichealth.collective.recorder;

/** What a value of a pickle is; a 64-bit payload stands beside it. */
final class Tag {
  static final byte NONE = 0;
  static final byte FALSE = 1;
  static final byte TRUE = 2;
  static final byte INTEGER = 3;

  /** The payload is the bits of a double. */
  static final byte REAL = 4;

  /** The payload is a number in {@link Words}. */
  static final byte WORD = 5;

  /** The payload is a number in {@link Boxes}. */
  static final byte BOX = 6;

  /** An integer of more than 64 bits. */
  static final byte LARGE = 7;

  private Tag() {}
}
