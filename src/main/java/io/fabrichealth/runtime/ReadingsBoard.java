package io.fabrichealth.runtime;

import io.fabrichealth.signal.MergedReadings;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.topology.PortId;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiPredicate;

/** The last readings of every port, by collector and merged. Belongs to one thread. */
final class ReadingsBoard {
  private final int signals;
  private final Map<PortId, Map<String, PortReadings>> byCollector = new HashMap<>();
  private final Map<PortId, PortReadings> merged = new HashMap<>();

  /**
   * @param signals size of the dictionary
   */
  ReadingsBoard(int signals) {
    this.signals = signals;
  }

  void put(PortId port, String collector, PortReadings readings) {
    Map<String, PortReadings> known = byCollector.computeIfAbsent(port, unknown -> new HashMap<>());
    known.put(collector, readings);
    merged.put(port, MergedReadings.of(known.values(), signals));
  }

  /**
   * Forgets what nobody reads any more.
   *
   * @param isRead told a device and a collector
   */
  void retain(BiPredicate<String, String> isRead) {
    byCollector
        .entrySet()
        .removeIf(
            entry -> {
              PortId port = entry.getKey();
              Map<String, PortReadings> known = entry.getValue();
              if (known.keySet().removeIf(collector -> !isRead.test(port.device(), collector))) {
                if (known.isEmpty()) {
                  merged.remove(port);
                } else {
                  merged.put(port, MergedReadings.of(known.values(), signals));
                }
              }
              return known.isEmpty();
            });
  }

  Map<PortId, PortReadings> snapshot() {
    return Map.copyOf(merged);
  }
}
