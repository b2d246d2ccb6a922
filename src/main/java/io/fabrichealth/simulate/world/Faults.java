package io.fabrichealth.simulate.world;

import java.util.Map;
import java.util.TreeMap;

/** The classes of the benchmark that can be simulated. */
final class Faults {
  private static final Map<Integer, Entry> ALL = new TreeMap<>();

  private record Entry(String name, Staging staging) {}

  static {
    ALL.put(0, new Entry("healthy", new Nothing()));
    ALL.put(2, new Entry("whole-link BER rise", new RaisedErrors()));
    ALL.put(4, new Entry("intermittent flaps", new FlappingLink()));
  }

  private Faults() {}

  /**
   * @throws IllegalArgumentException where the class cannot be simulated
   */
  static void requireKnown(int faultClass) {
    if (!ALL.containsKey(faultClass)) {
      throw new IllegalArgumentException(
          "class %d cannot be simulated, only %s".formatted(faultClass, ALL.keySet()));
    }
  }

  static String name(int faultClass) {
    return entry(faultClass).name();
  }

  static Staging staging(int faultClass) {
    return entry(faultClass).staging();
  }

  private static Entry entry(int faultClass) {
    requireKnown(faultClass);
    return java.util.Objects.requireNonNull(ALL.get(faultClass));
  }
}
