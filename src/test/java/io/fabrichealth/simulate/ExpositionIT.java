package io.fabrichealth.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** The page of a simulated host before Prometheus' own checker. */
class ExpositionIT {
  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");

  /** The driver counts bits and so names its counters, whatever Prometheus would like better. */
  private static final String UNIT_OF_THE_DRIVER = "node_ethtool_\\w+ use base unit .*";

  @Test
  void promtool_finds_nothing_to_complain_of_but_names_that_are_the_drivers() throws Exception {
    assumeTrue(Files.isExecutable(PROMTOOL), "skipped: " + PROMTOOL + " is not installed");
    ManualClock clock = new ManualClock();
    SimulatedFabric fabric =
        new SimulatedFabric(
            DemoPlan.fabric(),
            DemoScript.standard(),
            RandomGeneratorFactory.of("L64X128MixRandom").create(1),
            clock);
    clock.advance(Duration.ofSeconds(60));
    String page = fabric.read(() -> HostExposition.of(fabric, DemoPlan.host(2)));

    Process promtool =
        new ProcessBuilder(PROMTOOL.toString(), "check", "metrics")
            .redirectErrorStream(true)
            .start();
    try (OutputStream input = promtool.getOutputStream()) {
      input.write(page.getBytes(StandardCharsets.UTF_8));
    }
    String complaints =
        new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    promtool.waitFor();

    assertThat(complaints.lines()).allMatch(line -> line.matches(UNIT_OF_THE_DRIVER));
  }
}
