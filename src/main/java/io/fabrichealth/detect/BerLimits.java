package io.fabrichealth.detect;

import io.fabrichealth.detect.fec.Codes;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;

/**
 * Bit error ratios before FEC at which a port is in error, by lane rate, FEC and media.
 *
 * <p>Where something is not known, the widest limit that it may have holds. Source: NVIDIA field
 * BER thresholds V06, column "error"; for 200 Gb/s lanes, of which none are public, the KP4 limit
 * of IEEE 802.3 clause 124 (2.4e-4).
 */
final class BerLimits {
  /** Ratio at which RS(544,514) begins to leave errors over (KP4, IEEE 802.3). */
  static final double KP4 = Codes.KP4_LIMIT;

  private static final double LANE_200G = 190e9;
  private static final double LANE_100G = 90e9;
  private static final double LANE_50G = 40e9;

  private BerLimits() {}

  /**
   * The ratio at which the code itself is at its end, whatever a vendor wants of a link; NaN where
   * the code sets none.
   */
  static double ofCode(double speed, Port port) {
    if (port.fec() != FecMode.UNKNOWN) {
      return Codes.limit(port.fec());
    }
    double rate = port.lanes() > 0 ? speed / port.lanes() : LANE_50G;
    return rate >= LANE_50G ? KP4 : Double.NaN;
  }

  /**
   * @param lanes lanes that the device shows; 0 where it does not show lanes
   */
  static double error(double speed, int lanes, Port port) {
    int width = port.lanes() > 0 ? port.lanes() : lanes;
    double rate = width > 0 ? speed / width : 0;
    boolean copper = port.media() == Media.DAC || port.media() == Media.BACKPLANE;
    if (rate >= LANE_200G) {
      return KP4;
    }
    return switch (port.fec()) {
      case RS272 -> copper ? 1e-6 : 1e-5;
      case RS544, RS544_2X -> copper && rate >= LANE_100G ? 1e-7 : 1e-5;
      case RS271 -> rate >= LANE_50G ? 1e-7 : 1e-12;
      case RS528 -> 1e-9;
      case FC -> 1e-12;
      case NONE -> 1e-13;
      case UNKNOWN -> 1e-5;
    };
  }

  /** A short name of what the limit depends on, for evidence. */
  static String basis(Port port) {
    String fec = port.fec() == FecMode.UNKNOWN ? "unknown FEC" : port.fec().name();
    return fec + ", " + name(port.media());
  }

  private static String name(Media media) {
    return switch (media) {
      case OPTICAL -> "optical";
      case BACKPLANE -> "backplane";
      case UNKNOWN -> "unknown media";
      case AOC, DAC, AEC -> media.name();
    };
  }
}
