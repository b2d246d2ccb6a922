package io.fabrichealth.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.incident.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class AlertRulesTest {
  private static final Path RUNBOOKS = Path.of("docs/runbooks");
  private static final Pattern METER = Pattern.compile("\"(fabric\\.health\\.[a-z.]+)\"");
  private static final Pattern CAUSES = Pattern.compile("cause(=~|!~|=)\"([^\"]*)\"");
  private static final Pattern METRIC = Pattern.compile("\\bfabric_[a-z0-9_]+\\b");

  static List<AlertRules.Rule> alerts() {
    return AlertRules.alerts();
  }

  @ParameterizedTest
  @MethodSource("alerts")
  void an_alert_says_how_urgent_what_and_where_to_go(AlertRules.Rule alert) {
    assertThat(alert.alert()).matches("Fabric[A-Z][A-Za-z]+");
    assertThat(alert.labels().get("severity"))
        .isIn("critical", "warning", "info", "{{ $labels.severity }}");
    assertThat(alert.annotations())
        .containsOnlyKeys("summary", "description", "runbook_url", "dashboard_url");
    assertThat(alert.annotations().get("summary"))
        .as("a whole sentence that is the same for all of a group")
        .matches("\\p{Upper}.*\\.|fabric-health .*\\.")
        .doesNotContain("{{");
    assertThat(alert.annotations().get("runbook_url"))
        .isEqualTo("https://fabrichealth.io/runbooks/" + alert.alert());
    assertThat(alert.annotations().get("dashboard_url"))
        .startsWith("/d/fabric-overview/fabric-overview");
  }

  @ParameterizedTest
  @MethodSource("alerts")
  void an_alert_has_a_runbook_with_all_its_parts(AlertRules.Rule alert) throws IOException {
    String runbook = Files.readString(RUNBOOKS.resolve(alert.alert() + ".md"));

    assertThat(runbook).startsWith("# " + alert.alert() + "\n");
    assertThat(runbook.lines().filter(line -> line.startsWith("## ")))
        .containsExactly(
            "## Meaning",
            "## Impact",
            "## Diagnosis",
            "## Mitigation",
            "## False alarm?",
            "## What the service did by itself");
  }

  @Test
  void there_is_no_runbook_without_an_alert() throws IOException {
    Set<String> alerts =
        alerts().stream()
            .map(alert -> alert.alert() + ".md")
            .collect(Collectors.toCollection(TreeSet::new));

    try (Stream<Path> runbooks = Files.list(RUNBOOKS)) {
      assertThat(runbooks.map(page -> page.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(alerts);
    }
  }

  @ParameterizedTest
  @EnumSource
  void exactly_one_alert_fires_for_each_cause(Cause cause) {
    List<String> firing =
        alerts().stream()
            .filter(alert -> alert.text("expr").contains("fabric_incident_active"))
            .filter(alert -> matches(alert.text("expr"), cause))
            .map(AlertRules.Rule::alert)
            .toList();

    assertThat(firing).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void only_faults_of_the_link_itself_make_it_degraded(Cause cause) {
    AlertRules.Rule degraded =
        alerts().stream()
            .filter(alert -> alert.alert().equals("FabricLinkDegraded"))
            .findFirst()
            .orElseThrow();

    boolean ofOneLink =
        cause.degradesLink() && cause != Cause.LINK_DOWN && cause != Cause.SHARED_COMPONENT;
    assertThat(matches(degraded.text("expr"), cause)).isEqualTo(ofOneLink);
  }

  @Test
  void each_alert_has_tests_for_firing_and_for_silence() throws IOException {
    StringBuilder tests = new StringBuilder();
    try (Stream<Path> files = Files.list(AlertRules.FOLDER.resolve("tests"))) {
      for (Path file : files.toList()) {
        tests.append(Files.readString(file));
      }
    }
    for (AlertRules.Rule alert : alerts()) {
      String name = Pattern.quote(alert.alert());
      assertThat(tests).containsPattern("alertname: " + name + "\n +exp_alerts:\n");
      if (!alert.alert().equals("FabricWatchdog")) {
        assertThat(tests).containsPattern("alertname: " + name + "\n +exp_alerts: \\[]\n");
      }
    }
  }

  @Test
  void rules_read_only_metrics_that_there_are() throws IOException {
    Set<String> known = MetricsReference.seriesNames();
    // Of the service itself: names of meters in its code.
    try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
      for (Path source : sources.filter(Files::isRegularFile).toList()) {
        Matcher meter = METER.matcher(Files.readString(source));
        while (meter.find()) {
          known.add(meter.group(1).replace('.', '_'));
        }
      }
    }
    for (AlertRules.Rule rule : AlertRules.all()) {
      Matcher metric = METRIC.matcher(rule.text("expr").replaceAll("\\b[a-z]+:[a-z0-9_:]+", ""));
      while (metric.find()) {
        assertThat(known).as(rule.toString()).contains(metric.group());
      }
    }
  }

  @Test
  void severities_of_incidents_are_those_that_alerts_are_routed_by() {
    assertThat(Arrays.stream(Severity.values()).map(Severity::label))
        .containsExactlyInAnyOrder("critical", "warning", "info");
  }

  private static boolean matches(String expr, Cause cause) {
    Matcher causes = CAUSES.matcher(expr);
    assertThat(causes.find()).as(expr).isTrue();
    boolean listed = cause.name().matches(causes.group(2));
    return causes.group(1).equals("!~") != listed;
  }
}
