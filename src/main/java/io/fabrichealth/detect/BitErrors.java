package io.fabrichealth.detect;

import io.fabrichealth.detect.fec.Codes;
import io.fabrichealth.detect.fec.SymbolHistogram;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.signal.Unsigned;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Port;
import org.jspecify.annotations.Nullable;

/** Bit errors before FEC that one poll of a port tells, by lane and as a whole. */
final class BitErrors {
  /** What a gauge counts for, in seconds; the device measures it over a time of its own. */
  private static final double GAUGE_SECONDS = 10;

  /** Where no FEC mode is known: the code of all lanes of 50 Gb/s and more. */
  private static final FecMode USUAL = FecMode.RS544;

  private static final double HALF = .5;
  private static final double ALL_BUT_ONE = .999;

  private final LaneErrors lanes;
  private final SignalDictionary dictionary;
  private final int laneGauge;
  private final int histogram;
  private final int totalCodewords;
  private final int correctedCodewords;
  private final int gauge;
  private final int uncorrectable;

  BitErrors(SignalDictionary dictionary) {
    this.dictionary = dictionary;
    lanes = new LaneErrors(dictionary);
    laneGauge = dictionary.ordinal("fec.lane_pre_fec_ber");
    histogram = dictionary.ordinal("fec.codewords_by_symbol_errors");
    totalCodewords = dictionary.ordinal("fec.total_codewords");
    correctedCodewords = dictionary.ordinal("fec.corrected_codewords");
    gauge = dictionary.ordinal("fec.pre_fec_ber");
    uncorrectable = dictionary.ordinal("fec.uncorrectable_codewords");
  }

  /** By lane, from its counter or else its gauge; null where this poll gives neither. */
  @Nullable ErrorRatios byLane(SignalWindow window, double speed) {
    int counter = lanes.signal(window);
    boolean counted = counter >= 0 && hasGrowth(window, counter);
    int signal = counted ? counter : laneGauge;
    int elements = window.elements(signal);
    if (elements < 2 || !(speed > 0) || (!counted && !window.isFresh(laneGauge))) {
      return null;
    }
    double laneRate = speed / Math.max(1, LaneErrors.lanes(window, signal));
    double[] errors = new double[elements];
    double[] bits = new double[elements];
    for (int lane = 0; lane < elements; lane++) {
      if (counted && PortView.hasGrowth(window, signal, lane)) {
        errors[lane] = Unsigned.toDouble(window.delta(signal, lane));
        bits[lane] = window.seconds(signal, lane) * laneRate;
      } else if (!counted && isRatio(window.value(signal, lane))) {
        bits[lane] = GAUGE_SECONDS * laneRate;
        errors[lane] = window.value(signal, lane) * bits[lane];
      }
    }
    return new ErrorRatios(name(signal), errors, bits);
  }

  /** As a whole, from the best that this poll gives; null where it gives nothing. */
  @Nullable ErrorRatios whole(SignalWindow window, Device device, Port port, double speed) {
    ErrorRatios bins = fromHistogram(window, device, port);
    if (bins != null) {
      return bins;
    }
    int total = lanes.totalSignal(window);
    if (total >= 0 && speed > 0 && hasGrowth(window, total)) {
      return one(total, window.deltaSum(total), window.seconds(total, 0) * speed);
    }
    ErrorRatios codewords = fromCodewords(window, port, speed);
    if (codewords != null) {
      return codewords;
    }
    double ratio = window.value(gauge, 0);
    double bits = GAUGE_SECONDS * speed;
    return isRatio(ratio) && bits > 0 ? one(gauge, ratio * bits, bits) : null;
  }

  /** Errors a bit of all lanes together, from whatever this poll gives; NaN where it is nothing. */
  double ratio(SignalWindow window, Device device, Port port, double speed) {
    ErrorRatios whole = whole(window, device, port, speed);
    if (whole != null) {
      return whole.ratio(0);
    }
    ErrorRatios byLane = byLane(window, speed);
    return byLane == null ? Double.NaN : byLane.mean();
  }

  /** The codewords of this poll by their errors; null where it does not tell them. */
  @Nullable SymbolHistogram histogram(SignalWindow window, Device device, Port port) {
    int bins = window.elements(histogram);
    FecMode code = code(port);
    if (bins < 2 || !Codes.isReedSolomon(code)) {
      return null;
    }
    double[] counts = new double[bins];
    boolean any = false;
    for (int bin = 0; bin < bins; bin++) {
      boolean grown =
          PortView.hasGrowth(window, histogram, bin)
              && window.quality(histogram, bin) != Quality.SATURATED;
      counts[bin] = grown ? Unsigned.toDouble(window.delta(histogram, bin)) : Double.NaN;
      any |= grown;
    }
    return any
        ? SymbolHistogram.of(
            code,
            counts,
            ranges(device),
            counted(window, uncorrectable),
            counted(window, totalCodewords))
        : null;
  }

  private static int @Nullable [][] ranges(Device device) {
    if (device.fecBins().isEmpty()) {
      return null;
    }
    int[][] ranges = new int[device.fecBins().size()][];
    for (int bin = 0; bin < ranges.length; bin++) {
      ranges[bin] = new int[] {device.fecBins().get(bin).least(), device.fecBins().get(bin).most()};
    }
    return ranges;
  }

  /** Corrected symbols are bit errors: with few of them, a symbol has one. */
  private @Nullable ErrorRatios fromHistogram(SignalWindow window, Device device, Port port) {
    double codewords = 0;
    double symbols = 0;
    int bins = window.elements(histogram);
    FecMode code = code(port);
    for (int bin = 0; bin < bins; bin++) {
      if (!PortView.hasGrowth(window, histogram, bin)) {
        return null;
      }
      double count = Unsigned.toDouble(window.delta(histogram, bin));
      codewords += count;
      if (count > 0) {
        symbols += count * errorsOf(bin, device);
      }
    }
    return codewords > 0 ? one(histogram, symbols, codewords * code.codewordBits()) : null;
  }

  /** In a merged bin nearly all have the least number of errors, so low as ratios are. */
  private static int errorsOf(int bin, Device device) {
    return bin < device.fecBins().size() ? device.fecBins().get(bin).least() : bin;
  }

  /** The share of codewords without an error gives the errors in a codeword (Poisson). */
  private @Nullable ErrorRatios fromCodewords(SignalWindow window, Port port, double speed) {
    FecMode code = code(port);
    double corrected = counted(window, correctedCodewords);
    double codewords = counted(window, totalCodewords);
    if (Double.isNaN(codewords)) {
      codewords = Codes.codewordsPerSecond(code, speed) * window.seconds(correctedCodewords, 0);
    }
    if (Double.isNaN(corrected) || !(codewords > 0)) {
      return null;
    }
    double share = Math.min(corrected / codewords, ALL_BUT_ONE);
    return one(
        correctedCodewords, -Math.log1p(-share) * codewords, codewords * code.codewordBits());
  }

  private static boolean hasGrowth(SignalWindow window, int signal) {
    for (int element = 0; element < window.elements(signal); element++) {
      if (PortView.hasGrowth(window, signal, element)) {
        return true;
      }
    }
    return false;
  }

  private static double counted(SignalWindow window, int signal) {
    return PortView.hasGrowth(window, signal, 0)
        ? Unsigned.toDouble(window.delta(signal, 0))
        : Double.NaN;
  }

  static FecMode code(Port port) {
    return port.fec().hasCodewords() ? port.fec() : USUAL;
  }

  private static boolean isRatio(double value) {
    return value >= 0 && value <= HALF;
  }

  private ErrorRatios one(int signal, double errors, double bits) {
    return new ErrorRatios(name(signal), new double[] {errors}, new double[] {bits});
  }

  private String name(int signal) {
    return dictionary.signal(signal).id();
  }
}
