package io.fabrichealth.collect.gnmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Dumps of SONiC's counters, served over real gRPC. */
class SonicFixturesTest {
  private static final Path FIXTURES = Path.of("../shared/fixtures/sonic-gnmi");
  private static final Duration INTERVAL = Duration.ofSeconds(2);

  private final InstantSource clock = InstantSource.system();
  private final GnmiCollectors collectors = GnmiCollectors.shipped(Readings.DICTIONARY, clock);
  private SimulatedGnmiTarget target;
  private Collector collector;

  @BeforeAll
  static void find() {
    assumeTrue(Files.isDirectory(FIXTURES), "skipped: " + FIXTURES + " is not there");
  }

  @AfterEach
  void stop() {
    collector.close();
    collectors.close();
    target.close();
  }

  private CollectOutcome collect(SonicDatabases content) throws InterruptedException {
    target = new SimulatedGnmiTarget(content).start();
    collector = collectors.collector(target.target("sonic", INTERVAL, null));
    return collector.collect(clock.instant().plus(Duration.ofSeconds(10)));
  }

  @Test
  void a_dump_gives_fec_bins_pauses_by_priority_and_marks_by_queue()
      throws IOException, InterruptedException {
    CollectOutcome outcome =
        collect(
            new SonicDatabases()
                .add(
                    "COUNTERS_DB",
                    Files.readAllBytes(FIXTURES.resolve("counters_db-synthetic.json")))
                .add("APPL_DB", "{}".getBytes())
                .add("STATE_DB", "{}".getBytes()));

    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.batch().complete()).isTrue();
    assertThat(outcome.batch().ports())
        .containsExactlyInAnyOrder("Ethernet0", "Ethernet4", "Ethernet8");
    Readings readings = new Readings(outcome.batch());
    String bins = "fec.codewords_by_symbol_errors";
    assertThat(readings.of("Ethernet0", bins, 0)).isEqualTo("OK 1000000");
    assertThat(readings.of("Ethernet0", bins, 7)).isEqualTo("OK 300000");
    assertThat(readings.of("Ethernet0", bins, 15)).isEqualTo("OK 0");
    assertThat(readings.of("Ethernet4", bins)).isEqualTo("UNSUPPORTED");
    assertThat(readings.of("Ethernet0", "fec.corrected_codewords")).isEqualTo("OK 130402");
    assertThat(readings.of("Ethernet0", "fec.uncorrectable_codewords")).isEqualTo("OK 3");
    assertThat(readings.of("Ethernet0", "pfc.rx_pause_frames", 3)).isEqualTo("OK 203");
    assertThat(readings.of("Ethernet0", "pfc.tx_pause_frames", 7)).isEqualTo("OK 217");
    assertThat(readings.of("Ethernet0", "pfc.rx_pause_microseconds", 7)).isEqualTo("OK 20000007");
    assertThat(readings.of("Ethernet0", "pfc.watchdog_storms", 3)).isEqualTo("OK 1");
    assertThat(readings.of("Ethernet0", "ecn.marked_packets", 12)).isEqualTo("OK 82");
    assertThat(readings.of("Ethernet4", "ecn.marked_packets", 12)).isEqualTo("OK 27");
    assertThat(readings.of("Ethernet0", "port.in_packets")).isEqualTo("OK 8");
    // 2.e9 in the dump, and bytes in spite of the field's name.
    assertThat(readings.of("Ethernet0", "port.in_octets_per_second")).isEqualTo("OK 2.0E9");
  }
}
