package io.fabrichealth.collect.gnmi;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a JSON value (RFC 7951: 64-bit numbers are strings, names may have their module's name
 * before a colon, lists are arrays of objects that hold their keys) as if each of its leaves had
 * come by its own path. Streams: what is not mapped costs no memory.
 */
final class JsonReader {
  private static final int DEEPEST = 64;
  private static final int LONGEST_TEXT = 65_536;
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          // RFC 8259: UTF-8. Places in the document are counted in its bytes.
          .disable(JsonFactory.Feature.CHARSET_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxStringLength(LONGEST_TEXT)
                  .maxNameLength(1024)
                  .maxNumberLength(100)
                  .build())
          .build();

  private final CellWriter writer;
  private final List<Cursor> cursors = new ArrayList<>();
  private final Spares spares;
  private byte[] document = new byte[0];
  private int depth;

  /** Makes cursors for the levels of a document. */
  interface Spares {
    Cursor fresh();
  }

  JsonReader(CellWriter writer, Spares spares) {
    this.writer = writer;
    this.spares = spares;
  }

  /**
   * Reads a document that stands where the cursor is.
   *
   * @return false where it is not JSON; what was read before is kept
   */
  boolean read(byte[] json, Cursor at) {
    document = json;
    depth = 0;
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      if (parser.nextToken() == null) {
        return false;
      }
      value(parser, at);
      return parser.nextToken() == null;
    } catch (JacksonException e) {
      return false;
    } finally {
      document = new byte[0];
    }
  }

  private void value(JsonParser parser, Cursor at) {
    switch (parser.currentToken()) {
      case START_OBJECT -> object(parser, at);
      case START_ARRAY -> array(parser, at);
      default -> scalar(parser, at);
    }
  }

  private void object(JsonParser parser, Cursor at) {
    Cursor member = spare();
    depth++;
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      parser.nextToken();
      member.to(at);
      member.step(name, null);
      if (member.node() == null) {
        parser.skipChildren();
      } else {
        value(parser, member);
      }
    }
    depth--;
  }

  private void array(JsonParser parser, Cursor at) {
    PathNode node = at.node();
    if (node == null) {
      parser.skipChildren();
      return;
    }
    Cursor entry = spare();
    depth++;
    StringBuilder texts =
        node.leaf() != PathNode.NONE && writer.isText(node) ? new StringBuilder() : null;
    int index = 0;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      entry.to(at);
      if (token == JsonToken.START_OBJECT) {
        if (node.keys() > 0) {
          bindKeys(parser, entry, node);
        }
        value(parser, entry);
      } else if (token == JsonToken.START_ARRAY) {
        parser.skipChildren();
      } else if (texts != null) {
        texts.append(texts.isEmpty() ? "" : ",").append(parser.getString());
      } else {
        entry.elementIfNone(index);
        scalar(parser, entry);
      }
      index++;
    }
    depth--;
    if (texts != null) {
      writer.text(at, node, texts.toString());
    }
  }

  private Cursor spare() {
    if (depth == cursors.size()) {
      cursors.add(spares.fresh());
    }
    return cursors.get(depth);
  }

  /** The keys of a list's entry may stand anywhere in it: it is looked through for them first. */
  private void bindKeys(JsonParser parser, Cursor entry, PathNode list) {
    int from = (int) parser.currentTokenLocation().getByteOffset();
    int missing = list.keys();
    try (JsonParser ahead =
        FACTORY.createParser(ObjectReadContext.empty(), document, from, document.length - from)) {
      ahead.nextToken();
      for (String name = ahead.nextName(); name != null && missing > 0; name = ahead.nextName()) {
        JsonToken token = ahead.nextToken();
        if (token == null || token.isStructStart()) {
          ahead.skipChildren();
          continue;
        }
        String plain = name.substring(name.indexOf(':') + 1);
        for (int key = 0; key < list.keys(); key++) {
          if (list.keyName(key).equals(plain)) {
            entry.bind(list.keyVariable(key), ahead.getString());
            missing--;
          }
        }
      }
    }
    if (missing > 0) {
      entry.nameIsMissing();
    }
  }

  private void scalar(JsonParser parser, Cursor at) {
    PathNode node = at.node();
    if (node == null || node.leaf() == PathNode.NONE) {
      return;
    }
    JsonToken token = parser.currentToken();
    switch (token) {
      case VALUE_STRING -> writer.text(at, node, parser.getString());
      case VALUE_NUMBER_INT -> {
        if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
          writer.text(at, node, parser.getString());
        } else {
          writer.signed(at, node, parser.getLongValue());
        }
      }
      case VALUE_NUMBER_FLOAT -> writer.real(at, node, parser.getDoubleValue());
      case VALUE_TRUE -> writer.truth(at, node, true);
      case VALUE_FALSE -> writer.truth(at, node, false);
      case VALUE_NULL -> writer.none(at, node, CellState.NOT_AVAILABLE);
      default -> writer.none(at, node, CellState.OTHER_TYPE);
    }
  }
}
