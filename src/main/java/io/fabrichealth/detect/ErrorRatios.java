package io.fabrichealth.detect;

import java.util.Arrays;

/**
 * Bit errors and the bits they came in, the older the less; one pair a lane, or one for a port.
 *
 * @param signal id of the signal they came from; empty before the first
 * @param bits 0 where nothing was read
 */
@SuppressWarnings("ArrayRecordComponent") // columns, never compared
record ErrorRatios(String signal, double[] errors, double[] bits) {
  static final ErrorRatios NONE = new ErrorRatios("", new double[0], new double[0]);

  ErrorRatios faded(double factor) {
    return new ErrorRatios(signal, scaled(errors, factor), scaled(bits, factor));
  }

  private static double[] scaled(double[] values, double factor) {
    double[] scaled = values.clone();
    for (int index = 0; index < scaled.length; index++) {
      scaled[index] *= factor;
    }
    return scaled;
  }

  /** With what was just read; the past counts only where it came from the same signal. */
  ErrorRatios plus(ErrorRatios read) {
    if (!read.signal.equals(signal)) {
      return read;
    }
    int size = Math.max(bits.length, read.bits.length);
    double[] moreErrors = Arrays.copyOf(errors, size);
    double[] moreBits = Arrays.copyOf(bits, size);
    for (int index = 0; index < read.bits.length; index++) {
      moreErrors[index] += read.errors[index];
      moreBits[index] += read.bits[index];
    }
    return new ErrorRatios(signal, moreErrors, moreBits);
  }

  int size() {
    return bits.length;
  }

  double ratio(int index) {
    return bits[index] > 0 ? errors[index] / bits[index] : Double.NaN;
  }

  /** Of all of them together; NaN where nothing was read. */
  double mean() {
    double ofErrors = 0;
    double ofBits = 0;
    for (int index = 0; index < bits.length; index++) {
      ofErrors += errors[index];
      ofBits += bits[index];
    }
    return ofBits > 0 ? ofErrors / ofBits : Double.NaN;
  }

  double[] ratios() {
    double[] ratios = new double[bits.length];
    Arrays.setAll(ratios, this::ratio);
    return ratios;
  }

  /** The one with the largest ratio; -1 where none was read. */
  int worst() {
    return LaneErrors.worst(ratios());
  }

  double nats(int index, RateLimit limit) {
    return limit.nats(errors[index], bits[index]);
  }
}
