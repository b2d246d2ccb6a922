package io.fabrichealth.signal;

/**
 * An entry of the signal dictionary.
 *
 * @param id for example {@code fec.corrected_bits}; the part before the dot is its family
 * @param unit UCUM-like word, {@code 1} for plain counts
 * @param bits width of a counter, 1 to 64; a device may say otherwise
 */
public record Signal(String id, String unit, Kind kind, Scope scope, int bits, AtEnd atEnd) {

  /** What the value means. */
  public enum Kind {
    COUNTER,
    GAUGE,
    STATE
  }

  /** What the elements of the signal are; {@code PORT} and {@code DEVICE} have one. */
  public enum Scope {
    PORT,
    LANE,
    PRIORITY,
    QUEUE,
    BIN,
    DEVICE
  }

  /** What a counter does at the end of its width. */
  public enum AtEnd {
    WRAPS,
    SATURATES
  }

  /** The largest value of the counter, as an unsigned number. */
  public long largest() {
    return bits >= 64 ? -1L : (1L << bits) - 1;
  }
}
