package io.fabrichealth.capture;

import io.fabrichealth.capture.PollRead.Kind;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads the readings of one poll. What cannot be used is refused by itself, so that it hides
 * nothing else; a value waits in columns until the quality of all is known.
 */
final class ReadingsReader {
  static final String A_NAME = "a name of 1 to 255 characters, none of them a control";

  private static final int MOST_ELEMENTS = 4_096;
  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_REASON = 1_000;
  private static final int LONGEST_POINTER = 600;
  private static final int LONGEST_COUNTER = 20;
  private static final String A_COUNTER = "must be a whole number from 0 to 2^64 - 1, or null";
  private static final String OF_THE_DEVICE = "is a signal of devices, not of ports";
  private static final String A_VALUE = "must be a finite number, or null";

  private final JsonParser in;
  private final SignalDictionary dictionary;
  private final ReadColumns columns = new ReadColumns();
  private final ReadRemarks remarks = new ReadRemarks();
  private final Map<String, Integer> ports = new LinkedHashMap<>();
  private final Map<Integer, Integer> counterBits = new HashMap<>();
  private final List<PollRead.Refusal> refusals = new ArrayList<>();
  private int refused;

  ReadingsReader(JsonParser in, SignalDictionary dictionary) {
    this.in = in;
    this.dictionary = dictionary;
  }

  static boolean isName(String text) {
    return !text.isBlank()
        && text.length() <= LONGEST_NAME
        && text.chars().noneMatch(Character::isISOControl);
  }

  /** Whether the signal stands as an array. */
  static boolean isIndexed(Signal signal) {
    return switch (signal.scope()) {
      case PORT, DEVICE -> false;
      case LANE, PRIORITY, QUEUE, BIN -> true;
    };
  }

  /** Whether values of the signal stand there: at the device itself, or at its ports. */
  static boolean hasValues(boolean ofDevice, Signal signal) {
    return (signal.scope() == Signal.Scope.DEVICE) == ofDevice;
  }

  /**
   * Whether a quality of the signal stands there. That none of its ports has a signal is said of
   * the device as a whole; a port has nothing to say of the device.
   */
  static boolean hasQuality(boolean ofDevice, Signal signal) {
    return ofDevice || hasValues(false, signal);
  }

  /** False where one of them is no width. */
  boolean readCounterBits() {
    boolean good = true;
    while (in.nextToken() != JsonToken.END_OBJECT) {
      int signal = ordinal(in.currentName());
      in.nextToken();
      if (signal < 0) {
        refuse(Kind.UNKNOWN_SIGNAL, "is no signal");
        continue;
      }
      boolean isWidth =
          in.currentToken() == JsonToken.VALUE_NUMBER_INT
              && in.getNumberType() == JsonParser.NumberType.INT
              && in.getIntValue() >= 1
              && in.getIntValue() <= Long.SIZE;
      if (isWidth) {
        counterBits.put(signal, in.getIntValue());
      } else {
        in.skipChildren();
        good = false;
      }
    }
    return good;
  }

  void readPorts() {
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      in.nextToken();
      if (!isName(name)) {
        refuse(Kind.BAD_VALUE, "must be " + A_NAME);
      } else if (in.currentToken() != JsonToken.START_OBJECT) {
        refuse(Kind.BAD_VALUE, "must be an object of signals");
      } else {
        readSignals(port(name), false);
      }
    }
  }

  /** The signals of the device itself. */
  void readValues() {
    readSignals(port(PollBatch.DEVICE), true);
  }

  private void readSignals(int port, boolean ofDevice) {
    while (in.nextToken() != JsonToken.END_OBJECT) {
      int ordinal = ordinal(in.currentName());
      in.nextToken();
      if (ordinal < 0) {
        refuse(Kind.UNKNOWN_SIGNAL, "is no signal");
        continue;
      }
      Signal signal = dictionary.signal(ordinal);
      boolean isCounter = signal.kind() == Signal.Kind.COUNTER;
      long key = ReadColumns.key(port, ordinal, 0);
      if (!hasValues(ofDevice, signal)) {
        refuse(Kind.BAD_VALUE, ofDevice ? "is a signal of ports, not of devices" : OF_THE_DEVICE);
      } else if (isIndexed(signal)) {
        readElements(key, isCounter);
      } else {
        readValue(key, isCounter);
      }
    }
  }

  private void readElements(long key, boolean isCounter) {
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    if (in.currentToken() != JsonToken.START_ARRAY) {
      refuse(Kind.BAD_VALUE, "must be an array by index, or null");
      return;
    }
    for (int index = 0; in.nextToken() != JsonToken.END_ARRAY; index++) {
      if (index < MOST_ELEMENTS) {
        readValue(key + index, isCounter);
      } else {
        refuse(Kind.BAD_VALUE, "must be one of at most " + MOST_ELEMENTS + " elements");
      }
    }
  }

  private void readValue(long key, boolean isCounter) {
    JsonToken token = in.currentToken();
    if (token == JsonToken.VALUE_NULL) {
      columns.absent(key);
    } else if (isCounter) {
      readCounter(key, token);
    } else {
      boolean isNumber =
          token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT;
      double value = isNumber ? in.getDoubleValue() : Double.NaN;
      if (Double.isFinite(value)) {
        columns.value(key, Double.doubleToRawLongBits(value));
      } else {
        refuse(Kind.BAD_VALUE, A_VALUE);
      }
    }
  }

  private void readCounter(long key, @Nullable JsonToken token) {
    if (token == JsonToken.VALUE_NUMBER_INT) {
      if (in.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
        long value = in.getLongValue();
        if (value >= 0) {
          columns.value(key, value);
          return;
        }
      } else if (in.getStringLength() <= LONGEST_COUNTER) {
        try {
          columns.value(key, Long.parseUnsignedLong(in.getString()));
          return;
        } catch (NumberFormatException e) {
          // Negative or too large: said below.
        }
      }
    }
    refuse(Kind.BAD_VALUE, A_COUNTER);
  }

  // --- what stands beside the readings

  void readQuality() {
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String name = in.currentName();
      in.nextToken();
      boolean ofDevice = name.equals(PollBatch.DEVICE);
      if (!(ofDevice || isName(name)) || in.currentToken() != JsonToken.START_OBJECT) {
        refuse(Kind.BAD_VALUE, "must be an object of signals, by port");
        continue;
      }
      int port = port(name);
      while (in.nextToken() != JsonToken.END_OBJECT) {
        int signal = ordinal(in.currentName());
        in.nextToken();
        if (signal < 0) {
          refuse(Kind.UNKNOWN_SIGNAL, "is no signal");
        } else if (!hasQuality(ofDevice, dictionary.signal(signal))) {
          refuse(Kind.BAD_VALUE, OF_THE_DEVICE);
        } else {
          readQuality(
              ReadColumns.key(port, signal, 0),
              isIndexed(dictionary.signal(signal)) ? MOST_ELEMENTS : 1);
        }
      }
    }
  }

  private void readQuality(long key, int elements) {
    switch (in.currentToken()) {
      case VALUE_NULL -> {}
      case VALUE_STRING -> readRemark(ReadColumns.whole(key));
      case START_ARRAY -> {
        for (int index = 0; in.nextToken() != JsonToken.END_ARRAY; index++) {
          if (in.currentToken() == JsonToken.VALUE_STRING && index < elements) {
            readRemark(key + index);
          } else if (index >= elements && in.currentToken() == JsonToken.VALUE_STRING) {
            refuse(Kind.BAD_VALUE, "must be of one of " + elements + " elements");
          } else if (in.currentToken() != JsonToken.VALUE_NULL) {
            refuse(Kind.BAD_VALUE, "must be a string, or null");
          }
        }
      }
      case null, default -> refuse(Kind.BAD_VALUE, "must be a string, or an array by index");
    }
  }

  /** A quality, with the reason in brackets where there is one: {@code UNREADABLE(no light)}. */
  private void readRemark(long key) {
    String text = in.getString();
    int bracket = text.endsWith(")") ? text.indexOf('(') : -1;
    Quality known = ReadRemarks.quality(bracket < 0 ? text : text.substring(0, bracket));
    if (known == null) {
      refuse(Kind.BAD_VALUE, "must be one of " + List.of(Quality.values()));
    }
    // Whatever an unknown word means, the value beside it cannot be trusted.
    remarks.quality(key, known == null ? Quality.UNREADABLE : known);
    if (bracket >= 0 && known != null) {
      String reason = text.substring(bracket + 1, text.length() - 1);
      if (reason.length() <= LONGEST_REASON) {
        remarks.reason(key, reason);
      } else {
        refuse(Kind.BAD_VALUE, "must give a reason of at most " + LONGEST_REASON + " characters");
      }
    }
  }

  // --- what came of it

  void addTo(PollBatch.Builder batch) {
    ports.keySet().forEach(batch::port);
    counterBits.forEach(batch::counterBits);
    for (int reading = 0; reading < columns.size(); reading++) {
      long key = columns.key(reading);
      Quality quality = remarks.take(key);
      switch (quality) {
        case UNSUPPORTED, UNREADABLE, STALE -> addAbsent(batch, key, quality);
        case OK, RESET, WRAPPED, GAP, SATURATED -> {
          if (!columns.isAbsent(reading)) {
            add(batch, key, columns.raw(reading), quality == Quality.SATURATED);
          }
        }
      }
    }
    remarks.forEachNotTaken((key, quality) -> addAbsent(batch, key, quality));
  }

  private void add(PollBatch.Builder batch, long key, long raw, boolean saturated) {
    int port = ReadColumns.port(key);
    int signal = ReadColumns.signal(key);
    int element = ReadColumns.element(key);
    if (dictionary.signal(signal).kind() != Signal.Kind.COUNTER) {
      batch.value(port, signal, element, Double.longBitsToDouble(raw));
    } else if (saturated) {
      batch.saturated(port, signal, element, raw);
    } else {
      batch.counter(port, signal, element, raw);
    }
  }

  private void addAbsent(PollBatch.Builder batch, long key, Quality quality) {
    batch.absent(
        ReadColumns.port(key),
        ReadColumns.signal(key),
        ReadColumns.element(key),
        quality,
        remarks.reason(key));
  }

  List<PollRead.Refusal> refusals() {
    return refusals;
  }

  int refused() {
    return refused;
  }

  /** Leaves out what the parser stands at. */
  void refuse(Kind kind, String problem) {
    if (refusals.size() < PollRead.MOST_REFUSALS) {
      String pointer = in.streamReadContext().pathAsPointer().toString();
      refusals.add(
          new PollRead.Refusal(
              kind,
              pointer.length() <= LONGEST_POINTER
                  ? pointer
                  : pointer.substring(0, LONGEST_POINTER) + "…",
              problem));
    }
    refused++;
    in.skipChildren();
  }

  private int port(String name) {
    Integer known = ports.get(name);
    if (known != null) {
      return known;
    }
    ports.put(name, ports.size());
    return ports.size() - 1;
  }

  private int ordinal(String id) {
    return dictionary.contains(id) ? dictionary.ordinal(id) : -1;
  }
}
