package io.fabrichealth.collect.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Scrapes a real node_exporter that shows a recorded /sys. */
class NodeExporterIT {
  private static final Path EXPORTER = Path.of("/usr/bin/prometheus-node-exporter");
  private static final Path SYSFS = Path.of("../shared/fixtures/sysfs");
  private static final Clock CLOCK = Clock.systemUTC();
  private static final SignalDictionary DICTIONARY = Readings.DICTIONARY;

  private static Process exporter;
  private static PrometheusCollectors collectors;
  private static Collector collector;
  private static CollectOutcome outcome;

  @BeforeAll
  static void scrape() throws Exception {
    assumeTrue(Files.isExecutable(EXPORTER), "skipped: " + EXPORTER + " is not installed");
    assumeTrue(Files.isDirectory(SYSFS), "skipped: " + SYSFS + " is not there");
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    exporter =
        new ProcessBuilder(
                EXPORTER.toString(),
                "--path.sysfs=" + SYSFS.toRealPath(),
                "--collector.disable-defaults",
                "--collector.infiniband",
                "--collector.stat",
                "--collector.time",
                "--collector.uname",
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    collectors = PrometheusCollectors.shipped(DICTIONARY, CLOCK);
    collector =
        collectors.collector(
            new PrometheusTarget(
                "gpu-001",
                Role.HOST,
                URI.create("http://127.0.0.1:" + port + "/metrics"),
                Duration.ofMillis(100),
                Duration.ofSeconds(10),
                10 << 20,
                null,
                null,
                null));
    outcome = firstThatAnswers();
  }

  private static CollectOutcome firstThatAnswers() throws InterruptedException {
    CollectOutcome last = collector.collect(CLOCK.instant().plusSeconds(10));
    for (int attempt = 0; attempt < 100 && last.batch().size() == 0; attempt++) {
      Thread.sleep(100);
      last = collector.collect(CLOCK.instant().plusSeconds(10));
    }
    return last;
  }

  @AfterAll
  static void stop() {
    if (exporter != null) {
      exporter.destroy();
      collectors.close();
    }
  }

  @Test
  void every_port_of_every_device_is_there() throws IOException {
    TreeSet<String> ports = new TreeSet<>();
    Path devices = SYSFS.resolve("class/infiniband");
    try (var device = Files.list(devices)) {
      for (Path each : device.toList()) {
        try (var port = Files.list(each.resolve("ports"))) {
          port.forEach(p -> ports.add(each.getFileName() + "/" + p.getFileName()));
        }
      }
    }

    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.batch().complete()).isTrue();
    assertThat(ports).hasSize(5);
    assertThat(outcome.batch().ports()).containsExactlyInAnyOrderElementsOf(ports);
    assertThat(outcome.sighting()).isNotNull();
    assertThat(outcome.sighting().ports())
        .extracting(SeenPort::name)
        .containsExactlyInAnyOrderElementsOf(ports);
  }

  @Test
  void what_stands_at_its_end_is_saturated_and_what_moves_is_exact() {
    Readings readings = new Readings(outcome.batch());

    assertThat(readings.of("mlx4_0/1", "ib.transmit_wait_ticks")).isEqualTo("SATURATED 4294967295");
    assertThat(readings.of("hfi1_0/1", "ib.transmit_wait_ticks")).isEqualTo("OK 0");
    // 4-octet words in sysfs, octets in the exposition.
    assertThat(readings.of("mlx5_0/1", "port.out_octets")).isEqualTo("OK 11523046035392");
    assertThat(readings.of("mlx5_0/1", "port.in_packets")).isEqualTo("OK 541889824");
    assertThat(readings.of("hfi1_0/1", "port.speed_bits_per_second")).isEqualTo("OK 1.0E11");
    assertThat(readings.of("mlx5_0/1", "port.oper_up")).isEqualTo("OK 1.0");
  }

  @Test
  void what_the_exporter_does_not_give_is_unsupported_and_nothing_is_made_up() {
    Readings readings = new Readings(outcome.batch());

    // "N/A (no PMA)" in every counter.
    assertThat(readings.of("i40iw0/1", "port.in_octets")).isEqualTo("UNSUPPORTED");
    assertThat(readings.of("i40iw0/1", "ib.symbol_errors")).isEqualTo("UNSUPPORTED");
    assertThat(readings.of("i40iw0/1", "port.speed_bits_per_second")).isEqualTo("OK 1.0E10");
    assertThat(readings.of("mlx4_0/2", "ib.transmit_wait_ticks")).isEqualTo("UNSUPPORTED");
    assertThat(readings.of("mlx4_0/2", "port.in_packets")).isEqualTo("UNSUPPORTED");

    Map<String, Integer> signals = new HashMap<>();
    for (int reading = 0; reading < outcome.batch().size(); reading++) {
      Quality quality = outcome.batch().quality(reading);
      assertThat(quality).isIn(Quality.OK, Quality.SATURATED, Quality.UNSUPPORTED);
      signals.merge(
          outcome.batch().ports().get(outcome.batch().portIndex(reading)), 1, Integer::sum);
    }
    int expected = (int) Pages.MAPPING.signals().stream().filter(s -> s.isOf(PortKind.HCA)).count();
    assertThat(signals.values()).as("each port answers for each signal").containsOnly(expected);
  }

  @Test
  void the_host_tells_its_boot_clock_and_name() {
    assertThat(outcome.batch().boot()).isNotNull();
    assertThat(outcome.batch().deviceTime())
        .isBetween(outcome.batch().at().minusSeconds(30), outcome.batch().at().plusSeconds(1));
    assertThat(outcome.sighting()).isNotNull();
    assertThat(outcome.sighting().systemName()).isNotBlank();
  }
}
