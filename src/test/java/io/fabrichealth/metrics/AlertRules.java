package io.fabrichealth.metrics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The rule files of the repository, read as YAML. */
public final class AlertRules {
  static final Path FOLDER = Path.of("alert-rules");

  private AlertRules() {}

  /** A rule and the file that it stands in. */
  record Rule(String file, JsonNode node) {
    String text(String field) {
      return node.path(field).asString("");
    }

    String alert() {
      return text("alert");
    }

    Map<String, String> annotations() {
      return strings("annotations");
    }

    Map<String, String> labels() {
      return strings("labels");
    }

    private Map<String, String> strings(String field) {
      Map<String, String> values = new TreeMap<>();
      node.path(field)
          .properties()
          .forEach(each -> values.put(each.getKey(), each.getValue().asString()));
      return values;
    }
  }

  public static List<Path> files() {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .filter(file -> file.getFileName().toString().matches("fabric-.*\\.yaml"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Rule> all() {
    List<Rule> rules = new ArrayList<>();
    YAMLMapper yaml = YAMLMapper.builder().build();
    for (Path file : files()) {
      for (JsonNode group : yaml.readTree(file.toFile()).get("groups")) {
        group.get("rules").forEach(r -> rules.add(new Rule(file.getFileName().toString(), r)));
      }
    }
    return rules;
  }

  static List<Rule> alerts() {
    return all().stream().filter(rule -> !rule.alert().isEmpty()).toList();
  }
}
