package io.fabrichealth.collect.prometheus;

import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Media;
import java.util.Locale;

/** What ethtool and mlxlink call codes and media. */
final class HardwareText {
  /**
   * Lanes of 50 Gbit/s and more carry PAM4, whose code is RS(544,514) (IEEE 802.3 clause 91, 119).
   */
  private static final long PAM4_LANE = 50_000_000_000L;

  /** Speeds that NRZ lanes do not reach. */
  private static final long PAM4_PORT = 200_000_000_000L;

  private HardwareText() {}

  /**
   * The code by its name.
   *
   * @param text of ethtool ({@code RS}, {@code BaseR}, {@code LLRS}, {@code Off}) or mlxlink
   *     ({@code Standard RS-FEC - RS(544,514)}, {@code Firecode FEC}, {@code No FEC})
   * @param bitsPerSecond of the port; 0 where unknown
   * @param lanes of the port; 0 where unknown
   */
  static FecMode fec(String text, long bitsPerSecond, int lanes) {
    String name = text.toLowerCase(Locale.ROOT).replace(" ", "");
    if (name.contains("544,514")) {
      return name.contains("interleaved") ? FecMode.RS544_2X : FecMode.RS544;
    }
    if (name.contains("528,514")) {
      return FecMode.RS528;
    }
    if (name.contains("272,257")) {
      return FecMode.RS272;
    }
    if (name.contains("271,257")) {
      return FecMode.RS271;
    }
    return switch (name) {
      case "off", "none", "nofec" -> FecMode.NONE;
      case "baser", "firecodefec" -> FecMode.FC;
      case "llrs" -> FecMode.RS272;
      case "rs" -> reedSolomon(bitsPerSecond, lanes);
      default -> FecMode.UNKNOWN;
    };
  }

  /** Which Reed-Solomon code it is follows from the speed of a lane, where that is known. */
  private static FecMode reedSolomon(long bitsPerSecond, int lanes) {
    if (bitsPerSecond == 0) {
      return FecMode.UNKNOWN;
    }
    if (lanes > 0) {
      return bitsPerSecond / lanes >= PAM4_LANE ? FecMode.RS544 : FecMode.RS528;
    }
    return bitsPerSecond >= PAM4_PORT ? FecMode.RS544 : FecMode.UNKNOWN;
  }

  /** The medium by the technology of its transmitter (ethtool) or the type of cable (mlxlink). */
  static Media media(String text) {
    String name = text.toLowerCase(Locale.ROOT);
    if (name.contains("active optical")) {
      return Media.AOC;
    }
    if (name.contains("optical") || name.contains(" nm") || name.contains("vcsel")) {
      return Media.OPTICAL;
    }
    if (name.contains("active copper") || name.contains("active linear")) {
      return Media.AEC;
    }
    return name.contains("copper") ? Media.DAC : Media.UNKNOWN;
  }
}
