package io.fabrichealth.collect.jobs;

import io.fabrichealth.collective.FlightRecorder;
import io.fabrichealth.collective.recorder.DumpReading;
import io.fabrichealth.collective.recorder.Field;
import io.fabrichealth.collective.recorder.RecorderAssembly;
import io.fabrichealth.collective.recorder.RecorderValues;
import io.fabrichealth.collective.recorder.UnreadableDumpException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a dump that is JSON: what PyTorch's debug server answers, and {@code _dump_fr_trace_json}
 * returns. Counts are strings there, a time that is not known is 0, and there are no stacks.
 */
public final class JsonDump {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(64)
                  .maxStringLength(1 << 20)
                  .maxNumberLength(100)
                  .build())
          .build();

  private static final int MOST_SIZES = 65_536;

  private final RecorderValues shared;

  public JsonDump(RecorderValues shared) {
    this.shared = shared;
  }

  /**
   * @throws UnreadableDumpException if it is not a dump, or nothing of it can be read
   */
  public DumpReading read(InputStream bytes, int rank, String source)
      throws UnreadableDumpException {
    RecorderAssembly assembly = new RecorderAssembly(shared, rank, source);
    try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
      Reading reading = new Reading(json, assembly);
      try {
        reading.dump();
        if (assembly.isEmpty() && !reading.isDump) {
          throw new UnreadableDumpException("JSON without version and entries is not a dump");
        }
        long skipped = reading.skipped;
        return assembly.finish(
            skipped, skipped == 0 ? null : "%d entries are not understood".formatted(skipped));
      } catch (JacksonException problem) {
        TokenStreamLocation at = json.currentLocation();
        String what =
            "%s at line %d, column %d".formatted(said(problem), at.getLineNr(), at.getColumnNr());
        if (assembly.isEmpty()) {
          throw new UnreadableDumpException(what);
        }
        return assembly.finish(
            reading.skipped, "%s, after %d entries".formatted(what, assembly.entries()));
      }
    } catch (JacksonException strange) { // its first bytes are of no encoding of Unicode
      throw new UnreadableDumpException(said(strange));
    }
  }

  private static String said(JacksonException problem) {
    String message = String.valueOf(problem.getOriginalMessage());
    if (message.startsWith("Unexpected end-of-input")) {
      return "cut off";
    }
    int end = message.indexOf('\n');
    return "not JSON: " + message.substring(0, Math.min(end < 0 ? message.length() : end, 160));
  }

  private static final class Reading {
    private final JsonParser json;
    private final RecorderAssembly assembly;
    private final List<String> frames = new ArrayList<>();
    private boolean isDump;
    private long skipped;

    Reading(JsonParser json, RecorderAssembly assembly) {
      this.json = json;
      this.assembly = assembly;
    }

    void dump() {
      JsonToken first = json.nextToken();
      if (first == JsonToken.START_ARRAY) {
        assembly.version("1.0");
        isDump = true;
        entries();
        return;
      }
      if (first != JsonToken.START_OBJECT) {
        return;
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        Field field = Field.of(json.currentName());
        JsonToken value = json.nextToken();
        if (field == Field.VERSION && value == JsonToken.VALUE_STRING) {
          assembly.version(json.getString());
          isDump = true;
        } else if (field == Field.ENTRIES && value == JsonToken.START_ARRAY) {
          isDump = true;
          entries();
        } else if (field == Field.PG_CONFIG && value == JsonToken.START_OBJECT) {
          groups();
        } else if (field == Field.PG_STATUS && value == JsonToken.START_OBJECT) {
          statuses();
        } else {
          json.skipChildren();
        }
      }
    }

    private void groups() {
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String key = json.currentName();
        if (json.nextToken() != JsonToken.START_OBJECT) {
          json.skipChildren();
          continue;
        }
        String name = key;
        String description = "";
        String ranks = "";
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          Field field = Field.of(json.currentName());
          json.nextToken();
          if (field == Field.NAME) {
            name = text(name);
          } else if (field == Field.DESC) {
            description = text(description);
          } else if (field == Field.RANKS && json.currentToken() == JsonToken.START_ARRAY) {
            ranks = integers().toString();
          } else if (field == Field.RANKS) {
            ranks = text(ranks);
          } else {
            json.skipChildren();
          }
        }
        assembly.configure(name, description, ranks);
      }
    }

    private void statuses() {
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String localId = json.currentName();
        if (json.nextToken() != JsonToken.START_OBJECT) {
          json.skipChildren();
          continue;
        }
        long enqueued = FlightRecorder.ABSENT;
        long started = FlightRecorder.ABSENT;
        long completed = FlightRecorder.ABSENT;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          Field field = Field.of(json.currentName());
          json.nextToken();
          if (field == Field.LAST_ENQUEUED) {
            enqueued = integer();
          } else if (field == Field.LAST_STARTED) {
            started = integer();
          } else if (field == Field.LAST_COMPLETED) {
            completed = integer();
          } else {
            json.skipChildren();
          }
        }
        assembly.status(localId, enqueued, started, completed);
      }
    }

    private void entries() {
      while (hasNext()) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
          json.skipChildren();
          skipped++;
        } else if (!entry()) {
          skipped++;
        }
      }
    }

    private boolean entry() {
      Entry entry = new Entry();
      frames.clear();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        Field field = Field.of(json.currentName());
        json.nextToken();
        if (field == null) {
          json.skipChildren();
        } else {
          take(entry, field);
        }
      }
      return entry.put(assembly, frames);
    }

    private void take(Entry entry, Field field) {
      switch (field) {
        case RECORD_ID -> entry.recordId = integer();
        case PG_ID -> entry.localGroup = integer();
        case PROCESS_GROUP -> {
          List<String> names = texts();
          entry.groupName = names.isEmpty() ? null : names.get(0);
          entry.groupDescription = names.size() < 2 ? null : names.get(1);
        }
        case COLLECTIVE_SEQ_ID, SEQ_ID -> entry.sequence = integer();
        case P2P_SEQ_ID -> entry.pointToPoint = integer();
        case OP_ID -> entry.operationId = integer();
        case PROFILING_NAME -> entry.profilingName = textOrNull();
        case TIME_CREATED_NS -> entry.created = time();
        case TIME_DISCOVERED_STARTED_NS -> entry.started = time();
        case TIME_DISCOVERED_COMPLETED_NS -> entry.completed = time();
        case DURATION_MS -> {
          if (json.currentToken().isNumeric()) {
            entry.duration = RecorderAssembly.durationNanos(json.getDoubleValue());
          }
        }
        case INPUT_SIZES -> entry.inputSizes = sizes();
        case OUTPUT_SIZES -> entry.outputSizes = sizes();
        case INPUT_DTYPES -> entry.inputTypes = texts();
        case OUTPUT_DTYPES -> entry.outputTypes = texts();
        case STATE -> entry.state = textOrNull();
        case IS_P2P -> entry.isPointToPoint = json.currentToken() == JsonToken.VALUE_TRUE;
        case RETIRED -> entry.isRetired = json.currentToken() == JsonToken.VALUE_TRUE;
        case FRAMES -> stack();
        default -> json.skipChildren();
      }
    }

    private void stack() {
      if (!isArray()) {
        return;
      }
      while (hasNext()) {
        if (json.currentToken() == JsonToken.START_OBJECT) {
          frame();
        } else {
          json.skipChildren();
        }
      }
    }

    private void frame() {
      String name = "?";
      String file = "?";
      long line = 0;
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        Field field = Field.of(json.currentName());
        json.nextToken();
        if (field == Field.NAME) {
          name = text(name);
        } else if (field == Field.FILENAME) {
          file = text(file);
        } else if (field == Field.LINE) {
          line = Math.max(integer(), 0);
        } else {
          json.skipChildren();
        }
      }
      frames.add(RecorderAssembly.frame(name, file, line));
    }

    private List<List<Long>> sizes() {
      List<List<Long>> sizes = new ArrayList<>();
      if (!isArray()) {
        return sizes;
      }
      while (hasNext()) {
        List<Long> dimensions = isArray() ? integers() : List.of();
        if (sizes.size() < MOST_SIZES) {
          sizes.add(dimensions);
        }
      }
      return sizes;
    }

    private List<Long> integers() {
      List<Long> integers = new ArrayList<>();
      while (hasNext()) {
        long value = integer();
        if (value != FlightRecorder.ABSENT) {
          integers.add(value);
        }
      }
      return List.copyOf(integers);
    }

    private List<String> texts() {
      List<String> texts = new ArrayList<>();
      if (!isArray()) {
        return texts;
      }
      while (hasNext()) {
        texts.add(text(""));
      }
      return texts;
    }

    /** Whether the value is an array; another is passed over. */
    private boolean isArray() {
      if (json.currentToken() == JsonToken.START_ARRAY) {
        return true;
      }
      json.skipChildren();
      return false;
    }

    /** Goes on to the next value of an array. */
    private boolean hasNext() {
      JsonToken token = json.nextToken();
      return token != null && token != JsonToken.END_ARRAY;
    }

    private String text(String otherwise) {
      String text = textOrNull();
      return text == null ? otherwise : text;
    }

    private @Nullable String textOrNull() {
      if (json.currentToken() == JsonToken.VALUE_STRING) {
        return json.getString();
      }
      json.skipChildren();
      return null;
    }

    private long time() {
      long time = integer();
      return time > 0 ? time : FlightRecorder.ABSENT;
    }

    private long integer() {
      JsonToken token = json.currentToken();
      if (token == JsonToken.VALUE_NUMBER_INT) {
        return json.getNumberType() == JsonParser.NumberType.BIG_INTEGER
            ? FlightRecorder.ABSENT
            : json.getLongValue();
      }
      if (token == JsonToken.VALUE_STRING) {
        try {
          return Long.parseLong(json.getString());
        } catch (NumberFormatException notANumber) {
          return FlightRecorder.ABSENT;
        }
      }
      json.skipChildren();
      return FlightRecorder.ABSENT;
    }
  }

  private static final class Entry {
    private long recordId = FlightRecorder.ABSENT;
    private long localGroup = FlightRecorder.ABSENT;
    private @Nullable String groupName;
    private @Nullable String groupDescription;
    private long sequence = FlightRecorder.ABSENT;
    private long pointToPoint = FlightRecorder.ABSENT;
    private long operationId = FlightRecorder.ABSENT;
    private @Nullable String profilingName;
    private long created = FlightRecorder.ABSENT;
    private long started = FlightRecorder.ABSENT;
    private long completed = FlightRecorder.ABSENT;
    private long duration = FlightRecorder.ABSENT;
    private List<List<Long>> inputSizes = List.of();
    private List<List<Long>> outputSizes = List.of();
    private List<String> inputTypes = List.of();
    private List<String> outputTypes = List.of();
    private @Nullable String state;
    private boolean isPointToPoint;
    private boolean isRetired;

    private boolean put(RecorderAssembly assembly, List<String> frames) {
      if (profilingName == null || (state == null && recordId == FlightRecorder.ABSENT)) {
        return false;
      }
      assembly
          .entry(
              recordId,
              localGroup,
              assembly.group(groupName, groupDescription, localGroup),
              assembly.operation(profilingName, inputSizes, inputTypes, outputSizes, outputTypes),
              assembly.stack(frames))
          .sequences(sequence, pointToPoint, operationId)
          .times(created, started, completed, duration)
          .state(RecorderAssembly.state(state), isPointToPoint, isRetired);
      return true;
    }
  }
}
