package io.fabrichealth.topology;

/**
 * Forward error correction of a port: n and k in symbols, t symbols correctable in a codeword.
 *
 * <p>Source: IEEE 802.3 clauses 74, 91, 119; the low-latency codes of the 25G/50G Ethernet
 * Consortium.
 */
public enum FecMode {
  NONE(0, 0, 0, 0),
  /** BASE-R Firecode (2112,2080): bits, not symbols; corrects one burst of up to 11 bits. */
  FC(2112, 2080, 1, 1),
  RS528(528, 514, 7, 10),
  RS544(544, 514, 15, 10),
  /** Two-way interleaved RS(544,514). */
  RS544_2X(544, 514, 15, 10),
  RS272(272, 257, 7, 10),
  RS271(271, 257, 7, 10),
  UNKNOWN(0, 0, 0, 0);

  private final int codewordSymbols;
  private final int messageSymbols;
  private final int correctableSymbols;
  private final int symbolBits;

  FecMode(int codewordSymbols, int messageSymbols, int correctableSymbols, int symbolBits) {
    this.codewordSymbols = codewordSymbols;
    this.messageSymbols = messageSymbols;
    this.correctableSymbols = correctableSymbols;
    this.symbolBits = symbolBits;
  }

  public int codewordSymbols() {
    return codewordSymbols;
  }

  public int messageSymbols() {
    return messageSymbols;
  }

  /** Symbols correctable in one codeword (t); 0 without FEC. */
  public int correctableSymbols() {
    return correctableSymbols;
  }

  public int symbolBits() {
    return symbolBits;
  }

  public int codewordBits() {
    return codewordSymbols * symbolBits;
  }

  /** Whether codewords exist, so that corrected and uncorrectable ones can be counted. */
  public boolean hasCodewords() {
    return codewordSymbols > 0;
  }
}
