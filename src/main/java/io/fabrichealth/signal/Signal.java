package io.fabrichealth.signal;

/**
 * An entry of the signal dictionary.
 *
 * @param id for example {@code fec.corrected_bits}; the part before the dot is its family
 * @param unit UCUM-like word, {@code 1} for plain counts
 * @param bits width of a counter, 1 to 64; a device may say otherwise
 * @param least the smallest value that a gauge can have in this world; what is outside is a fault
 *     of the device and not believed
 * @param most the largest one
 */
public record Signal(
    String id,
    String unit,
    Kind kind,
    Scope scope,
    int bits,
    AtEnd atEnd,
    double least,
    double most) {

  /** A signal whose values have no bounds. */
  public Signal(String id, String unit, Kind kind, Scope scope, int bits, AtEnd atEnd) {
    this(id, unit, kind, scope, bits, atEnd, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
  }

  /** Whether a gauge or state can have the value. */
  public boolean canBe(double value) {
    return value >= least && value <= most;
  }

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

  /** The part of the id before the dot, for example {@code fec}. */
  public String family() {
    int dot = id.indexOf('.');
    return dot < 0 ? id : id.substring(0, dot);
  }

  /** The largest value of the counter, as an unsigned number. */
  public long largest() {
    return bits >= 64 ? -1L : (1L << bits) - 1;
  }
}
