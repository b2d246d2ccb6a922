package io.fabrichealth.simulate.world;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The classes of the benchmark that can be simulated. */
final class Faults {
  private static final Map<Integer, Entry> ALL = new TreeMap<>();

  private record Entry(String name, Staging staging) {}

  static {
    put(0, "healthy", new Nothing());
    put(1, "single-lane FEC drift", new DriftingLane());
    put(2, "whole-link BER rise", new RaisedErrors());
    put(3, "post-FEC drops", new LossyLink());
    put(4, "intermittent flaps", new FlappingLink());
    put(5, "dirty optics", new DirtyOptics());
    put(6, "PFC storm by slow receiver", new SlowReceiver());
    put(7, "PFC deadlock", new PauseDeadlock());
    put(8, "ECN hot spot", new HotSpot());
    put(9, "ECMP polarisation", new Polarisation());
    put(10, "MTU mismatch", new SmallMtu());
    put(11, "width/speed downgrade", new Downgrade());
    put(12, "TCP instead of RDMA", new SocketRank());
    put(13, "compute straggler", new SlowRank());
    put(14, "hung rank", new HungRank());
    put(15, "switch-wide silent drop", new SilentSwitch());
    put(16, "silent link loss", new SilentLink());
    put(17, "congested but healthy", new CongestedFabric());
    put(18, "counter reset/reboot/wrap/saturation", new Restarts());
    put(19, "scale-only slowdown", new GrownJob());
    put(20, "PLR-hidden degradation", new Retransmission());
    put(21, "PCIe downgrade of HCA", new NarrowPcie());
    put(22, "shared component", new SharedComponent());
    put(23, "clock skew", new SkewedClocks());
    put(24, "lane drift and straggler", new LaneAndRank());
    put(25, "collector faults", new PoorCollector());
  }

  private Faults() {}

  private static void put(int faultClass, String name, Staging staging) {
    ALL.put(faultClass, new Entry(name, staging));
  }

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
    return Objects.requireNonNull(ALL.get(faultClass));
  }
}
