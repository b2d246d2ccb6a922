package io.fabrichealth.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/** A YAML or JSON file as a tree that knows where each value stands. */
final class SettingsDocument {
  /** A plan of 100,000 ports takes about 15 MB. */
  private static final int LARGEST = 256 << 20;

  private static final TokenStreamFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final TokenStreamFactory YAML =
      YAMLFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .loadSettings(LoadSettings.builder().setCodePointLimit(LARGEST).build())
          .build();

  private final SettingsPlace start;
  private final Map<String, Node> anchors = new HashMap<>();

  /**
   * @param start of the document
   */
  private SettingsDocument(SettingsPlace start) {
    this.start = start;
  }

  /** A value and its place; {@code key} is its full name, for messages. */
  sealed interface Node {
    SettingsPlace at();

    String key();
  }

  /** Keys and values. */
  record Fields(SettingsPlace at, String key, Map<String, Node> values) implements Node {}

  /** A list. */
  record Items(SettingsPlace at, String key, List<Node> values) implements Node {}

  /** A plain value, as it is written; null for the null of both formats. */
  record Text(SettingsPlace at, String key, @Nullable String value) implements Node {}

  /**
   * Reads the file: JSON where its name says so, else YAML.
   *
   * @throws SettingsException where there is no such file or it is malformed; with line and column
   */
  static Node read(Path file) {
    List<Node> documents = documents(file);
    if (documents.size() == 1) {
      return documents.getFirst();
    }
    throw failure(
        documents.isEmpty() ? SettingsPlace.of(file, 0, 0) : documents.get(1).at(),
        documents.isEmpty() ? "the file is empty" : "more than one document in the file");
  }

  /**
   * Reads an answer in JSON.
   *
   * @param name of whatever gave it, as the user would say it
   * @throws SettingsException where it is malformed; with line and column
   */
  static Node read(byte[] answer, String name) {
    return read(answer, name, JSON, "JSON");
  }

  /** The same in YAML. */
  static Node readYaml(byte[] document, String name) {
    return read(document, name, YAML, "YAML");
  }

  private static Node read(
      byte[] document, String name, TokenStreamFactory factory, String format) {
    SettingsPlace start = new SettingsPlace(null, name, 0, 0);
    List<Node> documents = new ArrayList<>();
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), document)) {
      readAll(parser, start, documents);
    } catch (JacksonException e) {
      throw malformed(start, e, format);
    }
    if (documents.size() != 1) {
      throw failure(start, documents.isEmpty() ? "is empty" : "is more than one document");
    }
    return documents.getFirst();
  }

  /**
   * All documents of a file, none where it is empty.
   *
   * @throws SettingsException where it is malformed; with line and column
   */
  static List<Node> readAll(Path file) {
    return documents(file);
  }

  /**
   * Reads a file of any number of documents.
   *
   * @throws SettingsException where it is malformed; with line and column
   */
  static void check(Path file) {
    parse(
        file,
        parser -> {
          while (parser.nextToken() != null) {
            // reading is checking
            continue;
          }
        });
  }

  private static List<Node> documents(Path file) {
    List<Node> documents = new ArrayList<>();
    SettingsPlace start = SettingsPlace.of(file, 0, 0);
    parse(file, parser -> readAll(parser, start, documents));
    return documents;
  }

  private static void readAll(JsonParser parser, SettingsPlace start, List<Node> documents) {
    while (parser.nextToken() != null) {
      documents.add(new SettingsDocument(start).node(parser, ""));
    }
  }

  private static void parse(Path file, Consumer<JsonParser> reader) {
    boolean json = file.toString().endsWith(".json");
    try (InputStream in = Files.newInputStream(file);
        JsonParser parser = (json ? JSON : YAML).createParser(ObjectReadContext.empty(), in)) {
      reader.accept(parser);
    } catch (NoSuchFileException e) {
      throw failure(SettingsPlace.of(file, 0, 0), "there is no such file");
    } catch (IOException e) {
      throw failure(SettingsPlace.of(file, 0, 0), "cannot be read: " + e.getMessage());
    } catch (JacksonException e) {
      throw malformed(SettingsPlace.of(file, 0, 0), e, json ? "JSON" : "YAML");
    }
  }

  private static SettingsException malformed(
      SettingsPlace start, JacksonException e, String format) {
    return failure(
        place(start, e.getLocation()),
        "not well-formed " + format + ": " + concise(e.getOriginalMessage()));
  }

  /** The parsers' messages without the excerpts and addresses in them. */
  private static String concise(String message) {
    return message
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith(" "))
        .map(line -> line.replaceFirst(" \\(for .*", ""))
        .collect(Collectors.joining(", "));
  }

  private Node node(JsonParser parser, String key) {
    SettingsPlace at = place(start, parser.currentTokenLocation());
    Object anchor = parser.getObjectId();
    JsonToken token = parser.currentToken();
    if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
      Node named = anchors.get(parser.getString());
      if (named == null) {
        // the parser does not tell the anchors of plain values
        throw failure(at, "*" + parser.getString() + " names no object or list; write the value");
      }
      return named;
    }
    Node node =
        switch (token) {
          case START_OBJECT -> fields(parser, at, key);
          case START_ARRAY -> items(parser, at, key);
          case VALUE_NULL -> new Text(at, key, null);
          default -> new Text(at, key, parser.getString());
        };
    if (anchor != null) {
      anchors.put(anchor.toString(), node);
    }
    return node;
  }

  private Fields fields(JsonParser parser, SettingsPlace at, String key) {
    Map<String, Node> values = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      values.put(name, node(parser, key.isEmpty() ? name : key + "." + name));
    }
    return new Fields(at, key, values);
  }

  private Items items(JsonParser parser, SettingsPlace at, String key) {
    List<Node> values = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      values.add(node(parser, key + "[" + values.size() + "]"));
    }
    return new Items(at, key, values);
  }

  private static SettingsPlace place(SettingsPlace start, @Nullable TokenStreamLocation location) {
    return location == null
        ? start
        : new SettingsPlace(
            start.file(), start.name(), location.getLineNr(), location.getColumnNr());
  }

  private static SettingsException failure(SettingsPlace at, String problem) {
    return new SettingsException(List.of(at.problem(null, problem, null)));
  }
}
