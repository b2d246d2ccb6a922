package io.fabrichealth.collect.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.infiniband.InfinibandTarget.Tools;
import io.fabrichealth.signal.DeviceSignals;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Wiring;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real tools on a simulated subnet with a real subnet manager. */
class IbsimIT {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int LINKS = IbsimFabric.HOSTS + IbsimFabric.LEAVES * IbsimFabric.SPINES;

  @TempDir private static Path folder;
  private static IbsimFabric fabric;

  private final InstantSource clock = InstantSource.system();
  private InfinibandCollectors collectors;

  @BeforeAll
  static void start() {
    fabric = IbsimFabric.start(folder);
  }

  @AfterAll
  static void stop() {
    if (fabric != null) {
      fabric.close();
    }
  }

  @BeforeEach
  void open() {
    collectors = InfinibandCollectors.shipped(Readings.DICTIONARY, clock);
  }

  @AfterEach
  void close() {
    collectors.close();
  }

  private Collector collector(Duration topologyInterval) {
    return collectors.collector(
        new InfinibandTarget(
            "ibsim",
            Duration.ofSeconds(10),
            topologyInterval,
            Duration.ofSeconds(10),
            new Tools(fabric.command(), null, 0)));
  }

  private CollectOutcome pass(Collector collector) throws InterruptedException {
    return collector.collect(clock.instant().plus(collector.interval()));
  }

  /** Passes until one brings what is asked for. */
  private CollectOutcome passes(Collector collector, Predicate<CollectOutcome> until)
      throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      CollectOutcome outcome = pass(collector);
      if (until.test(outcome) || System.nanoTime() - end > 0) {
        return outcome;
      }
      Thread.sleep(100);
    }
  }

  @Test
  void every_switch_host_and_link_is_discovered_and_every_port_read() throws Exception {
    try (Collector collector = collector(Duration.ofMinutes(5))) {
      CollectOutcome outcome = pass(collector);

      assertThat(outcome.problems()).isEmpty();
      assertThat(outcome.sightings())
          .hasSize(IbsimFabric.LEAVES + IbsimFabric.SPINES + IbsimFabric.HOSTS);
      Fabric joined = Wiring.join(Fabric.EMPTY, Fabric.EMPTY, outcome.sightings());
      assertThat(joined.links().stream().filter(link -> link.b() != null)).hasSize(LINKS);
      assertThat(joined.linksOf("n3")).extracting(Link::id).containsExactly("leaf2:1--n3:mlx5_0/1");
      assertThat(joined.links())
          .extracting(Link::id)
          .contains("leaf4:12--spine4:4", "leaf1:9--spine1:1");
      // Ports without a link are there too, and every port has its counters.
      PollBatch leaf = Readings.batch(outcome, "leaf2");
      assertThat(leaf.complete()).isTrue();
      assertThat(leaf.ports()).hasSize(IbsimFabric.PORTS_OF_A_SWITCH);
      Readings readings = new Readings(leaf);
      assertThat(readings.of("1", "port.oper_up")).isEqualTo("OK 1.0");
      assertThat(readings.of("3", "port.oper_up")).isEqualTo("OK 0.0");
      assertThat(readings.of("1", "port.speed_bits_per_second")).isEqualTo("OK 1.0E10");
      assertThat(readings.of("3", "port.speed_bits_per_second")).isEqualTo("-");
      assertThat(readings.of("9", "port.in_octets")).startsWith("OK ");
      assertThat(readings.of("9", "ib.symbol_errors")).isEqualTo("OK 0");
      assertThat(Readings.of(outcome, "n1").of("mlx5_0/1", "port.in_packets")).startsWith("OK ");
    }
  }

  @Test
  void an_injected_error_becomes_growth() throws Exception {
    try (Collector collector = collector(Duration.ofMinutes(5))) {
      DeviceSignals signals = new DeviceSignals("leaf3", "infiniband", Readings.DICTIONARY);
      signals.apply(Readings.batch(pass(collector), "leaf3"), null);

      fabric.type("PerformanceSet \"leaf3\"[10] PortCounters.SymbolErrorCounter=7");
      fabric.type("PerformanceSet \"leaf3\"[10] PortCountersExtended.PortXmitData=123456789012345");
      CollectOutcome outcome =
          passes(
              collector,
              each -> Readings.of(each, "leaf3").of("10", "ib.symbol_errors").equals("OK 7"));

      assertThat(outcome.sightings()).isEmpty();
      Readings readings = Readings.of(outcome, "leaf3");
      assertThat(readings.of("10", "port.out_octets")).startsWith("OK 4938271560");
      signals.apply(readings.batch(), null);
      SignalWindow port = touched(signals, new PortId("leaf3", "10"));
      assertThat(port.delta(Readings.DICTIONARY.ordinal("ib.symbol_errors"), 0)).isEqualTo(7);
      SignalWindow other = touched(signals, new PortId("leaf3", "11"));
      assertThat(other.delta(Readings.DICTIONARY.ordinal("ib.symbol_errors"), 0)).isZero();
    }
  }

  private static SignalWindow touched(DeviceSignals signals, PortId id) {
    return signals.touched().stream()
        .filter(port -> port.port().equals(id))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_link_that_goes_down_and_comes_back_is_seen_with_the_next_discovery() throws Exception {
    try (Collector collector = collector(Duration.ofMillis(1))) {
      pass(collector);

      fabric.type("Unlink \"leaf1\"[12]");
      CollectOutcome down = passes(collector, each -> isUp(each, "leaf1", "12", "OK 0.0"));
      fabric.type("ReLink \"leaf1\"[12]");
      CollectOutcome back = passes(collector, each -> isUp(each, "leaf1", "12", "OK 1.0"));

      assertThat(Readings.of(down, "leaf1").of("12", "port.oper_up")).isEqualTo("OK 0.0");
      assertThat(Texts.neighbour(Texts.device(down, "leaf1"), "12")).isEmpty();
      assertThat(Readings.of(back, "leaf1").of("12", "port.oper_up")).isEqualTo("OK 1.0");
      assertThat(Texts.neighbour(Texts.device(back, "leaf1"), "12")).isPresent();
    }
  }

  private static boolean isUp(CollectOutcome outcome, String device, String port, String reading) {
    return !outcome.sightings().isEmpty()
        && Readings.of(outcome, device).of(port, "port.oper_up").equals(reading);
  }
}
