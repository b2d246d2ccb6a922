package io.fabrichealth.collect.gnmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import com.google.protobuf.ByteString;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.testing.Readings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
  private static final Duration INTERVAL = Duration.ofMillis(500);

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
    return collector.collect(clock.instant().plus(Duration.ofSeconds(20)));
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
                .add("APPL_DB", "{}".getBytes(StandardCharsets.UTF_8))
                .add("STATE_DB", "{}".getBytes(StandardCharsets.UTF_8)));

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

  private static byte[] file(String name) throws IOException {
    return Files.readAllBytes(FIXTURES.resolve(name));
  }

  private static byte[] row(String key, byte[] fields) {
    return ("{\"" + key + "\":" + new String(fields, StandardCharsets.UTF_8) + "}")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void counters_of_a_real_switch_are_its_ports_by_the_name_map()
      throws IOException, InterruptedException {
    CollectOutcome outcome =
        collect(
            new SonicDatabases()
                .add(
                    "COUNTERS_DB",
                    row("COUNTERS_PORT_NAME_MAP", file("COUNTERS_PORT_NAME_MAP.txt")))
                .add("COUNTERS_DB", file("PORT_COUNTERS.txt")));

    assertThat(outcome.problems()).isEmpty();
    // The map lists 55 ports; three of them have counters.
    assertThat(outcome.sighting().ports()).hasSize(55);
    Readings readings = new Readings(outcome.batch());
    String bins = "fec.codewords_by_symbol_errors";
    assertThat(readings.of("Ethernet0", bins, 0)).isEqualTo("OK 20113191987857");
    assertThat(readings.of("Ethernet10", bins, 0)).isEqualTo("OK 20111328037658");
    assertThat(readings.of("Ethernet20", "port.in_packets")).isEqualTo("OK " + (7311 + 69244));
    assertThat(readings.of("Ethernet0", "port.in_discards")).isEqualTo("OK 957");
    assertThat(readings.of("Ethernet68", "port.in_octets")).isEqualTo("UNSUPPORTED");
    // These databases are not there, and the device says so.
    assertThat(readings.of("Ethernet0", "optics.rx_power_dbm"))
        .isEqualTo("UNSUPPORTED the device refuses the path: invalid gnmi target STATE_DB");
  }

  @Test
  void answers_for_one_port_and_its_queues_are_read() throws IOException, InterruptedException {
    collect(
        new SonicDatabases().add("COUNTERS_DB", row("x", "{}".getBytes(StandardCharsets.UTF_8))));
    target.send(answer("COUNTERS/Ethernet68", file("COUNTERS-Ethernet68.txt")));
    target.send(answer("COUNTERS/Ethernet*/Queues", file("COUNTERS-Ethernet68-Queues.txt")));
    target.send(answer("COUNTERS/Ethernet68/Pfcwd", file("COUNTERS-Ethernet68-Queues.txt")));
    CollectOutcome outcome = collector.collect(clock.instant().plus(Duration.ofSeconds(20)));

    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.batch().ports()).containsExactly("Ethernet68");
    Readings readings = new Readings(outcome.batch());
    assertThat(readings.of("Ethernet68", "pfc.rx_pause_frames", 7)).isEqualTo("OK 2");
    assertThat(readings.of("Ethernet68", "pfc.rx_pause_frames", 3)).isEqualTo("OK 0");
    assertThat(readings.of("Ethernet68", "queue.watermark_bytes", 1)).isEqualTo("OK 64.0");
    assertThat(readings.of("Ethernet68", "queue.out_packets", 4)).isEqualTo("OK 0");
    assertThat(readings.of("Ethernet68", "queue.out_packets", 0)).isNull();
    assertThat(readings.of("Ethernet68", "pfc.watchdog_storms", 3)).isEqualTo("OK 0");
    assertThat(readings.of("Ethernet68", "ecn.marked_packets")).isEqualTo("UNSUPPORTED");
  }

  private static Notification answer(String path, byte[] json) {
    return Notification.newBuilder()
        .setPrefix(com.github.gnmi.proto.Path.newBuilder().setTarget("COUNTERS_DB"))
        .addUpdate(
            Update.newBuilder()
                .setPath(LeafTree.path(path))
                .setVal(TypedValue.newBuilder().setJsonIetfVal(ByteString.copyFrom(json))))
        .build();
  }
}
