package io.fabrichealth.collect.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Neighbour.PortIdKind;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Exporters of a whole InfiniBand fabric: one page, many devices. */
class InfinibandExporterTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");

  /** As treydock/infiniband_exporter writes it. */
  private static final String PERFQUERY =
      """
      # TYPE infiniband_switch_port_receive_data_bytes_total counter
      infiniband_switch_port_receive_data_bytes_total{guid="0x7cfe9003009ce5b0",port="10"} 178791657177235
      infiniband_switch_port_receive_data_bytes_total{guid="0x7cfe9003009ce5b0",port="11"} 1000
      infiniband_switch_port_link_downed_total{guid="0x7cfe9003009ce5b0",port="10"} 255
      infiniband_switch_port_symbol_error_total{guid="0x7cfe9003009ce5b0",port="10"} 3
      infiniband_switch_port_rate_bytes_per_second{guid="0x7cfe9003009ce5b0",port="10"} 1.25e+10
      infiniband_switch_rate_bytes_per_second{guid="0x7cfe9003009ce5b0"} 1.25e+10
      infiniband_switch_info{guid="0x7cfe9003009ce5b0",lid="1719",switch="MF0;leaf1:MQM8700/U1"} 1
      infiniband_switch_uplink_info{guid="0x7cfe9003009ce5b0",port="10",switch="MF0;leaf1:MQM8700/U1",uplink="gpu-017 mlx5_0",uplink_guid="0x7cfe9003003b4bde",uplink_lid="134",uplink_port="1",uplink_type="CA"} 1
      infiniband_switch_uplink_info{guid="0x7cfe9003009ce5b0",port="11",switch="MF0;leaf1:MQM8700/U1",uplink="o0002 HCA-1",uplink_guid="0x7cfe9003003b4b96",uplink_lid="133",uplink_port="1",uplink_type="CA"} 1
      infiniband_hca_info{guid="0x7cfe9003003b4bde",hca="gpu-017 mlx5_0",lid="134"} 1
      infiniband_hca_port_receive_data_bytes_total{guid="0x7cfe9003003b4bde",port="1"} 9752484588300
      infiniband_hca_port_receive_data_bytes_total{guid="0x7cfe9003003b4b96",port="1"} 5
      infiniband_hca_uplink_info{guid="0x7cfe9003003b4bde",hca="gpu-017 mlx5_0",port="1",uplink="MF0;leaf1:MQM8700/U1",uplink_guid="0x7cfe9003009ce5b0",uplink_lid="1719",uplink_port="10",uplink_type="SW"} 1
      """;

  /** As guilbaults/infiniband-exporter writes it. */
  private static final String IBQUERYERRORS =
      """
      # TYPE infiniband_portxmitdata_total counter
      infiniband_portxmitdata_total{component="switch",local_guid="0x506b4b0300aa0001",local_name="leaf1",local_port="1",remote_guid="0x506b4b0300010001",remote_name="gpu-001 mlx5_0",remote_port="1"} 8.12e+02
      infiniband_portxmitdata_total{component="switch",local_guid="0x506b4b0300aa0001",local_name="leaf1",local_port="33",remote_guid="0x506b4b0300aa0002",remote_name="spine1",remote_port="7"} 4611686018427387905
      infiniband_portxmitdata_total{component="ca",local_guid="0x506b4b0300010001",local_name="gpu-001 mlx5_0",local_port="1",remote_guid="0x506b4b0300aa0001",remote_name="leaf1",remote_port="1"} 7
      infiniband_symbolerrorcounter_total{component="switch",local_guid="0x506b4b0300aa0001",local_name="leaf1",local_port="1",remote_guid="0x506b4b0300010001",remote_name="gpu-001 mlx5_0",remote_port="1"} 65535
      # TYPE infiniband_width gauge
      infiniband_width{component="switch",local_guid="0x506b4b0300aa0001",local_name="leaf1",local_port="1",remote_guid="0x506b4b0300010001",remote_name="gpu-001 mlx5_0",remote_port="1"} 4.0
      infiniband_scrape_ok 1.0
      """;

  private final Page page = new Page(Pages.MAPPING);
  private final PageReader reader = new PageReader("ib-exporter", Role.HOST, Pages.MAPPING);

  private CollectOutcome read(String text) {
    Pages.read(page, text);
    return reader.outcome(page, AT, null);
  }

  private static PollBatch batch(CollectOutcome outcome, String device) {
    return outcome.batches().stream()
        .filter(batch -> batch.device().equals(device))
        .findFirst()
        .orElseThrow();
  }

  private static Sighting sighting(CollectOutcome outcome, String device) {
    return outcome.sightings().stream()
        .filter(sighting -> sighting.device().equals(device))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void counters_by_guid_are_of_the_devices_that_the_info_series_name() {
    CollectOutcome outcome = read(PERFQUERY);

    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.batches())
        .extracting(PollBatch::device)
        .containsExactlyInAnyOrder("leaf1", "gpu-017", "o0002");
    assertThat(outcome.batches()).allMatch(PollBatch::complete);
    assertThat(outcome.batches())
        .extracting(PollBatch::collector)
        .containsOnly("prometheus/infiniband");
    Readings leaf = new Readings(batch(outcome, "leaf1"));
    assertThat(leaf.of("10", "port.in_octets")).isEqualTo("OK 178791657177235");
    assertThat(leaf.of("10", "port.link_downed")).isEqualTo("SATURATED 255");
    assertThat(leaf.of("10", "ib.symbol_errors")).isEqualTo("OK 3");
    assertThat(leaf.of("10", "port.speed_bits_per_second")).isEqualTo("OK 1.0E11");
    assertThat(leaf.of("11", "ib.symbol_errors")).isEqualTo("UNSUPPORTED");
    Readings host = new Readings(batch(outcome, "gpu-017"));
    assertThat(host.of("mlx5_0/1", "port.in_octets")).isEqualTo("OK 9752484588300");
    Readings unnamed = new Readings(batch(outcome, "o0002"));
    assertThat(unnamed.of("HCA-1/1", "port.in_octets")).isEqualTo("OK 5");
  }

  @Test
  void uplinks_are_neighbours_under_the_names_of_this_side() {
    CollectOutcome outcome = read(PERFQUERY);

    Sighting leaf = sighting(outcome, "leaf1");
    assertThat(leaf.role()).isEqualTo(Role.SWITCH);
    assertThat(leaf.systemName()).isEqualTo("MF0;leaf1:MQM8700/U1");
    assertThat(leaf.chassisIds()).containsExactly("0x7cfe9003009ce5b0");
    assertThat(leaf.neighboursRead()).isTrue();
    assertThat(leaf.neighbours())
        .containsExactly(
            new Neighbour(
                "10",
                "gpu-017",
                "0x7cfe9003003b4bde",
                "mlx5_0/1",
                PortIdKind.INTERFACE_NAME,
                "0x7cfe9003003b4bde"),
            new Neighbour(
                "11",
                "o0002",
                "0x7cfe9003003b4b96",
                "HCA-1/1",
                PortIdKind.INTERFACE_NAME,
                "0x7cfe9003003b4b96"));
    Sighting host = sighting(outcome, "gpu-017");
    assertThat(host.role()).isEqualTo(Role.HOST);
    assertThat(host.ports())
        .containsExactly(new SeenPort("mlx5_0/1", 0, 0, true, List.of("0x7cfe9003003b4bde")));
    assertThat(host.neighbours())
        .containsExactly(
            new Neighbour(
                "mlx5_0/1", "leaf1", "0x7cfe9003009ce5b0", "10", PortIdKind.INTERFACE_NAME, null));
  }

  @Test
  void units_of_four_octets_become_octets_and_every_series_names_both_ends() {
    CollectOutcome outcome = read(IBQUERYERRORS);

    assertThat(outcome.problems()).isEmpty();
    Readings leaf = new Readings(batch(outcome, "leaf1"));
    assertThat(leaf.of("1", "port.out_octets")).isEqualTo("OK 3248");
    // Beyond 2^64 the octets wrap as the raw counter will.
    assertThat(leaf.of("33", "port.out_octets")).isEqualTo("OK 4");
    assertThat(leaf.of("1", "ib.symbol_errors")).isEqualTo("SATURATED 65535");
    assertThat(leaf.of("1", "port.width_lanes")).isEqualTo("OK 4.0");
    assertThat(new Readings(batch(outcome, "gpu-001")).of("mlx5_0/1", "port.out_octets"))
        .isEqualTo("OK 28");
    assertThat(sighting(outcome, "leaf1").neighbours())
        .extracting(Neighbour::localPort, Neighbour::systemName, Neighbour::portId)
        .containsExactly(tuple("1", "gpu-001", "mlx5_0/1"), tuple("33", "spine1", "7"));
  }

  @Test
  void a_node_that_is_gone_was_not_read_and_is_forgotten_in_the_end() {
    read(PERFQUERY);
    String one =
        "infiniband_switch_port_symbol_error_total{guid=\"7cfe9003009ce5b0\",port=\"10\"} 3\n";
    String named = "infiniband_switch_info{guid=\"0x7CFE9003009CE5B0\",switch=\"leaf9\"} 1\n";

    CollectOutcome gone = read(one + named);

    assertThat(batch(gone, "leaf9").size()).isPositive();
    PollBatch missed = batch(gone, "gpu-017");
    assertThat(missed.size()).isZero();
    assertThat(missed.complete()).isFalse();
    assertThat(missed.collector()).isEqualTo("prometheus/infiniband");
    for (int pass = 0; pass < 31; pass++) {
      gone = read(one + named);
    }
    assertThat(gone.batches()).extracting(PollBatch::device).containsExactly("leaf9");
  }

  @Test
  void a_page_that_did_not_come_misses_all_its_devices_and_not_the_exporter() {
    read(PERFQUERY);
    Pages.read(page, "");

    CollectOutcome outcome = reader.outcome(page, AT, null);

    assertThat(outcome.batches())
        .extracting(PollBatch::device)
        .containsExactlyInAnyOrder("leaf1", "gpu-017", "o0002");
    assertThat(outcome.readings()).isZero();
    assertThat(outcome.problems()).hasSize(1);
  }

  @Test
  void guids_that_are_none_and_descriptions_of_the_vendor_name_nobody() {
    CollectOutcome outcome =
        read(
            """
            infiniband_hca_port_symbol_error_total{guid="0x1",port="1"} 1
            infiniband_hca_port_symbol_error_total{guid="0x2",port="1"} 2
            infiniband_hca_port_symbol_error_total{guid="zz",port="1"} 3
            infiniband_hca_port_symbol_error_total{guid="0x0",port="1"} 4
            infiniband_hca_port_symbol_error_total{port="1"} 5
            infiniband_hca_info{guid="0x1",hca="MT4123 ConnectX6   Mellanox Technologies"} 1
            infiniband_hca_info{guid="0x2",hca="localhost mlx5_0"} 1
            infiniband_hca_info{guid="",hca="gpu2"} 1
            """);

    assertThat(outcome.batches())
        .extracting(PollBatch::device)
        .containsExactlyInAnyOrder("0x0000000000000001", "0x0000000000000002");
    assertThat(outcome.problems())
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.message())
                    .isEqualTo("4 samples do not name their port, the first in line 3"));
  }

  @Test
  void hcas_of_one_host_are_one_device() {
    CollectOutcome outcome =
        read(
            """
            infiniband_hca_info{guid="0x1",hca="gpu-001 mlx5_0"} 1
            infiniband_hca_info{guid="0x2",hca="gpu-001 mlx5_1"} 1
            infiniband_hca_port_symbol_error_total{guid="0x1",port="1"} 1
            infiniband_hca_port_symbol_error_total{guid="0x2",port="1"} 2
            """);

    assertThat(outcome.batches()).hasSize(1);
    assertThat(outcome.batch().ports()).containsExactly("mlx5_0/1", "mlx5_1/1");
    assertThat(sighting(outcome, "gpu-001").chassisIds())
        .containsExactly("0x0000000000000001", "0x0000000000000002");
  }

  @Test
  void nodes_of_one_name_are_told_apart_by_their_guids() {
    CollectOutcome outcome =
        read(
            """
            infiniband_switch_info{guid="0x1",switch="sw"} 1
            infiniband_switch_info{guid="0x2",switch="sw"} 1
            infiniband_switch_port_symbol_error_total{guid="0x1",port="1"} 1
            infiniband_switch_port_symbol_error_total{guid="0x2",port="1"} 2
            """);

    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.batches())
        .extracting(PollBatch::device)
        .containsExactly("sw 0x0000000000000001", "sw 0x0000000000000002");
  }
}
