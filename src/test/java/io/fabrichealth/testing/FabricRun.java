package io.fabrichealth.testing;

import io.fabrichealth.detect.Detector;
import io.fabrichealth.detect.DeviceDetector;
import io.fabrichealth.detect.DeviceView;
import io.fabrichealth.detect.FabricDetector;
import io.fabrichealth.detect.FabricView;
import io.fabrichealth.detect.Step;
import io.fabrichealth.detect.Thresholds;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A fabric of leaves, spines and hosts under traffic, poll by poll, for detectors that look at more
 * than one port. What the test says of a port holds until it says otherwise: how much it sends, and
 * for how much of the time it is paused.
 *
 * <p>Names: {@code leaf1:up2} is wired to {@code spine2:down1}, {@code leaf1:port3} to {@code
 * gpu-1-3:mlx5_0/1}. All ports run at 400 Gb/s; hosts send and receive at 40 %, and what a link
 * carries one way it carries the other way too.
 */
public final class FabricRun {
  public static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  public static final Thresholds THRESHOLDS = ThresholdCatalogue.load();
  public static final double SPEED = 400e9;
  public static final int PRIORITY = 3;
  private static final double PACKET_OCTETS = 4096;
  private static final double FRAME_MICROSECONDS = 65;

  private final Map<PortId, FakeWindow> windows = new HashMap<>();
  private final Map<PortId, Double> loads = new HashMap<>();
  private final Map<PortId, Double> marks = new HashMap<>();
  private final Map<PortId, Double> pauses = new HashMap<>();
  private final Set<PortId> framesOnly = new HashSet<>();
  private final Set<PortId> unread = new HashSet<>();
  private final Map<String, Object> states = new HashMap<>();
  private final Map<String, List<Finding>> said = new HashMap<>();
  private final Fabric fabric;
  private BiConsumer<PortId, FakeWindow> more = (port, window) -> {};
  private Instant now = Instant.parse("2026-03-01T00:00:00Z");

  public FabricRun(Fabric fabric) {
    this.fabric = fabric;
    for (Link link : fabric.links()) {
      for (PortId end : link.ends()) {
        windows.put(end, new FakeWindow(end, DICTIONARY));
        loads.put(end, .4);
      }
    }
  }

  public static FabricRun of(int leaves, int spines, int hostsPerLeaf) {
    return new FabricRun(fabric(leaves, spines, hostsPerLeaf));
  }

  public static Fabric fabric(int leaves, int spines, int hostsPerLeaf) {
    Fabric.Builder builder = Fabric.builder();
    for (int leaf = 1; leaf <= leaves; leaf++) {
      builder.device(Device.of("leaf" + leaf, Role.LEAF));
      for (int host = 1; host <= hostsPerLeaf; host++) {
        builder.device(Device.of("gpu-" + leaf + "-" + host, Role.HOST));
        wire(builder, down(leaf, host), host(leaf, host), Tier.HOST_LEAF);
      }
      for (int spine = 1; spine <= spines; spine++) {
        builder.device(Device.of("spine" + spine, Role.SPINE));
        wire(builder, up(leaf, spine), spine(spine, leaf), Tier.LEAF_SPINE);
      }
    }
    return builder.build();
  }

  private static void wire(Fabric.Builder builder, PortId one, PortId other, Tier tier) {
    for (PortId end : List.of(one, other)) {
      builder.port(
          new Port(
              end, (long) SPEED, 8, FecMode.RS544, Media.OPTICAL, null, 9216, true, List.of()));
    }
    builder.link(Link.between(one, other, tier, null));
  }

  public static PortId up(int leaf, int spine) {
    return new PortId("leaf" + leaf, "up" + spine);
  }

  public static PortId spine(int spine, int leaf) {
    return new PortId("spine" + spine, "down" + leaf);
  }

  /** The leaf's port to a host. */
  public static PortId down(int leaf, int host) {
    return new PortId("leaf" + leaf, "port" + host);
  }

  public static PortId host(int leaf, int host) {
    return new PortId("gpu-" + leaf + "-" + host, "mlx5_0/1");
  }

  public Fabric fabric() {
    return fabric;
  }

  public Link link(PortId end) {
    return Objects.requireNonNull(fabric.linkAt(end));
  }

  /** The port sends at that share of its speed. */
  public FabricRun sends(PortId port, double load) {
    loads.put(port, load);
    return this;
  }

  /** That share of what the port sends is marked. */
  public FabricRun marks(PortId port, double share) {
    marks.put(port, share);
    return this;
  }

  /** The port is paused by its peer for that share of the time; both ends count it. */
  public FabricRun paused(PortId port, double ratio) {
    pauses.put(port, ratio);
    return this;
  }

  /** The port counts pause frames and not how long they lasted. */
  public FabricRun countsFrames(PortId... ports) {
    framesOnly.addAll(List.of(ports));
    return this;
  }

  public FabricRun unread(PortId... ports) {
    unread.addAll(List.of(ports));
    return this;
  }

  /** What else each port shows in each poll, after the usual. */
  public FabricRun shows(BiConsumer<PortId, FakeWindow> shown) {
    more = shown;
    return this;
  }

  /** One poll of all ports, 10 s after the one before. */
  public FabricRun poll() {
    return poll(10);
  }

  public FabricRun poll(double seconds) {
    now = now.plusNanos(Math.round(seconds * 1e9));
    windows.forEach((port, window) -> read(port, window, seconds));
    return this;
  }

  private void read(PortId port, FakeWindow window, double seconds) {
    if (unread.contains(port)) {
      return;
    }
    PortId peer = Objects.requireNonNull(link(port).peerOf(port));
    double out = octets(port, seconds);
    double in = octets(peer, seconds);
    window.begin(nanos(), seconds).up().gauge("port.speed_bits_per_second", SPEED);
    window.grow("port.out_octets", out).grow("port.in_octets", in);
    window
        .grow("port.out_packets", out / PACKET_OCTETS)
        .grow("port.in_packets", in / PACKET_OCTETS);
    if (!port.device().startsWith("gpu")) {
      window.grow("ecn.marked_packets", PRIORITY, marks.getOrDefault(port, 0.0) * out / 4096);
    }
    double rx = pauses.getOrDefault(port, 0.0) * seconds * 1e6;
    double tx = pauses.getOrDefault(peer, 0.0) * seconds * 1e6;
    window.grow("pfc.rx_pause_frames", PRIORITY, rx / FRAME_MICROSECONDS);
    window.grow("pfc.tx_pause_frames", PRIORITY, tx / FRAME_MICROSECONDS);
    if (!framesOnly.contains(port)) {
      window.grow("pfc.rx_pause_microseconds", PRIORITY, rx);
      window.grow("pfc.tx_pause_microseconds", PRIORITY, tx);
    }
    more.accept(port, window);
  }

  private double octets(PortId port, double seconds) {
    return loads.getOrDefault(port, .4) * SPEED / 8 * seconds;
  }

  private long nanos() {
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  public FabricRun window(PortId port, Consumer<FakeWindow> read) {
    read.accept(Objects.requireNonNull(windows.get(port)));
    return this;
  }

  public Instant now() {
    return now;
  }

  /** One look of a detector of the whole fabric. */
  public <S> FabricRun look(FabricDetector<S> detector) {
    Step<S> step = detector.step(state(detector.id(), detector.initial()), new WholeFabric());
    states.put(detector.id(), step.state());
    said.put(detector.id(), step.findings());
    return this;
  }

  /** One look at each device. */
  public <S> FabricRun look(DeviceDetector<S> detector) {
    List<Finding> findings = new ArrayList<>();
    for (Device device : fabric.devices()) {
      String key = detector.id() + " " + device.name();
      Step<S> step = detector.step(state(key, detector.initial()), new OneDevice(device));
      states.put(key, step.state());
      findings.addAll(step.findings());
    }
    said.put(detector.id(), findings);
    return this;
  }

  @SuppressWarnings("unchecked")
  private <S> S state(String key, S initial) {
    return (S) states.getOrDefault(key, initial);
  }

  /** What the detector keeps, of the whole fabric or of the device. */
  public Object state(String key) {
    return Objects.requireNonNull(states.get(key));
  }

  /** What all detectors now say. */
  public List<Finding> findings() {
    return said.values().stream().flatMap(List::stream).toList();
  }

  /** What they say with enough weight to open an incident, by cause and subject. */
  public List<String> incidents() {
    return findings().stream()
        .filter(finding -> finding.family().clip(finding.nats()) >= 8.75)
        .map(FabricRun::name)
        .distinct()
        .sorted()
        .toList();
  }

  private static String name(Finding finding) {
    return finding.cause() + " " + finding.subject().type().label() + " " + finding.subject().id();
  }

  public Finding finding(Cause cause) {
    return findings().stream()
        .filter(finding -> finding.cause() == cause)
        .max((one, other) -> Double.compare(one.nats(), other.nats()))
        .orElseThrow(() -> new AssertionError("nothing is said of " + cause + ": " + findings()));
  }

  private final class WholeFabric implements FabricView {
    @Override
    public Instant at() {
      return now;
    }

    @Override
    public Fabric fabric() {
      return fabric;
    }

    @Override
    public @Nullable SignalWindow window(PortId port) {
      return unread.contains(port) ? null : windows.get(port);
    }

    @Override
    public <T> @Nullable T state(Detector<T> detector, PortId port) {
      return null;
    }

    @Override
    public List<Finding> findings(PortId port) {
      return List.of();
    }
  }

  private final class OneDevice implements DeviceView {
    private final Device device;

    OneDevice(Device device) {
      this.device = device;
    }

    @Override
    public Instant at() {
      return now;
    }

    @Override
    public Fabric fabric() {
      return fabric;
    }

    @Override
    public Device device() {
      return device;
    }

    @Override
    public String collector() {
      return "snmp";
    }

    @Override
    public boolean isComplete() {
      return true;
    }

    @Override
    public List<SignalWindow> read() {
      List<SignalWindow> read = new ArrayList<>();
      windows.forEach(
          (port, window) -> {
            if (port.device().equals(device.name()) && !unread.contains(port)) {
              read.add(window);
            }
          });
      read.sort((one, other) -> one.port().compareTo(other.port()));
      return read;
    }

    @Override
    public @Nullable SignalWindow window(PortId port) {
      return unread.contains(port) ? null : windows.get(port);
    }

    @Override
    public List<Finding> findings(PortId port) {
      return List.of();
    }
  }
}
