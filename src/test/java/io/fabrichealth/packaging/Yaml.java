package io.fabrichealth.packaging;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads YAML as a tree. */
final class Yaml {
  private static final ObjectMapper MAPPER = YAMLMapper.builder().build();

  private Yaml() {}

  static JsonNode read(Path file) {
    return MAPPER.readTree(file.toFile());
  }

  /** All documents that are not empty. */
  static List<JsonNode> documents(String text) {
    try (MappingIterator<JsonNode> all = MAPPER.readerFor(JsonNode.class).readValues(text)) {
      List<JsonNode> documents = new ArrayList<>();
      all.forEachRemaining(
          document -> {
            if (!document.isNull() && !document.isMissingNode()) {
              documents.add(document);
            }
          });
      return documents;
    }
  }
}
