package io.fabrichealth.collect.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.testing.Tool;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script for node_exporter's textfile collector, under the shells that hosts have. */
class HostTextfileIT {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");
  private static final Path SYSFS = Path.of("../shared/fixtures/sysfs");

  /** Made after the source of ethtool: totals, lanes in both forms, a merged bin. */
  private static final String FEC =
      """
      FEC parameters for eth2:
      Configured FEC encodings: Auto
      Active FEC encoding: RS
      Statistics:
        corrected_blocks: 256
          Lane 0: 200
          Lane 1: 56
        uncorrectable_blocks: 145
        corrected_bits: 18446744073709551615 [ per_lane: 7, 8 ]
        fec_bit_err_0: 1000000 [ per_lane: 600000, 400000 ]
        fec_bit_err_1: 12
        fec_bit_err_2_to_3: 4
      """;

  /** Made after the names of mlx5. */
  private static final String STATISTICS =
      """
      NIC statistics:
           rx_packets: 11
           rx_bytes_phy: 18446744073709551615
           rx_err_lane_0_phy: 10
           rx_err_lane_3_phy: 40
           rx_corrected_bits_phy: 50
           rx_pcs_symbol_err_phy: 3
           rx_prio3_pause: 5
           rx_prio3_pause_duration: 1234567
           tx_prio3_pause_duration: 7
           tx_pause_storm_warning_events : 9
           tx_discards_phy : 2
           rx_discards_phy: N/A
           rx_prio8_pause: 1
           odd "name\\": 4
      """;

  private static final String MODULE =
      """
      \tIdentifier                                : 0x18 (QSFP-DD Double Density 8X Pluggable Transceiver (INF-8628))
      \tVendor name                               : ACME "OPTICS"
      \tVendor PN                                 : DD-400G-DR4
      \tTransmitter technology                    : 0x08 (1310 nm EML)
      \tModule temperature                        : 45.00 degrees C / 113.00 degrees F
      \tModule voltage                            : 3.3100 V
      \tLaser tx bias current (Channel 1)         : 7.500 mA
      \tLaser tx bias current (Channel 2)         : 8.000 mA
      \tLaser tx bias current (Channel 3)         : 0.000 mA
      \tTransmit avg optical power (Channel 1)    : 1.0000 mW / 0.00 dBm
      \tTransmit avg optical power (Channel 2)    : 1.0000 mW / 0.10 dBm
      \tTransmit avg optical power (Channel 3)    : 0.0000 mW / -inf dBm
      \tRcvr signal avg optical power (Channel 1) : 0.8000 mW / -0.97 dBm
      \tRcvr signal avg optical power (Channel 2) : 0.0000 mW / -inf dBm
      \tRcvr signal avg optical power (Channel 3) : 0.0000 mW / -inf dBm
      """;

  /** Made after the source of mlxlink. */
  private static final String MLXLINK =
      """
      {
      \t"result" : {
      \t\t"output" : {
      \t\t\t"Operational Info" : {
      \t\t\t\t"FEC" : "Standard RS-FEC - RS(544,514)", "Speed" : "400G_4X", "Width" : "4x"
      \t\t\t},
      \t\t\t"Physical Counters and BER Info" : {
      \t\t\t\t"Symbol Errors" : "1", "Symbol BER" : "15E-255",
      \t\t\t\t"Effective Physical Errors" : "2", "Effective Physical BER" : "15E-255",
      \t\t\t\t"Raw Physical BER" : "3E-9", "Link Down Counter" : "300",
      \t\t\t\t"Raw Physical BER Per Lane" : { "values" : [ "1E-9", "15E-255", "N/A", "4E-9" ] },
      \t\t\t\t"Raw Physical Errors Per Lane" : { "values" : [ "10", "20", "N/A", "40" ] }
      \t\t\t},
      \t\t\t"Module Info" : {
      \t\t\t\t"Cable Type" : "Optical Module (separated)", "Vendor Part Number" : "MMA4Z00 \\" ",
      \t\t\t\t"Rx Power Current [dBm]" : "0,2,-40,1 [-8..6]", "Temperature [C]" : "48 [-5..75]",
      \t\t\t\t"Bias Current [mA]" : "7.5,7,7,7 [1..9]", "Voltage [mV]" : "3273.6 [2970..3630]"
      \t\t\t},
      \t\t\t"Histogram of FEC Errors" : {
      \t\t\t\t"Header" : { "values" : [ "Range", "Occurrences" ] },
      \t\t\t\t"Bin 0" : { "values" : [ "[0]", "7000000" ] },
      \t\t\t\t"Bin 1" : { "values" : [ "[1]  ", "9" ] },
      \t\t\t\t"Bin 2" : { "values" : [ "[2:15]", "3" ] }
      \t\t\t}
      \t\t}
      \t},
      \t"status" : { "code" : 0, "message" : "success" }
      }
      """;

  private static final String ETHTOOL =
      """
      case "$*" in
        "-I --show-fec eth2") cat '%1$s/fec' ;;
        "-S eth2") cat '%1$s/statistics' ;;
        "-m eth2") cat '%1$s/module' ;;
        *) echo "netlink error: No such device" >&2; exit 1 ;;
      esac
      """;

  @TempDir private Path folder;

  private final Page page = new Page(Pages.MAPPING);

  private FakeHost host() throws Exception {
    Files.writeString(folder.resolve("fec"), FEC);
    Files.writeString(folder.resolve("statistics"), STATISTICS);
    Files.writeString(folder.resolve("module"), MODULE);
    return new FakeHost(folder)
        .mlx5("mlx5_0", "eth2", "b8:3f:d2:00:00:01")
        .sys("class/infiniband/mlx5_0/ports/1/hw_counters/np_cnp_sent", "18446744073709551615")
        .sys("class/infiniband/mlx5_0/ports/1/counters/symbol_error", "65535")
        .sys("class/infiniband/mlx5_0/ports/1/counters/port_xmit_data", "100")
        .sys("class/infiniband/mlx5_0/ports/1/counters/port_rcv_errors", "N/A (no PMA)")
        .tool("ethtool", ETHTOOL.formatted(folder))
        .prints("mlxlink", MLXLINK);
  }

  private CollectOutcome read(FakeHost.Run run) {
    assertThat(run.exitCode()).as(run.said()).isZero();
    Pages.read(page, run.page());
    CollectOutcome outcome =
        new PageReader("gpu-001", Role.HOST, Pages.MAPPING).outcome(page, AT, null);
    assertThat(outcome.problems()).isEmpty();
    return outcome;
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh"})
  void what_all_tools_know_becomes_readings_of_one_port(String shell) throws Exception {
    Tool.require(shell.split(" ")[0]);

    CollectOutcome outcome = read(host().run(shell));

    assertThat(outcome.batch().ports()).containsExactly("mlx5_0/1");
    Readings readings = new Readings(outcome.batch());
    assertThat(readings.of("mlx5_0/1", "fec.corrected_codewords")).isEqualTo("OK 256");
    assertThat(readings.of("mlx5_0/1", "fec.uncorrectable_codewords")).isEqualTo("OK 145");
    assertThat(readings.of("mlx5_0/1", "fec.codewords_by_symbol_errors", 0))
        .isEqualTo("OK 1000000");
    assertThat(readings.of("mlx5_0/1", "fec.codewords_by_symbol_errors", 1)).isEqualTo("OK 12");
    assertThat(readings.of("mlx5_0/1", "fec.codewords_by_symbol_errors", 2)).isNull();
    // Of all lanes, before the four of the driver's statistics.
    assertThat(readings.of("mlx5_0/1", "fec.corrected_bits", 0)).isEqualTo("OK 10");
    assertThat(readings.of("mlx5_0/1", "fec.corrected_bits", 1)).isEqualTo("OK 20");
    assertThat(readings.of("mlx5_0/1", "fec.corrected_bits", 2)).isNull();
    assertThat(readings.of("mlx5_0/1", "fec.corrected_bits", 3)).isEqualTo("OK 40");
    assertThat(readings.of("mlx5_0/1", "fec.pre_fec_ber")).isEqualTo("OK 3.0E-9");
    assertThat(readings.of("mlx5_0/1", "fec.post_fec_ber")).isEqualTo("UNSUPPORTED");
    assertThat(readings.of("mlx5_0/1", "fec.lane_pre_fec_ber", 0)).isEqualTo("OK 1.0E-9");
    assertThat(readings.of("mlx5_0/1", "fec.lane_pre_fec_ber", 1)).isNull();
    assertThat(readings.of("mlx5_0/1", "fec.lane_pre_fec_ber", 3)).isEqualTo("OK 4.0E-9");
    assertThat(readings.of("mlx5_0/1", "fec.post_fec_errors")).isEqualTo("OK 3");
    assertThat(readings.of("mlx5_0/1", "plr.symbol_errors")).isEqualTo("OK 1");
    assertThat(readings.of("mlx5_0/1", "port.in_octets")).isEqualTo("OK 18446744073709551615");
    assertThat(readings.of("mlx5_0/1", "port.out_octets")).isEqualTo("OK 400");
    assertThat(readings.of("mlx5_0/1", "port.out_discards")).isEqualTo("OK 2");
    assertThat(readings.of("mlx5_0/1", "port.link_downed")).isEqualTo("OK 300");
    assertThat(readings.of("mlx5_0/1", "port.width_lanes")).isEqualTo("OK 4.0");
    assertThat(readings.of("mlx5_0/1", "pfc.rx_pause_frames", 3)).isEqualTo("OK 5");
    assertThat(readings.of("mlx5_0/1", "pfc.rx_pause_microseconds", 3)).isEqualTo("OK 1234567");
    assertThat(readings.of("mlx5_0/1", "pfc.tx_pause_microseconds", 3)).isEqualTo("OK 7");
    assertThat(readings.of("mlx5_0/1", "optics.rx_power_dbm", 0)).isEqualTo("OK -0.97");
    assertThat(readings.of("mlx5_0/1", "optics.rx_power_dbm", 1)).isEqualTo("UNREADABLE no light");
    assertThat(readings.of("mlx5_0/1", "optics.rx_power_dbm", 2)).isNull();
    assertThat(readings.of("mlx5_0/1", "optics.tx_bias_milliamperes", 1)).isEqualTo("OK 8.0");
    assertThat(readings.of("mlx5_0/1", "optics.module_temperature_celsius")).isEqualTo("OK 45.0");
    assertThat(readings.of("mlx5_0/1", "roce.cnp_sent")).isEqualTo("OK 18446744073709551615");
    assertThat(readings.of("mlx5_0/1", "ib.symbol_errors")).isEqualTo("SATURATED 65535");
    assertThat(readings.of("mlx5_0/1", "ib.receive_errors")).isEqualTo("UNSUPPORTED");
    assertThat(readings.of("mlx5_0/1", "host.pcie_width_lanes")).isEqualTo("OK 16.0");
    assertThat(readings.of("mlx5_0/1", "host.pcie_speed_transfers_per_second"))
        .isEqualTo("OK 3.2E10");
    assertThat(outcome.sightings().getFirst().ports())
        .containsExactly(
            new SeenPort(
                "mlx5_0/1",
                0,
                0,
                4,
                FecMode.RS544,
                Media.OPTICAL,
                "MMA4Z00 \"",
                0,
                true,
                List.of("eth2", "b8:3f:d2:00:00:01", "0xb83fd20300000001")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh"})
  void what_cannot_be_read_is_named_and_hides_nothing(String shell) throws Exception {
    Tool.require(shell.split(" ")[0]);
    FakeHost host =
        host()
            .mlx5("mlx5_1", "eth3", "b8:3f:d2:00:00:02")
            .sys("class/infiniband/mlx5_1/device/current_link_speed", "Unknown")
            .tool(
                "mlxlink", "case \"$2\" in mlx5_0) sleep 60 ;; *) echo '{\"result\" : {' ;; esac");

    FakeHost.Run run = host.run(shell, "FABRIC_TOOL_SECONDS=1");

    Readings readings = new Readings(read(run).batch());
    assertThat(readings.of("mlx5_0/1", "fec.corrected_codewords")).isEqualTo("OK 256");
    assertThat(readings.of("mlx5_0/1", "fec.corrected_bits", 0)).isEqualTo("OK 7");
    assertThat(readings.of("mlx5_1/1", "host.pcie_width_lanes")).isEqualTo("OK 16.0");
    assertThat(run.page().lines().filter(line -> line.startsWith("fabric_host_textfile_error{")))
        .containsExactlyInAnyOrder(
            error("counters", "mlx5_0/1/port_rcv_errors", "unreadable"),
            error("pcie", "mlx5_1/1", "unreadable"),
            error("ethtool_fec", "eth3", "failed"),
            error("ethtool_statistics", "eth3", "failed"),
            error("ethtool_module", "eth3", "failed"),
            error("mlxlink", "mlx5_0/1", "timeout"),
            error("mlxlink", "mlx5_1/1", "unreadable"));
    host.run(shell, "FABRIC_TOOL_SECONDS=1");
    FakeHost.Run third = host.run(shell, "FABRIC_TOOL_SECONDS=1");
    assertThat(third.page())
        .contains(
            error("mlxlink", "mlx5_0/1", "left_alone"), error("ethtool_fec", "eth3", "left_alone"));
    assertThat(new Readings(read(third).batch()).of("mlx5_0/1", "fec.corrected_codewords"))
        .isEqualTo("OK 256");
  }

  private static String error(String tool, String subject, String reason) {
    return "fabric_host_textfile_error{tool=\"%s\",subject=\"%s\",reason=\"%s\"} 1"
        .formatted(tool, subject, reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh"})
  void a_tool_that_failed_twice_is_asked_again_after_some_runs(String shell) throws Exception {
    Tool.require(shell.split(" ")[0]);
    FakeHost host = host().tool("mlxlink", "exit 3");
    String retry = "FABRIC_RETRY_RUNS=1";
    host.run(shell, retry);
    host.run(shell, retry);
    host.prints("mlxlink", MLXLINK);

    assertThat(host.run(shell, retry).page()).contains(error("mlxlink", "mlx5_0/1", "left_alone"));
    assertThat(host.run(shell, retry).page())
        .contains("fabric_host_hca_width_lanes{device=\"mlx5_0\",port=\"1\"} 4")
        .doesNotContain("mlxlink\",subject");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh"})
  void names_that_nobody_expects_are_escaped_and_break_nothing(String shell) throws Exception {
    Tool.require(shell.split(" ")[0]);
    String odd = "a \"b\" \\c\n*;$(touch x)";
    FakeHost host =
        new FakeHost(folder)
            .sys("class/infiniband/" + odd + "/ports/1/link_layer", "Ethernet")
            .sys("class/infiniband/" + odd + "/ports/1/gid_attrs/ndevs/0", "e \"0\" *")
            .sys("class/infiniband/" + odd + "/ports/x y/link_layer", "Ethernet")
            .mlx5("mlx5_1", "eth3", "b8:3f:d2:00:00:02")
            .sys("class/infiniband/mlx5_1/ports/1/hw_counters/np_cnp_sent", "7")
            .tool("ethtool", "exit 1");

    FakeHost.Run run = host.run(shell);

    assertThat(run.page())
        .contains(
            "device=\"a \\\"b\\\" \\\\c\\n*;$(touch x)\",port=\"1\",netdev=\"e \\\"0\\\" *\"");
    Pages.read(page, run.page());
    CollectOutcome outcome =
        new PageReader("gpu-001", Role.HOST, Pages.MAPPING).outcome(page, AT, null);
    assertThat(new Readings(outcome.batch()).of("mlx5_1/1", "roce.cnp_sent")).isEqualTo("OK 7");
    try (Stream<Path> files = Files.list(Path.of("."))) {
      assertThat(files).doesNotContain(Path.of("./x"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh"})
  void recorded_hcas_are_all_there_and_promtool_finds_nothing_to_say(String shell)
      throws Exception {
    Tool.require(shell.split(" ")[0]);
    assumeTrue(Files.isDirectory(SYSFS), "skipped: " + SYSFS + " is not there");

    FakeHost.Run run = new FakeHost(folder).run(shell, "FABRIC_SYSFS=" + SYSFS.toRealPath());

    Readings readings = new Readings(read(run).batch());
    assertThat(readings.of("mlx4_0/1", "ib.transmit_wait_ticks")).isEqualTo("SATURATED 4294967295");
    assertThat(readings.of("mlx4_0/1", "ib.transmit_discards")).isEqualTo("OK 5");
    assertThat(readings.of("mlx5_0/1", "port.out_octets")).isEqualTo("OK 11523046035392");
    assertThat(readings.of("hfi1_0/1", "port.in_packets")).isEqualTo("OK 638036947");
    assertThat(readings.of("i40iw0/1", "port.in_packets")).isEqualTo("UNSUPPORTED");
    assertThat(run.page()).contains("fabric_host_textfile_ports{} 5\n");
    Tool.Result result = Tool.require("promtool").run(List.of("check", "metrics"), run.page());
    assertThat(result.output()).isEmpty();
    assertThat(result.exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh"})
  void every_port_of_an_hca_has_its_own_name_in_errors(String shell) throws Exception {
    Tool.require(shell.split(" ")[0]);
    FakeHost host =
        host()
            .sys("class/infiniband/mlx5_0/ports/2/link_layer", "InfiniBand")
            .sys("class/infiniband/mlx5_0/ports/2/counters/symbol_error", "N/A (no PMA)");

    assertThat(host.run(shell).page())
        .contains(error("counters", "mlx5_0/1/port_rcv_errors", "unreadable"))
        .contains(error("counters", "mlx5_0/2/symbol_error", "unreadable"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh"})
  void a_lane_without_a_bias_current_has_no_sample_of_it(String shell) throws Exception {
    Tool.require(shell.split(" ")[0]);
    FakeHost host = host();
    Files.writeString(
        folder.resolve("module"), "\tReceiver signal average optical power : 0.8 mW / -0.97 dBm\n");

    assertThat(host.run(shell).page().lines().filter(line -> line.contains("netdev_optics")))
        .contains("fabric_host_netdev_optics_receive_power_dbm{device=\"eth2\",lane=\"0\"} -0.97")
        .noneMatch(line -> line.contains("transmit_bias_amperes"));
  }

  @Test
  void promtool_accepts_every_metric() throws Exception {
    Tool.require("dash");
    Tool promtool = Tool.require("promtool");

    Tool.Result result = promtool.run(List.of("check", "metrics"), host().run("dash").page());

    assertThat(result.output()).isEmpty();
    assertThat(result.exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh"})
  void the_real_ethtool_is_asked_about_an_interface_that_is_none(String shell) throws Exception {
    Tool.require(shell.split(" ")[0]);
    Tool.require("ethtool");
    FakeHost host = new FakeHost(folder).mlx5("mlx5_0", "no-such-0", "b8:3f:d2:00:00:02");

    FakeHost.Run run = host.run(shell, "PATH=/usr/sbin:/usr/bin:/bin");

    assertThat(run.page())
        .contains(error("ethtool_fec", "no-such-0", "failed"))
        .contains("fabric_host_textfile_tool_present{tool=\"ethtool\"} 1")
        .contains("fabric_host_hca_pcie_width_lanes{device=\"mlx5_0\",port=\"1\"} 16");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh"})
  void the_page_is_whole_or_the_old_one(String shell) throws Exception {
    Tool.require(shell.split(" ")[0]);
    FakeHost host = host();
    String before = host.run(shell).page();
    host.tool("awk", "exit 2");

    FakeHost.Run broken = host.run(shell);

    assertThat(broken.exitCode()).isEqualTo(1);
    assertThat(broken.page()).isEqualTo(before);
    try (Stream<Path> files = Files.list(host.out().getParent())) {
      assertThat(files).containsExactly(host.out());
    }
  }
}
