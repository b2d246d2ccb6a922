package io.fabrichealth.capture;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Takes typed values out of a record. A value that is not of its kind is passed over, and said: the
 * record stands without it.
 */
final class RecordFields {
  private static final int LONGEST_NAME = 1_000;
  private static final int MOST_PATHS = 10_000;

  private final JsonParser in;
  private final Consumer<String> refused;

  /**
   * @param refused is told what cannot be used
   */
  RecordFields(JsonParser in, Consumer<String> refused) {
    this.in = in;
    this.refused = refused;
  }

  JsonParser in() {
    return in;
  }

  void refuse(String expected) {
    refused.accept(in.streamReadContext().pathAsPointer() + ": expected " + expected);
    in.skipChildren();
  }

  /**
   * Reads an object, a value at a time; {@code field} has to end where the value ends.
   *
   * @return whether there is an object
   */
  boolean object(Consumer<String> field) {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      if (in.currentToken() != JsonToken.VALUE_NULL) {
        refuse("an object");
      }
      return false;
    }
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      in.nextToken();
      field.accept(name);
    }
    return true;
  }

  /** Reads an array, an element at a time. */
  void array(Runnable element) {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      if (in.currentToken() != JsonToken.VALUE_NULL) {
        refuse("an array");
      }
      return;
    }
    while (in.nextToken() != JsonToken.END_ARRAY) {
      element.run();
    }
  }

  /** A field that is not known, of a newer writer perhaps. */
  void skip() {
    in.skipChildren();
  }

  @Nullable String text() {
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    if (in.currentToken() == JsonToken.VALUE_STRING && in.getStringLength() <= LONGEST_NAME) {
      return in.getString();
    }
    refuse("a string of at most " + LONGEST_NAME + " characters");
    return null;
  }

  /** A name: no empty one, and none that would break a line of a log. */
  @Nullable String name() {
    String text = text();
    if (text != null && (text.isBlank() || text.chars().anyMatch(Character::isISOControl))) {
      refuse("a name without control characters");
      return null;
    }
    return text;
  }

  List<String> texts() {
    List<String> texts = new ArrayList<>();
    array(
        () -> {
          String text = text();
          if (text != null && texts.size() < MOST_PATHS) {
            texts.add(text);
          }
        });
    return texts;
  }

  /** A whole number within the bounds; null where there is none. */
  @Nullable Long whole(long least, long most) {
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    if (in.currentToken() == JsonToken.VALUE_NUMBER_INT
        && in.getNumberType() != JsonParser.NumberType.BIG_INTEGER
        && in.getLongValue() >= least
        && in.getLongValue() <= most) {
      return in.getLongValue();
    }
    refuse("a whole number of " + least + " to " + most);
    return null;
  }

  long whole(long least, long most, long absent) {
    Long number = whole(least, most);
    return number == null ? absent : number;
  }

  @Nullable Integer index(long least, long most) {
    Long number = whole(least, most);
    return number == null ? null : number.intValue();
  }

  /** Whether it is true; anything but true and false is refused. */
  boolean flag() {
    if (in.currentToken() != JsonToken.VALUE_TRUE
        && in.currentToken() != JsonToken.VALUE_FALSE
        && in.currentToken() != JsonToken.VALUE_NULL) {
      refuse("true or false");
    }
    return in.currentToken() == JsonToken.VALUE_TRUE;
  }

  /** A number; NaN where there is none. */
  double number() {
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      return Double.NaN;
    }
    boolean isNumber =
        in.currentToken() == JsonToken.VALUE_NUMBER_FLOAT
            || in.currentToken() == JsonToken.VALUE_NUMBER_INT;
    double value = isNumber ? in.getDoubleValue() : Double.NaN;
    if (!Double.isFinite(value)) {
      refuse("a number");
      return Double.NaN;
    }
    return value;
  }

  @Nullable Instant time() {
    if (in.currentToken() == JsonToken.VALUE_STRING) {
      try {
        return Instant.parse(in.getString());
      } catch (DateTimeParseException e) {
        // Said below.
      }
    }
    refuse("a time as RFC 3339 has it, in UTC");
    return null;
  }

  /** What is missing in a record that is none without it. */
  static <T> T required(@Nullable T value, String field) throws InvalidRecordException {
    if (value == null) {
      throw new InvalidRecordException("'" + field + "' is missing or wrong");
    }
    return value;
  }
}
