package io.fabrichealth.collect.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.Batches;
import io.fabrichealth.topology.Role;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExporterSamplesTest {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final MetricMapping MAPPING = MetricMapping.load(DICTIONARY);
  private static final Instant AT = Instant.parse("2026-03-01T00:00:10Z");

  private final ExporterSamples samples = new ExporterSamples(MAPPING);
  private final PageReader reader = new PageReader("host1", Role.HOST, MAPPING, "remote-write");

  @Test
  void samples_become_the_outcome_of_their_page() throws IOException {
    Page page = new Page(MAPPING);
    page.read(
        new ByteArrayInputStream(
            """
            node_network_receive_bytes_total{device="eth0"} 1.2345678901234567e+16
            node_network_carrier{device="eth0"} 1
            node_network_receive_bytes_total{device="lo"} 7
            node_network_speed_bytes{device="eth0"} -125000
            node_boot_time_seconds 1.7723e+09
            node_infiniband_port_packets_received_total{device="mlx5_0",port="1"} NaN
            node_infiniband_port_packets_transmitted_total{device="mlx5_0",port="1"} -1
            """
                .getBytes(UTF_8)));
    CollectOutcome scraped = new PageReader("host1", Role.HOST, MAPPING).outcome(page, AT, null);

    samples.clear();
    add("node_network_receive_bytes_total", 1.2345678901234567e16, "device", "eth0");
    add("node_network_carrier", 1, "device", "eth0");
    add("node_network_receive_bytes_total", 7, "device", "lo");
    add("node_network_speed_bytes", -125000, "device", "eth0");
    add("node_boot_time_seconds", 1.7723e9);
    add("node_infiniband_port_packets_received_total", Double.NaN, "device", "mlx5_0", "port", "1");
    add("node_infiniband_port_packets_transmitted_total", -1, "device", "mlx5_0", "port", "1");
    CollectOutcome fed = samples.outcome(reader, AT, null);

    assertThat(Batches.lines(fed.batch(), DICTIONARY))
        .isEqualTo(Batches.lines(scraped.batch(), DICTIONARY))
        .contains("eth0 port.in_octets[0] 12345678901234568 OK");
    assertThat(fed.batch().boot()).isEqualTo(scraped.batch().boot()).isNotNull();
    assertThat(fed.batch().collector()).isEqualTo("remote-write");
    assertThat(fed.sightings()).isEqualTo(scraped.sightings());
    assertThat(fed.leftOut()).isEqualTo(scraped.leftOut());
    assertThat(fed.problems()).isEqualTo(scraped.problems());
  }

  @Test
  void whole_numbers_stay_exact() {
    samples.clear();
    begin("device", "eth0");
    samples.add(metric("node_network_receive_bytes_total"), Long.MAX_VALUE);
    begin("device", "eth0");
    samples.add(metric("node_network_transmit_bytes_total"), -3L);

    assertThat(Batches.lines(samples.outcome(reader, AT, null).batch(), DICTIONARY))
        .contains(
            "eth0 port.in_octets[0] 9223372036854775807 OK",
            "eth0 port.out_octets[0] UNREADABLE negative");
  }

  @Test
  void a_series_that_comes_twice_stays_what_it_was_and_is_no_problem() {
    samples.clear();

    assertThat(add("node_network_receive_bytes_total", 1, "device", "eth0")).isTrue();
    assertThat(add("node_network_receive_bytes_total", 2, "device", "eth0")).isFalse();
    CollectOutcome outcome = samples.outcome(reader, AT, null);
    assertThat(outcome.problems()).isEmpty();
    assertThat(Batches.lines(outcome.batch(), DICTIONARY)).contains("eth0 port.in_octets[0] 1 OK");
  }

  @Test
  void a_scrape_without_samples_is_a_missed_pass() {
    samples.clear();
    CollectOutcome outcome = samples.outcome(reader, AT, null);

    assertThat(outcome.batch().size()).isZero();
    assertThat(outcome.batch().complete()).isFalse();
    assertThat(outcome.problems()).isNotEmpty();
  }

  @Test
  void the_mapping_names_what_can_be_asked_for() {
    List<String> metrics = MAPPING.metrics();

    assertThat(metrics).contains("node_network_carrier", "node_ethtool_received_prio3_pause");
    assertThat(metrics).doesNotHaveDuplicates().allMatch(name -> MAPPING.find(name) >= 0);
  }

  private boolean add(String metric, double value, String... labels) {
    begin(labels);
    return samples.add(metric(metric), value);
  }

  private void begin(String... labels) {
    StringBuilder text = new StringBuilder();
    List.of(labels).forEach(text::append);
    samples.begin(text.toString().getBytes(UTF_8));
    int at = 0;
    for (int index = 0; index < labels.length; index += 2) {
      int value = at + labels[index].length();
      int end = value + labels[index + 1].length();
      assertThat(samples.label(at, value, value, end)).isTrue();
      at = end;
    }
  }

  private static int metric(String name) {
    byte[] text = name.getBytes(UTF_8);
    return MAPPING.find(text, 0, text.length);
  }
}
