package io.fabrichealth.collect.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.LeftOut;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PageReaderTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");
  private static final MetricMapping MAPPING = Pages.MAPPING;

  private final PageReader reader = new PageReader("gpu-017", Role.HOST, MAPPING);
  private final Page page = new Page(MAPPING);

  private CollectOutcome read(String text) {
    return read(text, null);
  }

  private CollectOutcome read(String text, @Nullable Problem ended) {
    Pages.read(page, text);
    return reader.outcome(page, AT, ended);
  }

  private static Readings of(CollectOutcome outcome) {
    return new Readings(outcome.batch());
  }

  @Test
  void an_hca_port_has_its_counters_under_the_names_of_the_dictionary() {
    CollectOutcome outcome =
        read(
            """
            # TYPE node_infiniband_port_data_received_bytes_total counter
            node_infiniband_port_data_received_bytes_total{device="mlx5_0",port="1"} 1.8446744073709309e+19
            node_infiniband_port_packets_received_total{device="mlx5_0",port="1"} 6.825908347e+09
            node_infiniband_state_id{device="mlx5_0",port="1"} 4
            node_infiniband_rate_bytes_per_second{device="mlx5_0",port="1"} 5e+10
            node_infiniband_symbol_error_total{device="mlx5_0",port="1"} 3
            node_infiniband_rnr_nak_retry_packets_received_total{device="mlx5_0",port="1"} 7
            node_infiniband_state_id{device="mlx5_1",port="2"} 1
            """);

    Readings readings = of(outcome);
    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.batch().complete()).isTrue();
    assertThat(outcome.batch().ports()).containsExactly("mlx5_0/1", "mlx5_1/2");
    assertThat(readings.of("mlx5_0/1", "port.in_octets")).isEqualTo("OK 18446744073709309952");
    assertThat(readings.of("mlx5_0/1", "port.in_packets")).isEqualTo("OK 6825908347");
    assertThat(readings.of("mlx5_0/1", "port.oper_up")).isEqualTo("OK 1.0");
    assertThat(readings.of("mlx5_0/1", "port.speed_bits_per_second")).isEqualTo("OK 4.0E11");
    assertThat(readings.of("mlx5_0/1", "ib.symbol_errors")).isEqualTo("OK 3");
    assertThat(readings.of("mlx5_0/1", "roce.rnr_nak_retries")).isEqualTo("OK 7");
    assertThat(readings.of("mlx5_1/2", "port.oper_up")).isEqualTo("OK 0.0");
  }

  @Test
  void what_a_port_of_its_kind_could_have_and_has_not_is_unsupported() {
    Readings readings =
        of(
            read(
                """
                node_infiniband_state_id{device="mlx5_0",port="1"} 4
                node_network_up{device="eth2"} 1
                """));

    assertThat(readings.of("mlx5_0/1", "ib.transmit_wait_ticks")).isEqualTo("UNSUPPORTED");
    assertThat(readings.of("mlx5_0/1", "port.in_octets")).isEqualTo("UNSUPPORTED");
    assertThat(readings.of("mlx5_0/1", "port.mtu_bytes")).isNull();
    assertThat(readings.of("eth2", "pfc.rx_pause_frames")).isEqualTo("UNSUPPORTED");
    assertThat(readings.of("eth2", "ib.symbol_errors")).isNull();
  }

  @Test
  void counters_at_the_end_of_their_width_are_saturated() {
    Readings readings =
        of(
            read(
                """
                node_infiniband_port_transmit_wait_total{device="mlx4_0",port="1"} 4.294967295e+09
                node_infiniband_symbol_error_total{device="mlx4_0",port="1"} 65535
                node_infiniband_local_link_integrity_errors_total{device="mlx4_0",port="1"} 15
                node_infiniband_link_downed_total{device="mlx4_0",port="1"} 255
                node_infiniband_link_error_recovery_total{device="mlx4_0",port="1"} 254
                node_infiniband_port_packets_received_total{device="mlx4_0",port="1"} 4.294967295e+09
                """));

    assertThat(readings.of("mlx4_0/1", "ib.transmit_wait_ticks")).isEqualTo("SATURATED 4294967295");
    assertThat(readings.of("mlx4_0/1", "ib.symbol_errors")).isEqualTo("SATURATED 65535");
    assertThat(readings.of("mlx4_0/1", "ib.local_link_integrity_errors")).isEqualTo("SATURATED 15");
    assertThat(readings.of("mlx4_0/1", "port.link_downed")).isEqualTo("SATURATED 255");
    assertThat(readings.of("mlx4_0/1", "ib.link_error_recoveries")).isEqualTo("OK 254");
    assertThat(readings.of("mlx4_0/1", "port.in_packets")).isEqualTo("OK 4294967295");
  }

  @Test
  void lanes_and_priorities_are_elements() {
    Readings readings =
        of(
            read(
                """
                node_ethtool_received_corrected_bits_phy{device="eth2"} 1000
                node_ethtool_received_err_lane_0_phy{device="eth2"} 10
                node_ethtool_received_err_lane_3_phy{device="eth2"} 40
                node_ethtool_received_prio3_pause{device="eth2"} 5
                node_ethtool_received_prio3_pause_duration{device="eth2"} 77
                node_ethtool_transmitted_prio7_pause{device="eth2"} 6
                node_ethtool_received_prio8_pause{device="eth2"} 9
                node_ethtool_received_corrected_bits_phy{device="eth3"} 1000
                """));

    assertThat(readings.of("eth2", "fec.corrected_bits", 0)).isEqualTo("OK 10");
    assertThat(readings.of("eth2", "fec.corrected_bits", 1)).isNull();
    assertThat(readings.of("eth2", "fec.corrected_bits", 3)).isEqualTo("OK 40");
    assertThat(readings.of("eth2", "pfc.rx_pause_frames", 3)).isEqualTo("OK 5");
    assertThat(readings.of("eth2", "pfc.rx_pause_microseconds", 3)).isEqualTo("OK 77");
    assertThat(readings.of("eth2", "pfc.tx_pause_frames", 7)).isEqualTo("OK 6");
    assertThat(readings.of("eth2", "pfc.rx_pause_frames", 0)).isNull();
    assertThat(readings.of("eth3", "fec.corrected_bits", 0)).isEqualTo("OK 1000");
  }

  @Test
  void an_interface_is_a_port_of_its_own_and_its_odd_values_are_understood() {
    Readings readings =
        of(
            read(
                """
                node_network_carrier{device="rail0"} 1
                node_network_flags{device="rail0"} 4099
                node_network_speed_bytes{device="rail0"} 1.25e+09
                node_network_mtu_bytes{device="rail0"} 9000
                node_network_carrier_changes_total{device="rail0"} 7
                node_network_speed_bytes{device="rail1"} -125000
                node_network_flags{device="rail1"} 4098
                node_network_carrier_changes_total{device="rail1"} 7
                node_network_carrier_down_changes_total{device="rail1"} 4
                """));

    assertThat(readings.of("rail0", "port.oper_up")).isEqualTo("OK 1.0");
    assertThat(readings.of("rail0", "port.admin_up")).isEqualTo("OK 1.0");
    assertThat(readings.of("rail0", "port.speed_bits_per_second")).isEqualTo("OK 1.0E10");
    assertThat(readings.of("rail0", "port.mtu_bytes")).isEqualTo("OK 9000.0");
    assertThat(readings.of("rail0", "port.link_downed")).isEqualTo("OK 3");
    assertThat(readings.of("rail1", "port.speed_bits_per_second"))
        .isEqualTo("UNREADABLE the device does not know it");
    assertThat(readings.of("rail1", "port.admin_up")).isEqualTo("OK 0.0");
    assertThat(readings.of("rail1", "port.link_downed")).isEqualTo("OK 4");
  }

  @Test
  void an_interface_that_is_a_port_of_an_hca_becomes_one_port_with_it() {
    CollectOutcome outcome =
        read(
            """
            node_ethtool_received_bytes_phy{device="eth2"} 1000
            node_infiniband_port_data_received_bytes_total{device="mlx5_0",port="1"} 900
            node_infiniband_link_downed_total{device="mlx5_0",port="1"} 255
            node_infiniband_state_id{device="mlx5_0",port="1"} 4
            node_network_carrier{device="eth2"} 0
            node_network_carrier_down_changes_total{device="eth2"} 300
            node_network_info{address="0C:42:A1:00:00:02",device="eth2",operstate="up"} 1
            node_network_mtu_bytes{device="eth2"} 9216
            node_network_receive_bytes_total{device="eth2"} 10
            fabric_host_port_info{device="mlx5_0",port="1",netdev="eth2",mac="0c:42:a1:00:00:02",guid="0x00000000000c42a1"} 1
            fabric_host_port_info{device="mlx5_1",port="1",netdev="",mac="",guid="0x00000000000c42a2"} 1
            """);

    Readings readings = of(outcome);
    assertThat(outcome.batch().ports()).containsExactly("mlx5_0/1", "mlx5_1/1");
    assertThat(readings.of("mlx5_0/1", "port.in_octets")).isEqualTo("OK 1000");
    assertThat(readings.of("mlx5_0/1", "port.link_downed")).isEqualTo("OK 300");
    assertThat(readings.of("mlx5_0/1", "port.oper_up")).isEqualTo("OK 1.0");
    assertThat(readings.of("mlx5_0/1", "port.mtu_bytes")).isEqualTo("OK 9216.0");
    assertThat(readings.of("mlx5_1/1", "port.in_octets")).isEqualTo("UNSUPPORTED");
    assertThat(sighting(outcome).ports())
        .containsExactly(
            new SeenPort(
                "mlx5_0/1",
                0,
                9216,
                true,
                List.of("eth2", "0c:42:a1:00:00:02", "0x00000000000c42a1")),
            new SeenPort("mlx5_1/1", 0, 0, true, List.of("0x00000000000c42a2")));
  }

  @Test
  void interfaces_that_are_no_ports_are_left_out_once_by_the_rule_that_says_so() {
    CollectOutcome outcome =
        read(
            """
            node_network_up{device="lo"} 0
            node_network_up{device="eth0"} 1
            node_network_up{device="eth0.100"} 1
            node_network_up{device="docker0"} 1
            node_network_up{device="veth12ab"} 1
            node_network_up{device="mgmt0"} 1
            node_network_up{device="bond0"} 1
            node_network_up{device="br-lan"} 1
            node_network_receive_bytes_total{device="lo"} 5
            node_network_receive_bytes_total{device="docker0"} 5
            """);

    assertThat(outcome.batch().ports()).containsExactly("eth0");
    assertThat(outcome.leftOut())
        .containsExactly(
            new LeftOut("lo", "loopback"),
            new LeftOut("eth0.100", "vlan"),
            new LeftOut("docker0", "bridge"),
            new LeftOut("veth12ab", "container"),
            new LeftOut("mgmt0", "management"),
            new LeftOut("bond0", "bond"),
            new LeftOut("br-lan", "bridge"));
  }

  @Test
  void boot_clock_and_names_of_the_host_are_told() {
    String host =
        """
        node_boot_time_seconds %s
        node_time_seconds 1.7723592001234567e+09
        node_uname_info{machine="x86_64",nodename="gpu-017.example",sysname="Linux"} 1
        node_network_info{address="aa:00:00:00:00:01",device="eth0"} 1
        node_network_info{address="aa:00:00:00:00:09",device="bond0"} 1
        node_network_info{address="aa:00:00:00:00:09",device="eth1"} 1
        node_network_info{address="aa:00:00:00:00:09",device="eth2"} 1
        node_network_info{address="02:42:00:00:00:01",device="docker0"} 1
        node_network_info{address="00:00:00:00:00:00",device="lo"} 1
        node_network_up{device="eth0"} 1
        node_network_up{device="eth1"} 1
        node_network_up{device="eth2"} 1
        """;

    CollectOutcome first = read(host.formatted("1.770000000e+09"));
    CollectOutcome second = read(host.formatted("1.770000003e+09"));
    CollectOutcome rebooted = read(host.formatted("1.772359000e+09"));

    assertThat(first.batch().boot()).isEqualTo("2026-02-02T02:40:00Z");
    assertThat(second.batch().boot()).isEqualTo(first.batch().boot());
    assertThat(rebooted.batch().boot()).isEqualTo("2026-03-01T09:56:40Z");
    Instant clock = first.batch().deviceTime();
    assertThat(clock).isCloseTo("2026-03-01T10:00:00.123456716Z", within(1, ChronoUnit.MICROS));
    Sighting seen = sighting(first);
    assertThat(seen.systemName()).isEqualTo("gpu-017.example");
    assertThat(seen.chassisIds()).containsExactly("aa:00:00:00:00:01", "aa:00:00:00:00:09");
    assertThat(seen.neighboursRead()).isFalse();
    // The bond's address is on two ports and names neither.
    assertThat(seen.ports().get(0).aliases()).containsExactly("aa:00:00:00:00:01");
    assertThat(seen.ports().get(1).aliases()).isEmpty();
    assertThat(second.sighting()).as("nothing new").isNull();
  }

  @Test
  void a_host_is_told_again_when_it_changes_and_now_and_then() {
    String text = "node_network_mtu_bytes{device=\"eth0\"} %s\n";
    read(text.formatted("1500"));

    assertThat(sighting(read(text.formatted("9000"))).ports().getFirst().mtu()).isEqualTo(9000);
    int told = 0;
    for (int pass = 0; pass < 60; pass++) {
      told += read(text.formatted("9000")).sighting() == null ? 0 : 1;
    }
    assertThat(told).isEqualTo(2);
  }

  @Test
  void a_series_that_stands_there_twice_counts_once_and_is_told() {
    CollectOutcome outcome =
        read(
            """
            node_network_receive_bytes_total{device="eth0"} 1
            node_network_receive_bytes_total{device="eth0"} 2
            node_network_receive_bytes_total{device="eth0",extra="x"} 3
            """);

    assertThat(of(outcome).of("eth0", "port.in_octets")).isEqualTo("OK 1");
    assertThat(outcome.batch().complete()).isFalse();
    assertThat(outcome.problems())
        .containsExactly(
            new Problem(
                FailureCode.MALFORMED,
                "2 series stand there twice (the first was taken), the first in line 2"));
  }

  @Test
  void samples_of_another_type_than_the_signal_are_not_taken() {
    CollectOutcome outcome =
        read(
            """
            # TYPE node_network_receive_bytes_total gauge
            node_network_receive_bytes_total{device="eth0"} 1
            # TYPE node_network_transmit_bytes counter
            node_network_transmit_bytes_total{device="eth0"} 2
            # TYPE node_network_receive_packets untyped
            # TYPE node_network_receive_errs histogram
            node_network_receive_errs_total{device="eth0"} 3
            """);

    assertThat(of(outcome).of("eth0", "port.in_octets")).isEqualTo("UNSUPPORTED");
    assertThat(of(outcome).of("eth0", "port.out_octets")).isEqualTo("OK 2");
    assertThat(of(outcome).of("eth0", "port.in_errors")).isEqualTo("UNSUPPORTED");
    assertThat(outcome.problems())
        .containsExactly(
            new Problem(
                FailureCode.MALFORMED,
                "2 samples are of another type than their signal, the first in line 2"));
  }

  @Test
  void values_that_are_no_value_are_unreadable_with_a_reason() {
    Readings readings =
        of(
            read(
                """
                node_network_receive_bytes_total{device="eth0"} NaN
                node_network_transmit_bytes_total{device="eth0"} -5
                node_network_receive_packets_total{device="eth0"} 1e30
                node_network_mtu_bytes{device="eth0"} +Inf
                node_network_up{device="eth0"} 1
                """));

    assertThat(readings.of("eth0", "port.in_octets")).isEqualTo("UNREADABLE not a number");
    assertThat(readings.of("eth0", "port.out_octets")).isEqualTo("UNREADABLE negative");
    assertThat(readings.of("eth0", "port.in_packets"))
        .isEqualTo("UNREADABLE larger than 64 bits hold");
    assertThat(readings.of("eth0", "port.mtu_bytes")).isEqualTo("UNREADABLE not a number");
  }

  @Test
  void samples_that_name_no_port_are_told() {
    CollectOutcome outcome =
        read(
            """
            node_network_up{device="eth0"} 1
            node_network_up{interface="eth1"} 1
            node_network_up{device=""} 1
            node_network_up{device="a b"} 1
            node_network_up{device="%s"} 1
            node_infiniband_state_id{device="mlx5_0"} 4
            """
                .formatted("x".repeat(200)));

    assertThat(outcome.batch().ports()).containsExactly("eth0");
    assertThat(outcome.problems())
        .containsExactly(
            new Problem(
                FailureCode.MALFORMED, "5 samples do not name their port, the first in line 2"));
  }

  @Test
  void a_host_with_more_ports_than_any_has_is_cut_and_told() {
    StringBuilder text = new StringBuilder();
    for (int port = 0; port < 3_000; port++) {
      text.append("node_network_up{device=\"p").append(port).append("\"} 1\n");
    }

    CollectOutcome outcome = read(text.toString());

    assertThat(outcome.batch().ports()).hasSize(PortTable.MOST_PORTS);
    assertThat(outcome.problems())
        .containsExactly(
            new Problem(
                FailureCode.MALFORMED,
                "1976 samples are of more ports than are taken, the first in line 1025"));
  }

  @Test
  void what_the_exporter_gave_and_gives_no_more_is_lost_not_unsupported() {
    String both =
        """
        node_infiniband_state_id{device="mlx5_0",port="1"} 4
        node_infiniband_symbol_error_total{device="mlx5_0",port="1"} 3
        node_network_up{device="eth0"} 1
        """;
    read(both);

    CollectOutcome partial = read("node_infiniband_state_id{device=\"mlx5_0\",port=\"1\"} 4\n");

    Readings readings = of(partial);
    assertThat(readings.of("mlx5_0/1", "ib.symbol_errors"))
        .isEqualTo("UNREADABLE the exporter gave it before and does not now");
    assertThat(readings.of("mlx5_0/1", "ib.receive_errors")).isEqualTo("UNSUPPORTED");
    assertThat(readings.of("eth0", "port.oper_up"))
        .isEqualTo("UNREADABLE the exporter does not show the port any more");
    assertThat(partial.problems())
        .containsExactly(
            new Problem(
                FailureCode.PARTIAL,
                "the exporter no longer gives ib.symbol_errors of mlx5_0/1, port eth0"));
    assertThat(partial.batch().complete()).isFalse();
    assertThat(read(both).problems()).isEmpty();
  }

  @Test
  void what_stays_away_is_forgotten_in_the_end() {
    String one = "node_infiniband_state_id{device=\"mlx5_0\",port=\"1\"} 4\n";
    read(
        one
            + """
            node_infiniband_symbol_error_total{device="mlx5_0",port="1"} 3
            node_network_up{device="eth0"} 1
            """);
    CollectOutcome last = read(one);
    for (int pass = 0; pass < 40; pass++) {
      last = read(one);
    }

    assertThat(last.problems()).isEmpty();
    assertThat(last.batch().ports()).containsExactly("mlx5_0/1");
    assertThat(of(last).of("mlx5_0/1", "ib.symbol_errors")).isEqualTo("UNSUPPORTED");
  }

  @Test
  void a_page_that_ended_early_says_nothing_of_what_it_lacks() {
    read(
        """
        node_network_up{device="eth0"} 1
        node_network_up{device="eth1"} 1
        """);

    Problem ended = new Problem(FailureCode.TIMEOUT, "late");
    CollectOutcome cut = read("node_network_up{device=\"eth0\"} 1\n", ended);
    CollectOutcome inLine =
        read("node_network_up{device=\"eth0\"} 1\nnode_network_mtu_bytes{device=\"eth0\"} 90");

    assertThat(cut.problems()).containsExactly(ended);
    assertThat(cut.batch().ports()).containsExactly("eth0");
    assertThat(of(cut).of("eth0", "port.in_octets")).isNull();
    assertThat(of(inLine).of("eth0", "port.mtu_bytes")).isNull();
    assertThat(inLine.problems())
        .containsExactly(
            new Problem(FailureCode.PARTIAL, "the page ends within line 2, which was not taken"));
  }

  @Test
  void growth_over_a_change_of_source_is_nobodys() {
    String phy = "node_ethtool_received_bytes_phy{device=\"eth0\"} 1000000\n";
    String stack = "node_network_receive_bytes_total{device=\"eth0\"} 10\n";
    PollBatch before = read(phy + stack).batch();
    PollBatch same = read(phy + stack).batch();
    PollBatch other = read(stack).batch();

    assertThat(same.discontinuity("eth0")).isNotNull().isEqualTo(before.discontinuity("eth0"));
    assertThat(new Readings(other).of("eth0", "port.in_octets")).isEqualTo("OK 10");
    assertThat(other.discontinuity("eth0")).isNotEqualTo(before.discontinuity("eth0"));
  }

  @Test
  void a_page_without_any_port_is_a_failure() {
    CollectOutcome outcome = read("go_goroutines 7\n");

    assertThat(outcome.batch().size()).isZero();
    assertThat(outcome.batch().complete()).isFalse();
    assertThat(outcome.problems())
        .containsExactly(
            new Problem(
                FailureCode.MALFORMED, "none of the page's 1 samples is of a port of a fabric"));
  }

  @Test
  void garbage_is_named_by_its_first_line() {
    CollectOutcome outcome = read("<html>\n<head><title>Sign in</title></head>\n</html>\n");

    assertThat(outcome.batch().size()).isZero();
    assertThat(outcome.problems())
        .containsExactly(
            new Problem(
                FailureCode.MALFORMED,
                "3 of 3 lines cannot be read, the first is line 1, '<html>': expected a metric's"
                    + " name"));
  }

  private static Sighting sighting(CollectOutcome outcome) {
    Sighting sighting = outcome.sighting();
    assertThat(sighting).isNotNull();
    return sighting;
  }
}
