package io.fabrichealth.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.testing.Dashboard;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** What makes a dashboard load everywhere and explain itself (the rules of dashboard-linter). */
class DashboardLintTest {
  private static final Pattern COUNTER = Pattern.compile("\\bfabric_[a-z0-9_]+_total\\b");
  private static final Pattern METRIC = Pattern.compile("\\bfabric_[a-z0-9_]+\\b");
  private static final Pattern RANGE = Pattern.compile("\\[([^]]*)]");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([a-zA-Z_]+)}?");
  private static final Set<String> UNITS =
      Set.of(
          "short",
          "percentunit",
          "s",
          "Bps",
          "pps",
          "cps",
          "sci",
          "celsius",
          "dBm",
          "bytes",
          "none");
  private static final Set<String> COLOURS =
      Set.of("green", "yellow", "orange", "red", "blue", "purple");

  static List<Dashboard> dashboards() {
    return Dashboard.all();
  }

  @Test
  void the_overview_is_there_under_its_address() {
    assertThat(dashboards())
        .extracting(board -> board.json().get("uid").asString())
        .contains("fabric-overview")
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void it_loads_in_grafana_10_to_13(Dashboard board) {
    JsonNode json = board.json();
    assertThat(json.get("schemaVersion").asInt()).isBetween(36, 41);
    assertThat(json.get("uid").asString() + ".json").isEqualTo(board.file());
    assertThat(json.get("editable").asBoolean()).isFalse();
    assertThat(json.get("tags").toString()).contains("\"fabric-health\"");
    assertThat(json.get("title").asString()).startsWith("Fabric / ");
    assertThat(json.get("timezone").asString()).isEqualTo("utc");
    assertThat(json.has("id")).as("an id belongs to one Grafana").isFalse();
    assertThat(json.has("__inputs")).as("provisioning does not fill inputs").isFalse();
    assertThat(json.at("/links/0/type").asString()).isEqualTo("dashboards");
    assertThat(json.at("/links/0/keepTime").asBoolean()).isTrue();
    assertThat(json.at("/links/0/includeVars").asBoolean()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void the_data_source_is_chosen_by_a_variable(Dashboard board) {
    JsonNode first = board.json().at("/templating/list/0");
    assertThat(first.get("name").asString()).isEqualTo("datasource");
    assertThat(first.get("type").asString()).isEqualTo("datasource");
    assertThat(first.get("query").asString()).isEqualTo("prometheus");
    for (JsonNode panel : drawn(board).filter(p -> p.has("targets")).toList()) {
      assertThat(panel.at("/datasource/uid").asString()).isEqualTo("${datasource}");
      for (JsonNode target : panel.get("targets")) {
        assertThat(target.at("/datasource/uid").asString()).isEqualTo("${datasource}");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void each_panel_has_title_description_unit_and_a_word_for_no_data(Dashboard board) {
    for (JsonNode panel : drawn(board).toList()) {
      String title = panel.get("title").asString();
      assertThat(title).isNotBlank();
      assertThat(panel.path("description").asString("")).as(title).endsWith(".");
      if (panel.has("targets")) {
        assertThat(panel.at("/fieldConfig/defaults/unit").asString("")).as(title).isIn(UNITS);
        assertThat(panel.at("/fieldConfig/defaults/noValue").asString("")).as(title).isNotBlank();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void no_more_than_twelve_panels_are_open_at_load(Dashboard board) {
    long open = 0;
    for (JsonNode panel : board.json().get("panels")) {
      boolean row = panel.get("type").asString().equals("row");
      assertThat(row && !panel.get("collapsed").asBoolean()).as("rows are collapsed").isFalse();
      open += row ? 0 : 1;
    }
    assertThat(open).isBetween(1L, 12L);
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void ids_are_unique_and_open_panels_do_not_overlap(Dashboard board) {
    assertThat(board.panels().stream().map(panel -> panel.get("id").asInt()))
        .doesNotHaveDuplicates();
    Set<String> cells = new HashSet<>();
    for (JsonNode panel : board.json().get("panels")) {
      JsonNode at = panel.get("gridPos");
      assertThat(at.get("x").asInt() + at.get("w").asInt()).isLessThanOrEqualTo(24);
      for (int x = 0; x < at.get("w").asInt(); x++) {
        for (int y = 0; y < at.get("h").asInt(); y++) {
          String cell = (at.get("x").asInt() + x) + "/" + (at.get("y").asInt() + y);
          assertThat(cells.add(cell)).as("%s at %s", panel.get("title"), cell).isTrue();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void counters_are_looked_at_through_their_rate_over_grafanas_interval(Dashboard board) {
    for (Dashboard.Query query : board.queries()) {
      Matcher counter = COUNTER.matcher(query.expr());
      while (counter.find()) {
        assertThat(query.expr().substring(0, counter.start()))
            .as(query.toString())
            .matches("(?s).*(rate|increase)\\(");
      }
      Matcher range = RANGE.matcher(query.expr());
      while (range.find()) {
        assertThat(range.group(1)).as(query.toString()).isEqualTo("$__rate_interval");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void queries_read_metrics_and_variables_that_there_are(Dashboard board) {
    Set<String> variables = new HashSet<>(Set.of("__rate_interval"));
    board
        .json()
        .at("/templating/list")
        .forEach(variable -> variables.add(variable.get("name").asString()));
    Set<String> metrics = MetricsReference.seriesNames();
    for (Dashboard.Query query : board.queries()) {
      Matcher metric = METRIC.matcher(query.expr());
      while (metric.find()) {
        assertThat(metrics).as(query.toString()).contains(metric.group());
      }
      Matcher variable = VARIABLE.matcher(query.expr());
      while (variable.find()) {
        assertThat(variables).as(query.toString()).contains(variable.group(1));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dashboards")
  void colours_are_few_and_mean_health(Dashboard board) {
    for (JsonNode panel : drawn(board).toList()) {
      for (JsonNode step : panel.at("/fieldConfig/defaults/thresholds/steps")) {
        assertThat(step.get("color").asString()).isIn(COLOURS);
      }
    }
  }

  private static Stream<JsonNode> drawn(Dashboard board) {
    return board.panels().stream().filter(panel -> !panel.get("type").asString().equals("row"));
  }
}
