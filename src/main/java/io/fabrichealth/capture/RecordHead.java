package io.fabrichealth.capture;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * What every record has, and what the first one has beside it.
 *
 * @param at null where it is missing or no time
 * @param version 0 where it is missing
 */
record RecordHead(String type, @Nullable Instant at, int version, String writer) {
  private static final int LONGEST_TYPE = 64;
  private static final int LONGEST_WRITER = 1_000;

  /**
   * Looks for it in an object, as far as needed.
   *
   * @throws InvalidRecordException where it is no object, or has no type
   */
  static RecordHead read(JsonParser in) throws InvalidRecordException {
    if (in.nextToken() != JsonToken.START_OBJECT) {
      throw new InvalidRecordException("no object");
    }
    String type = null;
    String at = null;
    int version = 0;
    String writer = "";
    while ((type == null || at == null || type.equals("capture"))
        && in.nextToken() != JsonToken.END_OBJECT) {
      String field = in.currentName();
      in.nextToken();
      switch (field) {
        case "type" -> type = text(in, LONGEST_TYPE);
        case "at" -> at = text(in, LONGEST_TYPE);
        case "version" ->
            version =
                in.currentToken() == JsonToken.VALUE_NUMBER_INT
                        && in.getNumberType() == JsonParser.NumberType.INT
                    ? in.getIntValue()
                    : 0;
        case "writer" -> {
          String name = text(in, LONGEST_WRITER);
          writer = name == null ? "" : name;
        }
        default -> {}
      }
      in.skipChildren();
    }
    if (type == null) {
      throw new InvalidRecordException("no 'type'");
    }
    return new RecordHead(type, time(at), version, writer);
  }

  private static @Nullable String text(JsonParser in, int longest) {
    return in.currentToken() == JsonToken.VALUE_STRING && in.getStringLength() <= longest
        ? in.getString()
        : null;
  }

  private static @Nullable Instant time(@Nullable String text) {
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  Instant requiredTime() throws InvalidRecordException {
    if (at == null) {
      throw new InvalidRecordException("'at' is no time as RFC 3339 has it, in UTC");
    }
    return at;
  }
}
