package io.fabrichealth.detect;

import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import java.util.Arrays;

/** Corrected errors by lane, and whether one lane stands out. */
final class LaneErrors {
  /** How many times the median of the others a lane must have to stand out. */
  private static final double STANDS_OUT = 10;

  private final int correctedBits;
  private final int symbolErrors;

  LaneErrors(SignalDictionary dictionary) {
    correctedBits = dictionary.ordinal("fec.corrected_bits");
    symbolErrors = dictionary.ordinal("fec.symbol_errors");
  }

  /** The signal that counts by lane; -1 where the port has none. */
  int signal(SignalWindow window) {
    if (window.elements(correctedBits) > 1) {
      return correctedBits;
    }
    return window.elements(symbolErrors) > 1 ? symbolErrors : -1;
  }

  /** The signal that counts the port as a whole; -1 where the port has none. */
  int totalSignal(SignalWindow window) {
    if (window.elements(correctedBits) == 1) {
      return correctedBits;
    }
    return window.elements(symbolErrors) == 1 ? symbolErrors : -1;
  }

  /** The lanes of a signal that gave a value now or before. */
  static int lanes(SignalWindow window, int signal) {
    int lanes = 0;
    for (int lane = 0; lane < window.elements(signal); lane++) {
      lanes += window.quality(signal, lane).hasValue() ? 1 : 0;
    }
    return lanes;
  }

  /**
   * The lane that stands out in this poll and is itself above half the limit; the lane before where
   * this poll does not tell, -1 where none stands out.
   */
  int outlier(PortView port, int before) {
    int signal = signal(port.window);
    if (signal < 0 || Double.isNaN(port.growth(signal))) {
      return before;
    }
    int elements = port.window.elements(signal);
    double laneRate = port.speed() / Math.max(1, lanes(port.window, signal));
    double[] ratios = new double[elements];
    for (int lane = 0; lane < elements; lane++) {
      double bits = port.window.seconds(signal, lane) * laneRate;
      ratios[lane] =
          port.hasGrowth(signal, lane) && bits > 0 ? port.growth(signal, lane) / bits : Double.NaN;
    }
    int worst = outlier(ratios);
    double limit = BerLimits.error(port.speed(), elements, port.context.port());
    return worst >= 0 && ratios[worst] > limit / 2 ? worst : -1;
  }

  /** The lane with the largest ratio; -1 where none is known. */
  static int worst(double[] ratios) {
    int worst = -1;
    for (int lane = 0; lane < ratios.length; lane++) {
      if (!Double.isNaN(ratios[lane]) && (worst < 0 || ratios[lane] > ratios[worst])) {
        worst = lane;
      }
    }
    return worst;
  }

  /** The lane that has ten times the median of the others or more; -1 where none has. */
  static int outlier(double[] ratios) {
    int worst = worst(ratios);
    if (worst < 0) {
      return -1;
    }
    double others = medianWithout(ratios, worst);
    return ratios[worst] > 0 && ratios[worst] >= STANDS_OUT * others ? worst : -1;
  }

  /** Median of all but one, leaving out what is not known; NaN where nothing is left. */
  static double medianWithout(double[] values, int without) {
    double[] others = new double[values.length];
    int size = 0;
    for (int index = 0; index < values.length; index++) {
      if (index != without && !Double.isNaN(values[index])) {
        others[size++] = values[index];
      }
    }
    Arrays.sort(others, 0, size);
    if (size == 0) {
      return Double.NaN;
    }
    return size % 2 == 1 ? others[size / 2] : (others[size / 2 - 1] + others[size / 2]) / 2;
  }
}
