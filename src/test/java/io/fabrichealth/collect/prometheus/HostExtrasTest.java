package io.fabrichealth.collect.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What stands beside node_exporter's own metrics: the textfile page, dcgm-exporter. */
class HostExtrasTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");

  private final Page page = new Page(Pages.MAPPING);
  private final PageReader reader = new PageReader("gpu-001", Role.HOST, Pages.MAPPING);

  private CollectOutcome read(String text) {
    Pages.read(page, text);
    return reader.outcome(page, AT, null);
  }

  @Test
  void counters_of_a_file_that_is_written_no_more_are_unreadable() {
    String text =
        """
        node_time_seconds 1.7e+09
        node_textfile_mtime_seconds{file="/var/lib/other.prom"} 1
        node_textfile_mtime_seconds{file="/var/lib/node_exporter/textfile/fabric_host.prom"} %s
        node_network_up{device="eth2"} 1
        fabric_host_netdev_fec_corrected_blocks_total{device="eth2"} 7
        """;

    Readings fresh = new Readings(read(text.formatted("1.6999992e+09")).batch());
    Readings old = new Readings(read(text.formatted("1.6999e+09")).batch());

    assertThat(fresh.of("eth2", "fec.corrected_codewords")).isEqualTo("OK 7");
    assertThat(old.of("eth2", "fec.corrected_codewords"))
        .isEqualTo("UNREADABLE the file that the exporter reads it from is old");
    assertThat(old.of("eth2", "port.oper_up")).isEqualTo("OK 1.0");
  }

  @Test
  void what_the_exporter_reads_itself_comes_before_the_file() {
    Readings readings =
        new Readings(
            read("""
                    node_ethtool_received_bytes_phy{device="eth2"} 5
                    fabric_host_netdev_phy_receive_bytes_total{device="eth2"} 4
                    fabric_host_netdev_phy_transmit_bytes_total{device="eth2"} 3
                    fabric_host_netdev_fec_codewords_total{device="eth2",symbol_errors="31"} 1
                    fabric_host_netdev_pfc_receive_pause_seconds_total{device="eth2",priority="3"} 1.5e-05
                    """)
                .batch());

    assertThat(readings.of("eth2", "port.in_octets")).isEqualTo("OK 5");
    assertThat(readings.of("eth2", "port.out_octets")).isEqualTo("OK 3");
    assertThat(readings.of("eth2", "fec.codewords_by_symbol_errors", 31)).isEqualTo("OK 1");
    assertThat(readings.of("eth2", "pfc.rx_pause_microseconds", 3)).isEqualTo("OK 15");
  }

  @Test
  void lanes_that_are_no_numbers_or_beyond_all_are_told() {
    CollectOutcome outcome =
        read(
            """
            fabric_host_netdev_optics_receive_power_dbm{device="eth2",lane="0"} -1.5
            fabric_host_netdev_optics_receive_power_dbm{device="eth2",lane="16"} -1
            fabric_host_netdev_optics_receive_power_dbm{device="eth2",lane="x"} -1
            fabric_host_netdev_optics_receive_power_dbm{device="eth2"} -1
            """);

    assertThat(new Readings(outcome.batch()).of("eth2", "optics.rx_power_dbm"))
        .isEqualTo("OK -1.5");
    assertThat(outcome.problems())
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem.message())
                    .isEqualTo("3 samples do not name their port, the first in line 2"));
  }

  @ParameterizedTest
  @CsvSource({
    "RS, 400e9, 4, RS544",
    "RS, 100e9, 4, RS528",
    "RS, 200e9, 0, RS544",
    "RS, 100e9, 0, UNKNOWN",
    "RS, 0, 0, UNKNOWN",
    "BaseR, 25e9, 1, FC",
    "Off, 100e9, 4, NONE",
    "LLRS, 100e9, 2, RS272",
    "'Standard RS-FEC - RS(528,514)', 0, 0, RS528",
    "'Interleaved Standard RS-FEC - RS(544,514)', 0, 0, RS544_2X",
    "'Ethernet_Consortium_LL_50G_RS_FEC_PLR -(272,257+1)', 0, 0, RS272",
    "'Auto', 400e9, 4, UNKNOWN",
  })
  void the_code_follows_from_its_name_and_the_speed_of_a_lane(
      String encoding, double speed, int lanes, FecMode fec) {
    assertThat(HardwareText.fec(encoding, (long) speed, lanes)).isEqualTo(fec);
  }

  @ParameterizedTest
  @CsvSource({
    "'0x08 (1310 nm EML)', OPTICAL",
    "'Optical Module (separated)', OPTICAL",
    "'Active optical module (AOC)', AOC",
    "'0x0a (Copper cable, unequalized)', DAC",
    "'Passive copper cable', DAC",
    "'Active copper cable', AEC",
    "'?', UNKNOWN",
  })
  void the_medium_follows_from_the_transmitter(String technology, Media media) {
    assertThat(HardwareText.media(technology)).isEqualTo(media);
  }

  @Test
  void the_hardware_of_an_interface_is_that_of_its_port() {
    CollectOutcome outcome =
        read(
            """
            fabric_host_port_info{device="mlx5_0",port="1",netdev="eth2",mac="",guid=""} 1
            fabric_host_netdev_fec_info{device="eth2",encoding="RS"} 1
            fabric_host_netdev_module_info{device="eth2",vendor="a",part_number=" P1 ",technology="0x0a (Copper cable)"} 1
            node_network_speed_bytes{device="eth2"} 5e+10
            """);

    SeenPort port = outcome.sightings().getFirst().ports().getFirst();
    assertThat(port.name()).isEqualTo("mlx5_0/1");
    assertThat(port.fec()).isEqualTo(FecMode.RS544);
    assertThat(port.media()).isEqualTo(Media.DAC);
    assertThat(port.partNumber()).isEqualTo("P1");
  }

  @Test
  void the_nvlinks_of_a_gpu_are_a_port_of_the_host_that_the_samples_name() {
    CollectOutcome outcome =
        read(
            """
            # TYPE DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL counter
            DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL{gpu="0",UUID="GPU-1",device="nvidia0",modelName="H100",Hostname="gpu-009"} 12
            DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL{gpu="1",UUID="GPU-2",device="nvidia1",modelName="H100",Hostname="gpu-009"} 9223372036854775794
            # TYPE DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL counter
            DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL{gpu="0",UUID="GPU-1",Hostname="gpu-009"} 3
            # TYPE DCGM_FI_PROF_NVLINK_TX_BYTES gauge
            DCGM_FI_PROF_NVLINK_TX_BYTES{gpu="0",UUID="GPU-1",Hostname="gpu-009"} 1.5e+09
            """);

    assertThat(outcome.problems()).isEmpty();
    PollBatch batch = outcome.batch();
    assertThat(batch.device()).isEqualTo("gpu-009");
    assertThat(batch.collector()).isEqualTo("prometheus/dcgm");
    Readings readings = new Readings(batch);
    assertThat(readings.of("gpu0/nvlink", "nvlink.crc_errors")).isEqualTo("OK 12");
    assertThat(readings.of("gpu0/nvlink", "nvlink.replays")).isEqualTo("OK 3");
    assertThat(readings.of("gpu0/nvlink", "nvlink.tx_octets_per_second")).isEqualTo("OK 1.5E9");
    assertThat(readings.of("gpu1/nvlink", "nvlink.crc_errors"))
        .isEqualTo("UNREADABLE the device does not know it");
    assertThat(readings.of("gpu0/nvlink", "port.in_octets")).isNull();
  }

  @Test
  void the_nvlinks_of_the_target_stand_beside_its_other_ports() {
    CollectOutcome outcome =
        read(
            """
            DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL{gpu="0"} 3
            DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL{gpu="1",Hostname="gpu-001"} 4
            node_network_up{device="eth2"} 1
            """);

    assertThat(outcome.batches()).hasSize(1);
    assertThat(outcome.batch().collector()).isEqualTo("prometheus");
    assertThat(outcome.batch().ports()).containsExactly("eth2", "gpu0/nvlink", "gpu1/nvlink");
  }
}
