package io.fabrichealth.detect;

import io.fabrichealth.detect.statistics.Budget;
import io.fabrichealth.signal.SignalDictionary;
import java.util.List;

/**
 * The detectors that run.
 *
 * @param ports on every port with each poll of it
 * @param devices on every device with each poll of it
 * @param fabric on the whole fabric from time to time
 */
public record Detectors(
    List<Detector<?>> ports, List<DeviceDetector<?>> devices, List<FabricDetector<?>> fabric) {

  /** From the prior of 3e-3 faults per link-day to a probability of .95. */
  static final double OPENING_NATS = 8.75;

  public Detectors {
    ports = List.copyOf(ports);
    devices = List.copyOf(devices);
    fabric = List.copyOf(fabric);
  }

  /** Only these, on ports. */
  public static Detectors ofPorts(List<Detector<?>> ports) {
    return new Detectors(ports, List.of(), List.of());
  }

  /**
   * All of them, each kind in the order of their ids.
   *
   * @throws IllegalArgumentException where the dictionary lacks a signal that one of them reads, or
   *     the thresholds one of its figures
   */
  public static Detectors standard(SignalDictionary dictionary, Thresholds thresholds) {
    CohortsDetector cohorts = new CohortsDetector(dictionary, thresholds);
    LinkConservationDetector conservation = new LinkConservationDetector(dictionary, thresholds);
    ScreenDetector screen = new ScreenDetector(dictionary, thresholds, conservation);
    return new Detectors(
        List.of(
            new EcnShareDetector(dictionary),
            new FecMismatchDetector(dictionary),
            new FlapsDetector(dictionary, thresholds),
            conservation,
            new LinkDownDetector(dictionary, thresholds),
            new MtuMismatchDetector(dictionary, thresholds),
            new OpticsDetector(dictionary, thresholds, cohorts),
            new PacketLossDetector(dictionary, thresholds, screen),
            new PcieDowngradeDetector(dictionary, thresholds),
            new PlrDetector(dictionary, thresholds),
            new PreFecBerDetector(dictionary, thresholds, cohorts),
            new SpeedDowngradeDetector(dictionary, thresholds),
            new UncorrectableCodewordsDetector(dictionary, thresholds)),
        List.of(
            new EcmpDetector(dictionary, thresholds),
            new EcnDetector(dictionary, thresholds),
            new SharedComponentDetector(thresholds),
            new SwitchConservationDetector(dictionary, thresholds)),
        List.of(cohorts, new PauseGraphDetector(dictionary, thresholds), screen));
  }

  /** What all detectors share: how often they may be wrong. */
  static Budget budget(Thresholds thresholds) {
    return new Budget(
        thresholds.number("budget.false-alarms-per-link-day"),
        thresholds.number("budget.poll-seconds"),
        thresholds.number("budget.statistics-per-link"),
        OPENING_NATS);
  }
}
