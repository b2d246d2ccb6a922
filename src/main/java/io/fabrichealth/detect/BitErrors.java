package io.fabrichealth.detect;

import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.FecMode;
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

  BitErrors(SignalDictionary dictionary) {
    this.dictionary = dictionary;
    lanes = new LaneErrors(dictionary);
    laneGauge = dictionary.ordinal("fec.lane_pre_fec_ber");
    histogram = dictionary.ordinal("fec.codewords_by_symbol_errors");
    totalCodewords = dictionary.ordinal("fec.total_codewords");
    correctedCodewords = dictionary.ordinal("fec.corrected_codewords");
    gauge = dictionary.ordinal("fec.pre_fec_ber");
  }

  /** By lane, from its counter or else its gauge; null where this poll gives neither. */
  @Nullable ErrorRatios byLane(PortView port) {
    int counter = lanes.signal(port.window);
    boolean counted = counter >= 0 && !Double.isNaN(port.growth(counter));
    int signal = counted ? counter : laneGauge;
    int elements = port.window.elements(signal);
    if (elements < 2 || port.speed() <= 0 || (!counted && !port.window.isFresh(laneGauge))) {
      return null;
    }
    double laneRate = port.speed() / Math.max(1, LaneErrors.lanes(port.window, signal));
    double[] errors = new double[elements];
    double[] bits = new double[elements];
    for (int lane = 0; lane < elements; lane++) {
      if (counted && port.hasGrowth(signal, lane)) {
        errors[lane] = port.growth(signal, lane);
        bits[lane] = port.window.seconds(signal, lane) * laneRate;
      } else if (!counted && isRatio(port.window.value(signal, lane))) {
        bits[lane] = GAUGE_SECONDS * laneRate;
        errors[lane] = port.window.value(signal, lane) * bits[lane];
      }
    }
    return new ErrorRatios(name(signal), errors, bits);
  }

  /** As a whole, from the best that this poll gives; null where it gives nothing. */
  @Nullable ErrorRatios whole(PortView port) {
    ErrorRatios bins = fromHistogram(port);
    if (bins != null) {
      return bins;
    }
    int total = lanes.totalSignal(port.window);
    if (total >= 0 && port.speed() > 0 && !Double.isNaN(port.growth(total))) {
      return one(total, port.growth(total), port.seconds(total) * port.speed());
    }
    ErrorRatios codewords = fromCodewords(port);
    if (codewords != null) {
      return codewords;
    }
    double ratio = port.window.value(gauge, 0);
    double bits = GAUGE_SECONDS * port.speed();
    return isRatio(ratio) && bits > 0 ? one(gauge, ratio * bits, bits) : null;
  }

  /** Corrected symbols are bit errors: with few of them, a symbol has one. */
  private @Nullable ErrorRatios fromHistogram(PortView port) {
    SignalWindow window = port.window;
    double codewords = 0;
    double symbols = 0;
    for (int bin = 0; bin < window.elements(histogram); bin++) {
      if (!port.hasGrowth(histogram, bin)) {
        return null;
      }
      codewords += port.growth(histogram, bin);
      symbols += port.growth(histogram, bin) * bin;
    }
    return codewords > 0 ? one(histogram, symbols, codewords * code(port).codewordBits()) : null;
  }

  /** The share of codewords without an error gives the errors in a codeword (Poisson). */
  private @Nullable ErrorRatios fromCodewords(PortView port) {
    FecMode code = code(port);
    double corrected = port.growth(correctedCodewords);
    double codewords = port.growth(totalCodewords);
    if (Double.isNaN(codewords)) {
      codewords = port.seconds(correctedCodewords) * port.speed() / code.codewordBits();
    }
    if (Double.isNaN(corrected) || !(codewords > 0)) {
      return null;
    }
    double share = Math.min(corrected / codewords, ALL_BUT_ONE);
    return one(
        correctedCodewords, -Math.log1p(-share) * codewords, codewords * code.codewordBits());
  }

  private static FecMode code(PortView port) {
    FecMode fec = port.context.port().fec();
    return fec.hasCodewords() ? fec : USUAL;
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
