package io.fabrichealth.collect.infiniband;

import java.util.Locale;

/**
 * Speed of a lane by its InfiniBand name.
 *
 * <p>Source: InfiniBand Architecture Specification, PortInfo LinkSpeedActive and
 * LinkSpeedExtActive; the rates are those that Linux gives in {@code rate} of a port.
 */
enum LaneSpeed {
  SDR(2_500_000_000L),
  DDR(5_000_000_000L),
  QDR(10_000_000_000L),
  FDR10(10_000_000_000L),
  FDR(14_000_000_000L),
  EDR(25_000_000_000L),
  HDR(50_000_000_000L),
  NDR(100_000_000_000L),
  XDR(200_000_000_000L),
  UNKNOWN(0);

  private final long bitsPerSecond;

  LaneSpeed(long bitsPerSecond) {
    this.bitsPerSecond = bitsPerSecond;
  }

  /** Of one lane; 0 where unknown. */
  long bitsPerSecond() {
    return bitsPerSecond;
  }

  /** By the word that the tools print: {@code NDR}; anything else is unknown. */
  static LaneSpeed ofWord(String word) {
    for (LaneSpeed speed : values()) {
      if (speed.name().equals(word.toUpperCase(Locale.ROOT))) {
        return speed;
      }
    }
    return UNKNOWN;
  }

  /**
   * By the signalling rate that iblinkinfo prints: {@code 106.25 Gbps}, {@code 10.0 Gbps (FDR10)}.
   */
  static LaneSpeed ofRate(String rate) {
    if (rate.contains("(FDR10)")) {
      return FDR10;
    }
    int gbps = rate.indexOf(" Gbps");
    return switch (gbps < 0 ? "" : rate.substring(0, gbps).strip()) {
      case "2.5" -> SDR;
      case "5.0" -> DDR;
      case "10.0" -> QDR;
      case "14.0625" -> FDR;
      case "25.78125" -> EDR;
      case "53.125" -> HDR;
      case "106.25" -> NDR;
      case "212.5" -> XDR;
      default -> UNKNOWN;
    };
  }
}
