package io.fabrichealth.engine;

import io.fabrichealth.detect.Detectors;
import io.fabrichealth.signal.DeviceSignals;
import io.fabrichealth.signal.SignalWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** One device as one collector reads it. Belongs to one thread. */
final class Source {
  private static final Duration LEAST_PATIENCE = Duration.ofSeconds(30);

  final DeviceSignals signals;
  final Map<String, PortState> ports = new HashMap<>();
  Instant lastAt = Instant.MIN;

  /** One a detector of devices. */
  final Speaker[] deviceWide;

  Source(DeviceSignals signals, Detectors detectors) {
    this.signals = signals;
    deviceWide =
        detectors.devices().stream()
            .map(detector -> new Speaker(detector.initial()))
            .toArray(Speaker[]::new);
  }

  /** The state of one port, made where it is new. */
  PortState port(EngineState state, SignalWindow window, Detectors detectors) {
    String name = window.port().port();
    PortState known = ports.get(name);
    if (known == null) {
      PortEntry entry = state.entry(window.port());
      known = new PortState(entry, this, window, detectors.ports());
      ports.put(name, known);
      entry.add(known);
    }
    return known;
  }

  /** Whether nothing came for longer than three polls take: not even word of a failed one. */
  boolean isSilent(Instant now) {
    Duration patience = Duration.ofNanos(signals.typicalNanos() * 7 / 2);
    return lastAt
        .plus(patience.compareTo(LEAST_PATIENCE) > 0 ? patience : LEAST_PATIENCE)
        .isBefore(now);
  }
}
