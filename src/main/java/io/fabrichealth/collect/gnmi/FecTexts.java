package io.fabrichealth.collect.gnmi;

import io.fabrichealth.topology.FecMode;
import java.util.Locale;

/**
 * The mode of forward error correction as devices name it: identities of openconfig-if-ethernet
 * ({@code FEC_RS544}), or what SONiC's port table has ({@code rs}, {@code fc}, {@code none}).
 */
final class FecTexts {
  /** Lanes faster than this are PAM4, whose Reed-Solomon code is RS(544,514). */
  private static final double FASTEST_NRZ = 30e9;

  private FecTexts() {}

  /**
   * @param bitsPerSecond of the port; 0 where unknown
   * @param lanes 0 where unknown
   */
  static FecMode mode(String text, double bitsPerSecond, int lanes) {
    String name = text.substring(text.lastIndexOf(':') + 1).toUpperCase(Locale.ROOT);
    return switch (name.startsWith("FEC_") ? name.substring(4) : name) {
      case "DISABLED", "NONE", "OFF" -> FecMode.NONE;
      case "FC", "BASER" -> FecMode.FC;
      case "RS528" -> FecMode.RS528;
      case "RS544" -> FecMode.RS544;
      case "RS544_2X_INTERLEAVE" -> FecMode.RS544_2X;
      case "RS272", "LLRS" -> FecMode.RS272;
      case "RS" ->
          bitsPerSecond <= 0 || lanes <= 0
              ? FecMode.UNKNOWN
              : bitsPerSecond / lanes > FASTEST_NRZ ? FecMode.RS544 : FecMode.RS528;
      default -> FecMode.UNKNOWN;
    };
  }
}
