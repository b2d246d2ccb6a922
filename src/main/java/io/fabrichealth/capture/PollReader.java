package io.fabrichealth.capture;

import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads one poll; its fields may come in any order. */
final class PollReader {
  /** Whose batch it is where the text does not say. */
  private static final String SENT = "push";

  private static final int LONGEST_TEXT = 1_000;
  private static final Instant EARLIEST = Instant.EPOCH;
  private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");
  private static final String A_TIME = "a time as RFC 3339 has it, in UTC, from 1970 to 2200";

  private final JsonParser in;
  private final ReadingsReader readings;
  private final Map<String, String> discontinuities = new HashMap<>();
  private @Nullable Instant at;
  private @Nullable Instant deviceTime;
  private @Nullable String device;
  private String collector = SENT;
  private @Nullable String boot;
  private boolean complete = true;
  private @Nullable String faultyField;
  private String expected = "";

  PollReader(JsonParser in, SignalDictionary dictionary) {
    this.in = in;
    readings = new ReadingsReader(in, dictionary);
  }

  PollRead read() throws InvalidPollException {
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String field = in.currentName();
      in.nextToken();
      readField(field);
    }
    Instant read = at;
    String from = device;
    if (read == null) {
      fault("at", A_TIME);
    }
    if (from == null) {
      fault("device", ReadingsReader.A_NAME);
    }
    if (faultyField != null || read == null || from == null) {
      throw new InvalidPollException(faultyField == null ? "" : faultyField, from, expected);
    }
    PollBatch.Builder batch =
        PollBatch.builder(from, collector, read).deviceTime(deviceTime).boot(boot);
    discontinuities.forEach(batch::discontinuity);
    readings.addTo(batch);
    return new PollRead(batch.build(complete), readings.refusals(), readings.refused());
  }

  private void readField(String field) {
    boolean isNull = in.currentToken() == JsonToken.VALUE_NULL;
    switch (field) {
      case "type" -> {
        if (in.currentToken() != JsonToken.VALUE_STRING || !in.getString().equals("poll")) {
          fault(field, "'poll'");
        }
      }
      case "at" -> at = time(field);
      case "device" -> device = name(field);
      case "collector" -> {
        String given = name(field);
        collector = given == null ? SENT : given;
      }
      case "deviceTime" -> deviceTime = isNull ? null : time(field);
      case "boot" -> boot = isNull ? null : text(field);
      case "complete" -> readComplete();
      case "discontinuity" -> {
        if (isObject(field)) {
          readDiscontinuities();
        }
      }
      case "counterBits" -> {
        if (isObject(field) && !readings.readCounterBits()) {
          fault(field, "widths of 1 to 64");
        }
      }
      case "ports" -> {
        if (isObject(field)) {
          readings.readPorts();
        }
      }
      case "values" -> {
        if (isObject(field)) {
          readings.readValues();
        }
      }
      case "quality" -> {
        if (isObject(field)) {
          readings.readQuality();
        }
      }
      default -> readings.refuse(PollRead.Kind.UNKNOWN_FIELD, "is no field of a poll");
    }
  }

  private @Nullable Instant time(String field) {
    if (in.currentToken() == JsonToken.VALUE_STRING) {
      try {
        Instant time = Instant.parse(in.getString());
        if (!time.isBefore(EARLIEST) && time.isBefore(LATEST)) {
          return time;
        }
      } catch (DateTimeParseException e) {
        // Said below, with what was expected.
      }
    }
    fault(field, A_TIME);
    return null;
  }

  private @Nullable String name(String field) {
    if (in.currentToken() == JsonToken.VALUE_STRING && ReadingsReader.isName(in.getString())) {
      return in.getString();
    }
    fault(field, ReadingsReader.A_NAME);
    return null;
  }

  private @Nullable String text(String field) {
    if (in.currentToken() == JsonToken.VALUE_STRING && in.getString().length() <= LONGEST_TEXT) {
      return in.getString();
    }
    fault(field, "a string of at most " + LONGEST_TEXT + " characters");
    return null;
  }

  private void readComplete() {
    switch (in.currentToken()) {
      case VALUE_TRUE -> complete = true;
      case VALUE_FALSE -> complete = false;
      case null, default -> fault("complete", "true or false");
    }
  }

  private void readDiscontinuities() {
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String port = in.currentName();
      in.nextToken();
      String identity = text("discontinuity");
      if (identity != null) {
        discontinuities.put(port, identity);
      }
    }
  }

  /** Whether an object begins there; null is as good as no field. */
  private boolean isObject(String field) {
    if (in.currentToken() == JsonToken.START_OBJECT) {
      return true;
    }
    if (in.currentToken() != JsonToken.VALUE_NULL) {
      fault(field, "an object");
    }
    return false;
  }

  /** The first fault is the one that is told. */
  private void fault(String field, String whatWasExpected) {
    in.skipChildren();
    if (faultyField == null) {
      faultyField = field;
      expected = whatWasExpected;
    }
  }
}
