package io.fabrichealth.collect.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabrichealth.testing.Readings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MetricMappingTest {
  private static final String HEAD = "kind: netdev\nlabels: [device]\nrank: 1\nmetrics:\n";

  private static MetricMapping compile(String yaml) throws IOException {
    MappingCompiler compiler = new MappingCompiler(Readings.DICTIONARY);
    compiler.add(
        "site.yaml",
        MappingFile.read(
            "site.yaml", new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8))));
    return compiler.compile();
  }

  @Test
  void a_placeholder_stands_for_each_lane_or_priority() throws IOException {
    MetricMapping mapping =
        compile(
            HEAD
                + "  a_prio{priority}_pause: {signal: pfc.rx_pause_frames}\n"
                + "  a_lane_{lane}: {signal: fec.corrected_bits}\n");

    assertThat(mapping.size()).isEqualTo(8 + 16);
    assertThat(mapping.find("a_prio8_pause")).isNegative();
    int third = mapping.find("a_prio3_pause");
    assertThat(mapping.entry(third))
        .isInstanceOfSatisfying(
            MetricMapping.Entry.Reading.class,
            reading -> {
              assertThat(reading.column().element()).isEqualTo(3);
              assertThat(reading.column().isCounter()).isTrue();
            });
  }

  @Test
  void what_ships_knows_every_kind_of_port_and_no_metric_is_found_by_accident() {
    MetricMapping mapping = Pages.MAPPING;

    assertThat(mapping.shapes())
        .extracting(PortShape::kind)
        .contains(PortKind.HCA, PortKind.NETDEV, PortKind.NODE);
    assertThat(mapping.find("node_infiniband_state_id")).isNotNegative();
    assertThat(mapping.find("node_infiniband_state_i")).isNegative();
    assertThat(mapping.find("node_infiniband_state_idd")).isNegative();
    assertThat(mapping.find("node_ethtool_peer_ifindex")).isNegative();
    for (PortShape shape : mapping.shapes()) {
      assertThat(
              mapping.signals().stream()
                  .flatMap(signal -> signal.columns().stream())
                  .filter(column -> column.shape().equals(shape))
                  .map(MetricColumn::index))
          .hasSize(mapping.columns(shape))
          .doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "  a: {signal: port.no_such} | site.yaml: a: signal 'port.no_such' is not in the dictionary",
        "  a: {signal: port.in_octets, scale: 8} | site.yaml: a: a counter takes no scale",
        "  a: {signal: port.mtu_bytes, divisor: 2} | site.yaml: a: only a counter takes divisor, factor",
        "  a: {signal: port.in_octets, divisor: 0} | site.yaml: a: divisor: expected 1 or more",
        "  a: {signal: port.mtu_bytes, factor: 2} | site.yaml: a: only a counter takes divisor, factor",
        "  a: {signal: port.in_octets, factor: 0} | site.yaml: a: factor: expected 1 or more",
        "  a: {signal: port.oper_up, bit: 64} | site.yaml: a: bit: expected 0 to 62",
        "  a{lane}: {signal: pfc.rx_pause_frames} | site.yaml: a{lane}: expected {priority}",
        "  a{lane}: {signal: port.in_octets} | site.yaml: a{lane}: expected no placeholder",
        "  a: {signal: port.in_octets, times: 8} | site.yaml: Unrecognized property \"times\"",
      })
  void an_entry_that_is_wrong_is_named_with_what_was_expected(String entry, String message) {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> compile(HEAD + "  " + entry + "\n"))
        .withMessageStartingWith(message);
  }

  @Test
  void two_metrics_of_one_signal_need_different_ranks() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(
            () ->
                compile(
                    HEAD + "  a: {signal: port.in_octets}\n" + "  b: {signal: port.in_octets}\n"))
        .withMessage("site.yaml: b: has the rank of a, which gives the same signal: 1");
  }

  @Test
  void a_file_of_another_kind_is_refused() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> compile("kind: gpu\nlabels: [a]\nmetrics: {}\n"))
        .withMessage("site.yaml: kind: 'gpu' is not one of [hca, netdev, nvlink, node]");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> compile("kind: node\nlabels: [port]\nsource: x\nmetrics: {}\n"))
        .withMessage("site.yaml: device: expected the label of the node's GUID, and one in labels");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> compile("kind: hca\ndevice: x\nlabels: [port]\nmetrics: {}\n"))
        .withMessage("site.yaml: device: expected none");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> compile("nodes:\n  a: {name: b}\n"))
        .withMessage("site.yaml: a: guid: expected the label of the GUID");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> compile("facts:\n  a: {fact: address, labels: [device]}\n"))
        .withMessage("site.yaml: a: labels: expected 2, found 1");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> compile("left_out:\n  - {rule: broken, netdev: \"(\"}\n"))
        .withMessageStartingWith("site.yaml: left_out: broken: ");
  }
}
