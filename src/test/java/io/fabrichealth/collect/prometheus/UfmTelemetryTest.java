package io.fabrichealth.collect.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Sighting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** UFM telemetry in its three formats. */
class UfmTelemetryTest {
  private static final Path FIXTURE = Path.of("../shared/fixtures/ufm/small_telemetry.json");
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");
  private static final String LEAF = "0x248a070300ef19a0";

  /** Made after the columns that NVIDIA's plugins for UFM read. */
  private static final String CSV =
      """
      timestamp,source_id,node_guid,port_guid,port_num,node_description,phy_raw_errors_lane0,phy_raw_errors_lane3,PortRcvErrorsExtended,LinkDownedCounterExtended,hist0,hist15,Total_Raw_BER,PortRcvPktsExtended,port_label
      1709652347161873,0x1,0x248a070300ef19a0,0x1,1,"MF0;leaf1, ""core"":MQM8700/U1",10,40,18446744073709551615,256,1000000,2,3e-9,7,x
      1709652347161874,0x1,0x248a070300ef19a0,0x1,2,"MF0;leaf1, ""core"":MQM8700/U1",,,65535,,,,,N/A,
      1709652347161873,0x2,0x0c42a103007ab890,0x2,1,gpu-001 mlx5_0,1,,,,,,,,
      """;

  private final Page page = new Page(Pages.MAPPING);
  private final PageReader reader = new PageReader("ufm", Role.HOST, Pages.MAPPING);

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

  @Test
  void a_recorded_page_of_json_has_the_ports_of_four_nodes() throws IOException {
    assumeTrue(Files.isRegularFile(FIXTURE), "skipped: " + FIXTURE + " is not there");

    CollectOutcome outcome = read(Files.readString(FIXTURE));

    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.batches())
        .extracting(PollBatch::device)
        .containsExactlyInAnyOrder(
            "0x0c42a103007ab890", LEAF, "0x7cfe900300292356", "0xe41d2d030003e3b0");
    assertThat(outcome.batches()).extracting(PollBatch::collector).containsOnly("prometheus/ufm");
    PollBatch leaf = batch(outcome, LEAF);
    assertThat(leaf.ports()).containsExactly("1", "23", "36");
    assertThat(leaf.deviceTime()).isEqualTo("2024-03-05T15:25:47.161873Z");
    Readings readings = new Readings(leaf);
    assertThat(readings.of("23", "port.link_downed")).isEqualTo("OK 3");
    assertThat(readings.of("23", "port.out_octets")).isEqualTo("OK 70409952");
    assertThat(readings.of("23", "port.in_packets")).isEqualTo("OK 244498");
    assertThat(readings.of("1", "port.link_downed")).isEqualTo("OK 1");
    assertThat(readings.of("1", "fec.codewords_by_symbol_errors", 4)).isEqualTo("OK 0");
    assertThat(readings.of("1", "fec.codewords_by_symbol_errors", 5)).isNull();
    assertThat(readings.of("1", "fec.corrected_bits")).isEqualTo("UNSUPPORTED");
    assertThat(outcome.sightings())
        .filteredOn(sighting -> sighting.device().equals(LEAF))
        .extracting(Sighting::role)
        .containsExactly(Role.SWITCH);
  }

  @Test
  void rows_of_csv_are_ports_and_empty_cells_are_absent() {
    CollectOutcome outcome = read(CSV);

    PollBatch leaf = batch(outcome, "leaf1, \"core\"");
    assertThat(leaf.deviceTime()).isEqualTo("2024-03-05T15:25:47.161874Z");
    Readings readings = new Readings(leaf);
    assertThat(readings.of("1", "fec.corrected_bits", 0)).isEqualTo("OK 10");
    assertThat(readings.of("1", "fec.corrected_bits", 1)).isNull();
    assertThat(readings.of("1", "fec.corrected_bits", 3)).isEqualTo("OK 40");
    assertThat(readings.of("1", "ib.receive_errors")).isEqualTo("OK 18446744073709551615");
    assertThat(leaf.counterBits(Readings.DICTIONARY.ordinal("ib.receive_errors"))).isEqualTo(64);
    assertThat(readings.of("1", "port.link_downed")).isEqualTo("OK 256");
    assertThat(readings.of("1", "fec.codewords_by_symbol_errors", 15)).isEqualTo("OK 2");
    assertThat(readings.of("1", "fec.pre_fec_ber")).isEqualTo("OK 3.0E-9");
    // Of 64 bits: not the end of anything.
    assertThat(readings.of("2", "ib.receive_errors")).isEqualTo("OK 65535");
    assertThat(readings.of("2", "port.link_downed")).isEqualTo("UNSUPPORTED");
    assertThat(new Readings(batch(outcome, "gpu-001")).of("mlx5_0/1", "fec.corrected_bits"))
        .isEqualTo("OK 1");
    assertThat(outcome.problems())
        .containsExactly(
            new Problem(
                FailureCode.MALFORMED,
                "1 values cannot be read, the first is in record 2, 'N/A': expected a number"));
  }

  @Test
  void an_exposition_has_the_same_names_as_labels() {
    CollectOutcome outcome =
        read(
            """
            # TYPE phy_raw_errors_lane0 counter
            phy_raw_errors_lane0{node_guid="0x248a070300ef19a0",port_guid="0x1",port_num="23",node_description="leaf1"} 7 1709652347161873
            """);

    assertThat(outcome.problems()).isEmpty();
    PollBatch leaf = batch(outcome, "leaf1");
    assertThat(leaf.deviceTime()).isEqualTo("2024-03-05T15:25:47.161873Z");
    assertThat(new Readings(leaf).of("23", "fec.corrected_bits")).isEqualTo("OK 7");
  }

  @Test
  void a_page_that_is_cut_off_is_not_taken_for_whole() {
    read(CSV);
    CollectOutcome csv = read(CSV.substring(0, CSV.length() - 8));
    CollectOutcome json =
        read(
            "{\"values\": [{\"node_guid\": \"0x1\", \"port_num\": 1, \"Symbol_Errors\": 5}, {\"node");

    assertThat(csv.problems())
        .contains(
            new Problem(FailureCode.PARTIAL, "the page ends within record 3, which was not taken"));
    assertThat(batch(csv, "gpu-001").size()).isZero();
    assertThat(json.problems())
        .contains(
            new Problem(FailureCode.PARTIAL, "the page ends within record 2, which was not taken"));
    assertThat(new Readings(batch(json, "0x0000000000000001")).of("1", "plr.symbol_errors"))
        .isEqualTo("OK 5");
  }

  @Test
  void rows_and_values_that_cannot_be_are_named_and_the_others_taken() {
    CollectOutcome csv =
        read(
            """
            node_guid,port_num,Symbol_Errors
            0x1,1,5,9
            0x1,2,6
            zz,3,7
            0x1,,8
            0x1,2,9
            """);
    CollectOutcome json =
        read(
            """
            [{"Node_GUID": "0x1", "Port_Number": 4, "Symbol_Errors": "abc", "Effective_Errors": 2},
             {"node_guid": {"a": 1}, "port_num": [1], "Symbol_Errors": true},
             {"node_guid": null, "Symbol_Errors": 1}, 7]
            """);
    CollectOutcome broken = read("{\"values\": oops}");

    assertThat(new Readings(batch(csv, "0x0000000000000001")).of("2", "plr.symbol_errors"))
        .isEqualTo("OK 6");
    assertThat(csv.problems())
        .extracting(Problem::message)
        .containsExactly(
            "1 values cannot be read, the first is in record 1, 4 cells: expected 3, as in the"
                + " first row",
            "1 series stand there twice (the first was taken), the first in record 5",
            "2 samples do not name their port, the first in record 3");
    assertThat(new Readings(batch(json, "0x0000000000000001")).of("4", "fec.post_fec_errors"))
        .isEqualTo("OK 2");
    assertThat(json.problems())
        .extracting(Problem::message)
        .contains("1 values cannot be read, the first is in record 1, 'abc': expected a number");
    assertThat(broken.readings()).isZero();
    assertThat(broken.problems().getFirst().message()).contains("expected JSON: ");
  }
}
