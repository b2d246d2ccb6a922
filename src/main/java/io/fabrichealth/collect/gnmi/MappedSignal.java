package io.fabrichealth.collect.gnmi;

import io.fabrichealth.signal.Signal;
import java.util.List;

/**
 * A signal and all that may give it.
 *
 * @param readings by rank
 */
record MappedSignal(int ordinal, Signal signal, List<MappedReading> readings) {
  MappedSignal {
    readings = List.copyOf(readings);
  }

  boolean counts() {
    return signal.kind() == Signal.Kind.COUNTER;
  }

  boolean isPower() {
    return signal.unit().equals("dBm");
  }
}
