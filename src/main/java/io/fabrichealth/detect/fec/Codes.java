package io.fabrichealth.detect.fec;

import io.fabrichealth.topology.FecMode;
import java.util.EnumMap;
import java.util.Map;

/**
 * What follows from the code alone: rates, lengths, and the errors that it can bear.
 *
 * <p>Source: IEEE 802.3 clauses 74 (2112,2080), 91 (RS528, RS544), 119 (400G, two codewords
 * interleaved); 25/50 Gigabit Ethernet Consortium (RS272). 64b/66b blocks are packed 256b/257b
 * before a Reed-Solomon code, 64b/65b before the Firecode.
 */
public final class Codes {
  /**
   * Bit error ratio before FEC up to which RS(544,514) holds what its links promise (IEEE 802.3
   * clauses 121 to 124).
   */
  public static final double KP4_LIMIT = 2.4e-4;

  private static final double TRANSCODED = 257.0 / 256;
  private static final double FIRECODE_TRANSCODED = 65.0 / 64;

  /**
   * Lost codewords in a million million: what KP4 leaves at its limit, and all codes are held to.
   */
  private static final Map<FecMode, Double> LIMITS = new EnumMap<>(FecMode.class);

  static {
    double lost = CodewordErrors.logLostRatio(FecMode.RS544, KP4_LIMIT);
    for (FecMode mode : FecMode.values()) {
      LIMITS.put(mode, isReedSolomon(mode) ? CodewordErrors.bitErrorRatio(mode, lost) : Double.NaN);
    }
  }

  private Codes() {}

  /** Whether codewords of several bits a symbol are corrected, as all formulas here assume. */
  public static boolean isReedSolomon(FecMode mode) {
    return mode.hasCodewords() && mode.symbolBits() > 1;
  }

  /**
   * Codewords a second on a link that is never silent, as Ethernet and InfiniBand links are.
   *
   * @param bitsPerSecond nominal speed, for example 400e9
   * @return 78.125e6 for 400G with RS(544,514); NaN where the mode has no codewords
   */
  public static double codewordsPerSecond(FecMode mode, double bitsPerSecond) {
    if (!mode.hasCodewords()) {
      return Double.NaN;
    }
    double packed = isReedSolomon(mode) ? TRANSCODED : FIRECODE_TRANSCODED;
    return bitsPerSecond * packed / (mode.messageSymbols() * mode.symbolBits());
  }

  /** Bits a second on the wire, all lanes together: 425e9 for 400G with RS(544,514). */
  public static double lineRate(FecMode mode, double bitsPerSecond) {
    return mode.hasCodewords()
        ? codewordsPerSecond(mode, bitsPerSecond) * mode.codewordBits()
        : bitsPerSecond;
  }

  /**
   * Bit error ratio at which the code leaves as many codewords over as RS(544,514) at 2.4e-4 (8e-13
   * of them): the limit that margins are told to. NaN for modes without Reed-Solomon code.
   */
  public static double limit(FecMode mode) {
    return LIMITS.getOrDefault(mode, Double.NaN);
  }
}
