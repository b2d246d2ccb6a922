package io.fabrichealth.detect;

import io.fabrichealth.signal.SignalDictionary;
import java.util.List;

/** The detectors that run on every port. */
public final class Detectors {

  private Detectors() {}

  /**
   * All of them, in the order of their ids.
   *
   * @throws IllegalArgumentException where the dictionary lacks a signal that one of them reads
   */
  public static List<Detector<?>> standard(SignalDictionary dictionary) {
    return List.of(
        new EcnShareDetector(dictionary),
        new FlapsDetector(dictionary),
        new LinkDownDetector(dictionary),
        new PacketLossDetector(dictionary),
        new PfcPauseDetector(dictionary),
        new PreFecBerDetector(dictionary),
        new UncorrectableCodewordsDetector(dictionary));
  }
}
