package io.fabrichealth.testing;

import io.fabrichealth.detect.DetectContext;
import io.fabrichealth.detect.Detector;
import io.fabrichealth.detect.FabricDetector;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One detector on one port, poll by poll: a 400G RS(544,514) optical port of a leaf that faces a
 * host, unless the test says otherwise.
 */
public final class DetectorRun<S> {
  public static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  public static final Thresholds THRESHOLDS = ThresholdCatalogue.load();
  public static final PortId LEAF = new PortId("leaf1", "Ethernet1/1");
  public static final PortId HOST = new PortId("gpu-001", "mlx5_0/1");
  public static final PortId SPINE = new PortId("spine1", "Ethernet1/1");
  public static final double SPEED = 400e9;

  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private final Detector<S> detector;
  private final Map<PortId, FakeWindow> windows = new HashMap<>();
  private final Map<String, Object> fabricStates = new HashMap<>();
  private Fabric fabric;
  private PortId portId = LEAF;
  private S state;
  private Instant now = START;
  private List<Finding> findings = List.of();

  private DetectorRun(Detector<S> detector) {
    this.detector = detector;
    state = detector.initial();
    fabric = fabric(HOST, 8, FecMode.RS544, Media.OPTICAL, true);
  }

  public static <S> DetectorRun<S> of(Function<SignalDictionary, Detector<S>> detector) {
    return new DetectorRun<>(detector.apply(DICTIONARY));
  }

  public static <S> DetectorRun<S> of(
      BiFunction<SignalDictionary, Thresholds, Detector<S>> detector) {
    return new DetectorRun<>(detector.apply(DICTIONARY, THRESHOLDS));
  }

  public static Fabric fabric(PortId peer, int lanes, FecMode fec, Media media, boolean adminUp) {
    return Fabric.builder()
        .device(Device.of("leaf1", Role.LEAF))
        .device(Device.of("spine1", Role.SPINE))
        .device(Device.of("gpu-001", Role.HOST))
        .port(new Port(LEAF, (long) SPEED, lanes, fec, media, null, 9216, adminUp, List.of()))
        .link(Link.between(LEAF, peer, Tier.OTHER, null))
        .build();
  }

  public DetectorRun<S> in(Fabric other) {
    fabric = other;
    return this;
  }

  /** What a detector of the whole fabric is to know from now on. */
  public <T> DetectorRun<S> knowing(FabricDetector<T> detector, T known) {
    fabricStates.put(detector.id(), known);
    return this;
  }

  /** The port to judge, if not the leaf's. */
  public DetectorRun<S> at(PortId port) {
    portId = port;
    return this;
  }

  /** One poll, 10 s after the one before, of a port that is up and whose speed is known. */
  public DetectorRun<S> poll(Consumer<FakeWindow> read) {
    return poll(10, read);
  }

  public DetectorRun<S> poll(double seconds, Consumer<FakeWindow> read) {
    now = now.plusNanos(Math.round(seconds * 1e9));
    FakeWindow window = window(portId).begin(nanos(), seconds);
    window.up().gauge("port.speed_bits_per_second", SPEED);
    read.accept(window);
    Step<S> step = detector.step(state, window, new Context());
    state = step.state();
    findings = step.findings();
    return this;
  }

  public DetectorRun<S> polls(int times, Consumer<FakeWindow> read) {
    for (int time = 0; time < times; time++) {
      poll(read);
    }
    return this;
  }

  /** What another port shows from now on. */
  public DetectorRun<S> sees(PortId other, Consumer<FakeWindow> read) {
    read.accept(window(other).begin(nanos(), 10));
    return this;
  }

  private FakeWindow window(PortId port) {
    return windows.computeIfAbsent(port, id -> new FakeWindow(id, DICTIONARY));
  }

  private long nanos() {
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  public S state() {
    return state;
  }

  public Instant now() {
    return now;
  }

  public List<Finding> findings() {
    return findings;
  }

  /** The strongest finding of the last poll. */
  public Finding finding() {
    return findings.stream()
        .max((one, other) -> Double.compare(one.nats(), other.nats()))
        .orElseThrow(() -> new AssertionError("the detector is silent"));
  }

  /** Of the strongest finding; 0 where the detector is silent. */
  public double nats() {
    return findings.isEmpty() ? 0 : finding().nats();
  }

  public Cause cause() {
    return finding().cause();
  }

  private final class Context implements DetectContext {
    @Override
    public <T> T state(FabricDetector<T> of) {
      Object known = fabricStates.get(of.id());
      return known == null ? of.initial() : of.stateType().cast(known);
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
    public Port port() {
      return Objects.requireNonNull(fabric.port(portId));
    }

    @Override
    public Device device() {
      return Objects.requireNonNull(fabric.device(portId.device()));
    }

    @Override
    public Link link() {
      return Objects.requireNonNull(fabric.linkAt(portId));
    }

    @Override
    public @Nullable SignalWindow window(PortId port) {
      return windows.get(port);
    }
  }
}
