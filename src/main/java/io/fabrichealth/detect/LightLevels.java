package io.fabrichealth.detect;

import io.fabrichealth.signal.SignalWindow;
import java.util.Arrays;

/**
 * Levels of the lanes of a module, and what they usually are.
 *
 * @param usual {@link #UNKNOWN} where it was not learnt
 * @param last as last read; {@link #UNKNOWN} where nothing was
 */
@SuppressWarnings("ArrayRecordComponent") // columns, never compared
record LightLevels(double[] usual, double[] last) {
  /** Less than any level. */
  static final double UNKNOWN = -1000;

  static final LightLevels NONE = new LightLevels(new double[0], new double[0]);

  /**
   * One reading.
   *
   * @param share how far what is usual follows, 0 to 1
   * @param fallen levels that fell by so much are followed much slower; those that rose at once
   */
  LightLevels next(SignalWindow window, int signal, double share, double fallen) {
    int size = window.elements(signal);
    double[] nextUsual = Arrays.copyOf(usual, size);
    double[] nextLast = Arrays.copyOf(last, size);
    for (int lane = usual.length; lane < size; lane++) {
      nextUsual[lane] = UNKNOWN;
      nextLast[lane] = UNKNOWN;
    }
    for (int lane = 0; lane < size; lane++) {
      double level = window.value(signal, lane);
      if (Double.isNaN(level)) {
        continue;
      }
      nextLast[lane] = level;
      double apart = level - nextUsual[lane];
      nextUsual[lane] =
          nextUsual[lane] == UNKNOWN
              ? level
              : nextUsual[lane]
                  + apart * (apart < -fallen ? share / 50 : apart > fallen ? .3 : share);
    }
    return new LightLevels(nextUsual, nextLast);
  }

  /** How much less than usual the lane has; NaN where that cannot be told. */
  double fall(int lane) {
    return lane < usual.length && usual[lane] != UNKNOWN && last[lane] != UNKNOWN
        ? usual[lane] - last[lane]
        : Double.NaN;
  }

  int lanes() {
    return usual.length;
  }

  /** Lanes that fell by more than that. */
  int fallen(double by) {
    int fallen = 0;
    for (int lane = 0; lane < usual.length; lane++) {
      fallen += fall(lane) > by ? 1 : 0;
    }
    return fallen;
  }

  /** Median of how much the lanes fell; NaN where it cannot be told. */
  double medianFall() {
    double[] falls = new double[usual.length];
    Arrays.setAll(falls, this::fall);
    return LaneErrors.medianWithout(falls, -1);
  }

  double[] known() {
    double[] known = last.clone();
    for (int lane = 0; lane < known.length; lane++) {
      known[lane] = known[lane] == UNKNOWN ? Double.NaN : known[lane];
    }
    return known;
  }
}
