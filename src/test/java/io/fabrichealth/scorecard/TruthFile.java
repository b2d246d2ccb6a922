package io.fabrichealth.scorecard;

import io.fabrichealth.simulate.world.Truth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the ground truth beside a capture, whoever wrote it: all but what is scored may be absent.
 */
final class TruthFile {
  private static final JsonMapper JSON = JsonMapper.shared();

  private TruthFile() {}

  /** The file of the truth of a capture. */
  static Path of(Path capture) {
    return capture.resolveSibling(capture.getFileName() + ".truth.json");
  }

  static Truth read(Path file) throws IOException {
    JsonNode root = JSON.readTree(Files.readString(file));
    return new Truth(
        root.path("seed").asLong(0),
        root.path("class").asInt(0),
        root.path("className").asString(""),
        root.path("severity").asString("medium"),
        root.path("hard").asBoolean(false),
        root.path("fabric").asString(""),
        root.path("flavour").asString(""),
        root.path("links").asInt(0),
        root.path("seconds").asDouble(0),
        root.path("pollSeconds").asDouble(0),
        root.path("records").asLong(0),
        list(root.path("faults"), TruthFile::fault),
        list(root.path("confounders"), TruthFile::confounder));
  }

  private static Truth.Fault fault(JsonNode node) {
    List<Truth.Subject> members = list(node.path("members"), TruthFile::subject);
    members.addAll(list(node.path("blast"), TruthFile::subject));
    Instant onset = Instant.parse(node.path("onset").asString());
    Instant observable = time(node.path("observableFrom"));
    return new Truth.Fault(
        node.path("id").asString(""),
        node.path("class").asInt(0),
        node.path("cause").asString(""),
        subject(node.path("subject")),
        members,
        onset,
        observable == null ? onset : observable,
        time(node.path("end")),
        node.path("severity").asString("medium"),
        JSON.convertValue(node.path("parameters"), new TypeReference<Map<String, Object>>() {}),
        list(node.path("acceptedCauses"), JsonNode::asString),
        list(node.path("aliases"), TruthFile::subject));
  }

  private static Truth.Confounder confounder(JsonNode node) {
    return new Truth.Confounder(
        node.path("class").asInt(0),
        subject(node.path("subject")),
        Instant.parse(node.path("from").asString()),
        Instant.parse(node.path("to").asString()),
        node.path("note").asString(""),
        list(node.path("allowedCauses"), JsonNode::asString));
  }

  /** Of an object, or of an id alone. */
  private static Truth.Subject subject(JsonNode node) {
    return node.isString()
        ? new Truth.Subject("", node.asString())
        : new Truth.Subject(node.path("type").asString(""), node.path("id").asString(""));
  }

  private static @Nullable Instant time(JsonNode node) {
    return node.isString() ? Instant.parse(node.asString()) : null;
  }

  private interface Reading<T> {
    T of(JsonNode node);
  }

  private static <T> List<T> list(JsonNode nodes, Reading<T> reading) {
    List<T> list = new ArrayList<>();
    nodes.forEach(node -> list.add(reading.of(node)));
    return list;
  }
}
