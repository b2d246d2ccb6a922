package io.fabrichealth.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.testing.FakeIncidents;
import io.fabrichealth.testing.SampleFabric;
import io.fabrichealth.testing.Tool;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Prometheus' own tools on our rules and metrics. */
class AlertRulesIT {
  private static final String ALERTMANAGER =
      AlertRules.FOLDER.resolve("alertmanager-example.yaml").toString();

  @Test
  void promtool_accepts_the_rules() {
    List<String> arguments = new ArrayList<>(List.of("check", "rules"));
    AlertRules.files().forEach(file -> arguments.add(file.toString()));

    passes(Tool.require("promtool").run(arguments, ""));
  }

  @Test
  void the_rules_pass_their_unit_tests() throws IOException {
    List<String> arguments = new ArrayList<>(List.of("test", "rules"));
    try (Stream<Path> tests = Files.list(AlertRules.FOLDER.resolve("tests"))) {
      tests.sorted().forEach(file -> arguments.add(file.toString()));
    }

    passes(Tool.require("promtool").run(arguments, ""));
  }

  @Test
  void promtool_finds_nothing_to_say_about_the_metrics() throws IOException {
    SampleFabric fabric = new SampleFabric(Instant.EPOCH);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    ExpositionFormats.init()
        .getPrometheusTextFormatWriter()
        .write(
            text, new FabricMetrics(fabric, new FakeIncidents(fabric.incidents()), "1").collect());

    Tool.Result result =
        Tool.require("promtool")
            .run(List.of("check", "metrics"), text.toString(StandardCharsets.UTF_8));

    passes(result);
    assertThat(result.output()).isBlank();
  }

  @Test
  void amtool_accepts_the_example_for_alertmanager() {
    passes(Tool.require("amtool").run(List.of("check-config", ALERTMANAGER), ""));
  }

  @ParameterizedTest
  @CsvSource({
    "FabricWatchdog,      info,     dead-mans-switch",
    "FabricLinkDegraded,  critical, pages",
    "FabricLinkDegraded,  warning,  tickets",
    "FabricIncidentOpen,  info,     context"
  })
  void alerts_go_where_their_severity_says(String alert, String severity, String receiver) {
    Tool.Result result =
        Tool.require("amtool")
            .run(
                List.of(
                    "config",
                    "routes",
                    "test",
                    "--config.file=" + ALERTMANAGER,
                    "--verify.receivers=" + receiver,
                    "alertname=" + alert,
                    "severity=" + severity),
                "");

    passes(result);
  }

  private static void passes(Tool.Result result) {
    assertThat(result.exitCode()).as(result.output()).isZero();
  }
}
