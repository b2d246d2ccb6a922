package io.fabrichealth.collect.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.LeftOut;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.testing.Readings;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Sighting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pages of real exporters. */
class ExporterFixturesTest {
  private static final Path FIXTURES = Path.of("../shared/fixtures");
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");

  private final Page page = new Page(Pages.MAPPING);
  private final PageReader reader = new PageReader("host1", Role.HOST, Pages.MAPPING);

  @BeforeAll
  static void find() {
    assumeTrue(Files.isDirectory(FIXTURES), "skipped: " + FIXTURES + " is not there");
  }

  private CollectOutcome read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      page.read(in);
    }
    return reader.outcome(page, AT, null);
  }

  @Test
  void every_line_of_a_whole_node_exporter_page_is_read() throws IOException {
    CollectOutcome outcome = read(FIXTURES.resolve("exporter/node-exporter-e2e-output.txt"));

    assertThat(outcome.problems()).isEmpty();
    try (Stream<String> lines =
        Files.lines(FIXTURES.resolve("exporter/node-exporter-e2e-output.txt"))) {
      assertThat(page.samples()).isEqualTo(lines.filter(line -> !line.startsWith("#")).count());
    }
    assertThat(outcome.batch().ports())
        .containsExactlyInAnyOrder("i40iw0/1", "mlx4_0/1", "mlx4_0/2", "eth0");
    assertThat(outcome.leftOut())
        .containsExactlyInAnyOrder(new LeftOut("bond0", "bond"), new LeftOut("lo", "loopback"));
    assertThat(outcome.batch().boot()).isEqualTo("2014-12-10T03:47:56Z");
    Readings readings = new Readings(outcome.batch());
    assertThat(readings.of("mlx4_0/1", "ib.transmit_wait_ticks")).isEqualTo("SATURATED 4294967295");
    assertThat(readings.of("mlx4_0/2", "ib.transmit_wait_ticks")).isEqualTo("UNSUPPORTED");
    assertThat(readings.of("mlx4_0/1", "ib.transmit_discards")).isEqualTo("OK 5");
    assertThat(readings.of("i40iw0/1", "port.oper_up")).isEqualTo("OK 1.0");
    assertThat(readings.of("i40iw0/1", "port.in_octets")).isEqualTo("UNSUPPORTED");
  }

  @Test
  void every_host_of_the_recorded_lab_is_its_rail_and_nothing_else() throws IOException {
    List<Path> pages;
    try (Stream<Path> files = Files.walk(FIXTURES.resolve("lab"))) {
      pages = files.filter(file -> file.toString().endsWith(".prom")).sorted().toList();
    }
    assertThat(pages).isNotEmpty();
    for (Path file : pages) {
      PageReader host = new PageReader("host", Role.HOST, Pages.MAPPING);
      try (InputStream in = Files.newInputStream(file)) {
        page.read(in);
      }
      CollectOutcome outcome = host.outcome(page, AT, null);

      assertThat(outcome.problems()).as("%s", file).isEmpty();
      assertThat(outcome.batch().ports()).as("%s", file).containsExactly("rail0");
      assertThat(outcome.leftOut()).contains(new LeftOut("mgmt0", "management"));
      Readings readings = new Readings(outcome.batch());
      assertThat(readings.of("rail0", "port.oper_up")).isEqualTo("OK 1.0");
      assertThat(readings.of("rail0", "port.speed_bits_per_second")).isEqualTo("OK 1.0E10");
      assertThat(readings.of("rail0", "port.mtu_bytes")).isEqualTo("OK 9000.0");
      assertThat(readings.of("rail0", "port.in_octets")).startsWith("OK ").isNotEqualTo("OK 0");
      assertThat(readings.of("rail0", "fec.corrected_bits")).isEqualTo("UNSUPPORTED");
      Sighting sighting = outcome.sighting();
      assertThat(sighting).isNotNull();
      assertThat(sighting.chassisIds()).hasSize(2);
      assertThat(sighting.ports().getFirst().aliases()).hasSize(1);
    }
  }

  @Test
  void a_host_that_lost_its_carrier_counts_it_once() throws IOException {
    Path flap = FIXTURES.resolve("lab/flap/exporter");
    read(flap.resolve("host1.1.prom"));
    CollectOutcome outcome = read(flap.resolve("host1.3.prom"));

    assertThat(new Readings(outcome.batch()).of("rail0", "port.link_downed")).isEqualTo("OK 1");
    for (int reading = 0; reading < outcome.batch().size(); reading++) {
      assertThat(outcome.batch().quality(reading)).isIn(Quality.OK, Quality.UNSUPPORTED);
    }
  }
}
