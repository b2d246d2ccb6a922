package io.fabrichealth.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.PortId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Captures of another writer. What is asserted can be counted in them with zcat and grep. */
class CaptureFixturesTest {
  private static final Path FOLDER = Path.of("../shared/fixtures/capture");
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();

  @ParameterizedTest
  @CsvSource({
    "healthy, 1, 2629, 2649, 0, 5401",
    "flapping-link, 1, 2623, 2645, 0, 5391",
    "speed-downgrade, 2, 2627, 2651, 2, 5404"
  })
  void all_records_of_another_writer_are_read(
      String name, long topologies, long polls, long probes, long events, long lines)
      throws Exception {
    try (CaptureReader in = open(name)) {
      List<EngineInput> inputs = all(in);
      CaptureSummary summary = in.summary();

      assertThat(in.writer()).isEqualTo("another-writer/1");
      assertThat(inputs).hasSize((int) (topologies + polls + probes + events + 1 + 120));
      assertThat(summary.records().getOrDefault("topology", 0L)).isEqualTo(topologies);
      assertThat(summary.records().getOrDefault("poll", 0L)).isEqualTo(polls);
      assertThat(summary.records().getOrDefault("probe", 0L)).isEqualTo(probes);
      assertThat(summary.records().getOrDefault("event", 0L)).isEqualTo(events);
      assertThat(summary.records().getOrDefault("job", 0L)).isEqualTo(1);
      assertThat(summary.records().getOrDefault("collective", 0L)).isEqualTo(120);
      assertThat(summary.passedOver()).isEmpty();
      assertThat(summary.lines()).isEqualTo(lines);
      assertThat(summary.unusable()).isZero();
      assertThat(summary.firstRefused()).isEmpty();
      assertThat(summary.outOfOrder()).isPositive();
      assertThat(summary.isDamaged()).isFalse();
    }
  }

  @Test
  void counters_beyond_what_a_double_holds_are_exact() throws Exception {
    try (CaptureReader in = open("healthy")) {
      List<EngineInput> inputs = all(in);
      Fabric fabric = ((EngineInput.Topology) inputs.getFirst()).fabric();
      assertThat(fabric.devices()).hasSize(22);
      assertThat(fabric.port(new PortId("gpu-001", "mlx5_1/1")).partNumber())
          .isEqualTo("MMA4Z00-NS");

      PollBatch first = ((EngineInput.Poll) inputs.get(1)).batch();
      assertThat(first.device()).isEqualTo("leaf1");
      assertThat(first.boot()).isEqualTo("2025-11-19T20:33:28.404Z");
      assertThat(io.fabrichealth.testing.Batches.lines(first, DICTIONARY))
          .contains(
              "Ethernet1/1 port.in_octets[0] 2489392437879971328 OK",
              "Ethernet1/1 fec.codewords_by_symbol_errors[0] 8851386289456816 OK",
              "Ethernet1/1 pfc.tx_pause_frames[3] 24344 OK",
              "Ethernet1/1 optics.rx_power_dbm[1] -2.13 OK");
    }
  }

  static CaptureReader open(String name) throws Exception {
    Path file = FOLDER.resolve(name + ".ndjson.gz");
    assumeTrue(Files.exists(file), () -> "skipped: " + file + " is not there");
    return CaptureReader.open(file, DICTIONARY);
  }

  private static List<EngineInput> all(CaptureReader in) throws InvalidCaptureException {
    List<EngineInput> inputs = new ArrayList<>();
    for (EngineInput input = in.next(); input != null; input = in.next()) {
      inputs.add(input);
    }
    return inputs;
  }
}
