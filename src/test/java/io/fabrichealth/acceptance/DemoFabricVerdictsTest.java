package io.fabrichealth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.prometheus.PrometheusCollectors;
import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.collect.snmp.SnmpCollector;
import io.fabrichealth.collect.snmp.SnmpMapping;
import io.fabrichealth.collect.snmp.SnmpSession;
import io.fabrichealth.collect.snmp.SnmpTarget;
import io.fabrichealth.detect.Detectors;
import io.fabrichealth.engine.Engine;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.engine.EngineState;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.simulate.DemoFabric;
import io.fabrichealth.simulate.DemoScript;
import io.fabrichealth.simulate.Fault;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Sighting;
import io.fabrichealth.topology.Wiring;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo fabric over the real protocols through collectors and engine, in virtual time. */
class DemoFabricVerdictsTest {
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final SignalDictionary dictionary = SignalCatalogue.load();
  private final Engine engine =
      new Engine(dictionary, Detectors.standard(dictionary, ThresholdCatalogue.load()));
  private final EngineState state = engine.initial();
  private final Map<String, Sighting> sightings = new HashMap<>();
  private final Map<String, Verdict> verdicts = new HashMap<>();
  private Instant now = Instant.parse("2026-02-01T04:00:00Z");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void within_ninety_seconds_exactly_the_scripted_faults_are_found(long seed) throws Exception {
    try (DemoFabric demo = DemoFabric.start(DemoScript.standard(), seed, () -> now)) {
      watch(demo, Duration.ofSeconds(90));

      Map<String, Cause> expected = new HashMap<>();
      for (Fault fault : demo.script().faults()) {
        expected.put(
            fault.subject(),
            switch (fault) {
              case Fault.DirtyLane dirt -> Cause.PHY_LANE;
              case Fault.FlappingLink flap -> Cause.LINK_FLAP;
              case Fault.SlowReceiver slow -> Cause.SLOW_RECEIVER;
            });
      }
      assertThat(causes()).isEqualTo(expected);
    }
  }

  @Test
  void the_devices_tell_the_whole_plan() throws Exception {
    try (DemoFabric demo = DemoFabric.start(DemoScript.healthy(), 1, () -> now)) {
      watch(demo, Duration.ofSeconds(10));

      assertThat(state.fabric().links())
          .extracting(Link::id)
          .containsExactlyElementsOf(demo.plan().links().stream().map(Link::id).toList());
      for (Link link : demo.plan().links()) {
        assertThat(state.fabric().link(link.id()).tier()).isEqualTo(link.tier());
      }
    }
  }

  @Test
  void a_healthy_fabric_is_healthy() throws Exception {
    try (DemoFabric demo = DemoFabric.start(DemoScript.healthy(), 1, () -> now)) {
      watch(demo, Duration.ofMinutes(5));

      assertThat(causes()).isEmpty();
      assertThat(verdicts).hasSize(demo.plan().links().size());
      assertThat(verdicts.values()).extracting(Verdict::state).containsOnly(LinkState.HEALTHY);
    }
  }

  @Test
  void outages_that_fall_between_polls_are_counted_by_the_switches() throws Exception {
    Fault.FlappingLink flap =
        DemoScript.standard().faults().stream()
            .filter(Fault.FlappingLink.class::isInstance)
            .map(Fault.FlappingLink.class::cast)
            .findFirst()
            .orElseThrow();
    Fault.FlappingLink brief =
        new Fault.FlappingLink(
            Duration.ofSeconds(22), flap.link(), Duration.ofSeconds(1), Duration.ofSeconds(9));
    DemoScript script = new DemoScript(List.of(brief), DemoScript.healthy().confounders());
    try (DemoFabric demo = DemoFabric.start(script, 1, () -> now)) {
      watch(demo, Duration.ofSeconds(60));

      int downs = dictionary.ordinal("port.link_downed");
      for (PortId end : flap.link().ends()) {
        SignalWindow window = state.window(end);
        assertThat(window.raw(downs, 0)).isEqualTo(4);
      }
      assertThat(causes()).containsExactly(Map.entry(flap.subject(), Cause.LINK_FLAP));
    }
  }

  /** Causes of the open incidents by their subjects. */
  private Map<String, Cause> causes() {
    Map<String, Cause> causes = new HashMap<>();
    verdicts.values().stream()
        .filter(Verdict::isOpen)
        .forEach(verdict -> causes.put(verdict.subject().id(), verdict.cause()));
    return causes;
  }

  private void watch(DemoFabric demo, Duration time) throws IOException, InterruptedException {
    Instant end = now.plus(time);
    try (SnmpSession session = SnmpSession.open();
        PrometheusCollectors exporters = PrometheusCollectors.shipped(dictionary, () -> now)) {
      List<Collector> collectors = collectors(demo, session, exporters);
      while (!now.isAfter(end)) {
        for (Collector collector : collectors) {
          take(collector.collect(now.plus(TIMEOUT)), collector.device());
        }
        now = now.plus(INTERVAL);
      }
      collectors.forEach(Collector::close);
    }
  }

  private void take(CollectOutcome outcome, String device) {
    assertThat(outcome.problems()).as(device).isEmpty();
    Sighting sighting = outcome.sighting();
    if (sighting != null) {
      sightings.put(device, sighting);
      Fabric wired = Wiring.join(Fabric.EMPTY, state.fabric(), sightings.values());
      keep(engine.step(state, new EngineInput.Topology(now, wired)));
    }
    keep(engine.step(state, new EngineInput.Poll(outcome.batch())));
  }

  private void keep(List<Verdict> news) {
    news.forEach(verdict -> verdicts.put(verdict.subject().id(), verdict));
  }

  private List<Collector> collectors(
      DemoFabric demo, SnmpSession session, PrometheusCollectors exporters) {
    SnmpMapping mapping = SnmpMapping.load(dictionary);
    List<Collector> collectors = new ArrayList<>();
    demo.switches()
        .forEach(
            at -> {
              SnmpTarget target =
                  new SnmpTarget(
                      at.device(),
                      at.role(),
                      at.host(),
                      at.port(),
                      INTERVAL,
                      TIMEOUT,
                      new SnmpTarget.Community(at.community()),
                      null);
              collectors.add(new SnmpCollector(target, session, dictionary, mapping, () -> now));
            });
    demo.hosts()
        .forEach(
            at ->
                collectors.add(
                    exporters.collector(
                        new PrometheusTarget(
                            at.device(),
                            at.role(),
                            at.url(),
                            INTERVAL,
                            TIMEOUT,
                            1 << 24,
                            null,
                            null,
                            null))));
    return collectors;
  }
}
