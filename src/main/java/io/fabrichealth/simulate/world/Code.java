package io.fabrichealth.simulate.world;

import io.fabrichealth.topology.FecMode;

/**
 * A Reed-Solomon code of 10-bit symbols on a line.
 *
 * @param symbols of a codeword
 * @param correctable of them
 */
record Code(FecMode mode, int symbols, int correctable) {
  /** Line rate over nominal speed: 256b/257b transcoding and parity together. */
  private static final double OVERHEAD = 1.0625;

  private static final int SYMBOL_BITS = 10;

  static final Code KP4 = new Code(FecMode.RS544, 544, 15);
  static final Code LOW_LATENCY = new Code(FecMode.RS272, 272, 7);

  static Code of(Flavour flavour) {
    return flavour == Flavour.INFINIBAND ? LOW_LATENCY : KP4;
  }

  int bits() {
    return symbols * SYMBOL_BITS;
  }

  double codewordsPerSecond(double bitsPerSecond) {
    return bitsPerSecond * OVERHEAD / bits();
  }

  /** Bits of one lane in a codeword. */
  double laneBits(int lanes) {
    return (double) bits() / lanes;
  }
}
