package io.fabrichealth.scorecard;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Other products' rules do what is published of them, their gaps too. */
class PeerRulesTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();

  private final Set<String> alarms = new HashSet<>();

  @Test
  void pdr_misses_the_first_burst_and_isolates_on_one_error_after_it() {
    PeerRule rule = begun(new PdrRule(DICTIONARY));
    poll(rule, 0, "leaf1", Map.of("port.in_errors", 0.0, "port.in_packets", 0.0));
    poll(rule, 300, "leaf1", Map.of("port.in_errors", 500.0, "port.in_packets", 1e9));
    assertThat(alarms).isEmpty();

    poll(rule, 600, "leaf1", Map.of("port.in_errors", 501.0, "port.in_packets", 2e9));
    assertThat(alarms).containsExactly("leaf1:p");
  }

  @Test
  void pdr_never_fires_on_bit_errors() {
    PeerRule rule = begun(new PdrRule(DICTIONARY));
    for (int look = 0; look < 40; look++) {
      double errors = 400e9 * 1e-3 * 300 * look;
      poll(
          rule,
          300 * look,
          "leaf1",
          Map.of("ib.symbol_errors", errors, "port.speed_bits_per_second", 400e9));
    }

    assertThat(alarms).isEmpty();
  }

  @Test
  void pdr_takes_a_link_down_only_where_both_ends_count_it() {
    PeerRule rule = begun(new PdrRule(DICTIONARY));
    for (String device : new String[] {"leaf1", "gpu-001"}) {
      poll(rule, 0, device, Map.of("port.link_downed", 1.0));
    }
    poll(rule, 300, "leaf1", Map.of("port.link_downed", 2.0));
    assertThat(alarms).isEmpty();

    poll(rule, 301, "gpu-001", Map.of("port.link_downed", 2.0));
    assertThat(alarms).containsExactly("gpu-001:p");
  }

  @Test
  void the_watchdog_wants_a_queue_that_stands_still_all_the_time() {
    PeerRule rule = begun(new SonicWatchdogRule(DICTIONARY));
    poll(rule, 0, "leaf1", Map.of("pfc.rx_pause_microseconds", 0.0, "port.out_packets", 0.0));
    poll(rule, 10, "leaf1", Map.of("pfc.rx_pause_microseconds", 9e6, "port.out_packets", 0.0));
    poll(rule, 20, "leaf1", Map.of("pfc.rx_pause_microseconds", 18.95e6, "port.out_packets", 1.0));
    assertThat(alarms).isEmpty();

    poll(rule, 30, "leaf1", Map.of("pfc.rx_pause_microseconds", 28.9e6, "port.out_packets", 1.0));
    assertThat(alarms).containsExactly("leaf1:p");
  }

  @Test
  void nvsentinel_counts_errors_an_hour_whatever_the_speed_and_on_hosts_alone() {
    PeerRule rule = begun(new NvSentinelRule(DICTIONARY));
    for (String device : new String[] {"leaf1", "gpu-001"}) {
      poll(rule, 0, device, Map.of("ib.symbol_errors", 0.0));
      poll(rule, 1_000, device, Map.of("ib.symbol_errors", 119.0));
      assertThat(alarms).isEmpty();
      poll(rule, 2_000, device, Map.of("ib.symbol_errors", 125.0));
    }

    assertThat(alarms).containsExactly("gpu-001:p");
  }

  private static PeerRule begun(PeerRule rule) {
    Fabric fabric =
        Fabric.builder()
            .device(Device.of("leaf1", Role.LEAF))
            .device(Device.of("gpu-001", Role.HOST))
            .link(
                Link.between(
                    new PortId("leaf1", "p"), new PortId("gpu-001", "p"), Tier.HOST_LEAF, 0))
            .build();
    rule.see(new EngineInput.Topology(START, fabric), alarm -> {});
    return rule;
  }

  private void poll(PeerRule rule, int second, String device, Map<String, Double> values) {
    PollBatch.Builder batch = PollBatch.builder(device, "test", START.plusSeconds(second));
    int port = batch.port("p");
    values.forEach(
        (signal, value) -> {
          int ordinal = DICTIONARY.ordinal(signal);
          switch (DICTIONARY.signal(ordinal).kind()) {
            case COUNTER -> batch.counter(port, ordinal, 0, value.longValue());
            case GAUGE, STATE -> batch.value(port, ordinal, 0, value);
          }
        });
    rule.see(new EngineInput.Poll(batch.build(true)), alarms::add);
  }
}
