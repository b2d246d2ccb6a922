package io.fabrichealth.signal;

/** 64-bit counters, which are unsigned, as numbers. */
public final class Unsigned {

  private Unsigned() {}

  /**
   * The double next to the counter.
   *
   * @param counter its 64 bits, from 0 to 2^64 - 1
   */
  public static double toDouble(long counter) {
    // Halved, the lowest bit stays as a sticky bit, so that it is rounded once.
    return counter >= 0 ? counter : ((counter >>> 1) | (counter & 1)) * 2.0;
  }
}
