package io.fabrichealth.collect.jobs;

import java.io.InputStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads JSON as NCCL's tools write it: a number may be padded text, or a word where there is none.
 */
final class JobJson {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(32)
                  .maxStringLength(1 << 16)
                  .maxNumberLength(64)
                  .build())
          .build();

  private JobJson() {}

  /**
   * Reads a file.
   *
   * @param content which is closed then
   * @return why not all was read, null where all was
   */
  static @Nullable String read(InputStream content, Consumer<JsonParser> reader) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), content)) {
      reader.accept(parser);
      return null;
    } catch (JacksonException broken) {
      return "it ends or breaks at byte %,d".formatted(broken.getLocation().getByteOffset());
    }
  }

  static JsonParser parser(byte[] bytes, int from, int length) {
    return FACTORY.createParser(ObjectReadContext.empty(), bytes, from, length);
  }

  /** A number, or text that holds one; NaN of anything else. */
  static double number(JsonParser parser) {
    if (parser.currentToken().isNumeric()) {
      return parser.getDoubleValue();
    }
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      try {
        return Double.parseDouble(parser.getString().strip());
      } catch (NumberFormatException word) {
        return Double.NaN;
      }
    }
    parser.skipChildren();
    return Double.NaN;
  }

  /** Text, or a number as text; empty of anything else. */
  static String text(JsonParser parser) {
    if (parser.currentToken() == JsonToken.VALUE_STRING || parser.currentToken().isNumeric()) {
      return parser.getString();
    }
    parser.skipChildren();
    return "";
  }
}
