package io.fabrichealth.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A Grafana dashboard of the repository. */
public record Dashboard(String file, JsonNode json) {
  private static final Path FOLDER = Path.of("dashboards");
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** A query of a panel, as the dashboard has it. */
  public record Query(String dashboard, String panel, String expr) {

    /** As Grafana would send it with all variables at "All" and the given interval. */
    public String promql(String interval) {
      return expr.replace("$__rate_interval", interval)
          .replace("$__interval", interval)
          .replaceAll("=~\"\\$\\{?[a-z]+\\}?\"", "=~\".*\"");
    }
  }

  public static List<Dashboard> all() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted()
          .map(file -> new Dashboard(file.getFileName().toString(), JSON.readTree(file.toFile())))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All panels, rows too, and those within rows. */
  public List<JsonNode> panels() {
    List<JsonNode> panels = new ArrayList<>();
    for (JsonNode panel : json.get("panels")) {
      panels.add(panel);
      panel.path("panels").forEach(panels::add);
    }
    return panels;
  }

  public List<Query> queries() {
    List<Query> queries = new ArrayList<>();
    for (JsonNode panel : panels()) {
      for (JsonNode target : panel.path("targets")) {
        queries.add(new Query(file, panel.get("title").asString(), target.get("expr").asString()));
      }
    }
    return queries;
  }

  @Override
  public String toString() {
    return file;
  }
}
