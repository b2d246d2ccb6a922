package io.fabrichealth.collect.query;

import io.fabrichealth.collect.scrape.SeriesLabels;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads an answer of {@code /api/v1/query} while it comes in. A series that cannot be read is
 * counted and loses no other; fields that are not known are passed over.
 *
 * @see <a href="https://prometheus.io/docs/prometheus/latest/querying/api/">HTTP API</a>
 */
final class QueryAnswer {
  private static final int MOST_WARNINGS = 10;
  private static final int LONGEST_TEXT = 300;
  private static final double LATEST_SECONDS = 253_402_300_800.0;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(20)
                  .maxStringLength(100_000)
                  .maxNameLength(10_000)
                  .build())
          .build();

  private final SeriesLabels labels = new SeriesLabels();
  private long[] times = new long[16];
  private double[] values = new double[16];
  private int samples;
  private boolean bad;

  private boolean success;
  private String error = "";
  private final List<String> warnings = new ArrayList<>();
  private boolean partial;
  private long series;
  private long badSeries;

  /** Takes what is found. */
  interface Listener {
    /**
     * A series and its samples, in the order of the answer.
     *
     * @param labels good only during the call, as are the arrays
     * @param times in milliseconds since 1970
     */
    void series(SeriesLabels labels, long[] times, double[] values, int samples);
  }

  /**
   * Reads an answer to its end.
   *
   * @throws IOException where it breaks off, or is none
   */
  void read(InputStream body, Listener listener) throws IOException {
    try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), body)) {
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw new MalformedAnswerException("expected an object");
      }
      while (in.nextToken() != JsonToken.END_OBJECT) {
        String field = name(in);
        in.nextToken();
        readField(in, field, listener);
      }
    } catch (JacksonException e) {
      if (e.getCause() instanceof IOException broken) {
        throw broken;
      }
      throw new MalformedAnswerException(abridged(String.valueOf(e.getOriginalMessage())));
    }
  }

  /** The answer is not what the API gives. */
  static final class MalformedAnswerException extends ProtocolException {
    private static final long serialVersionUID = 1;

    MalformedAnswerException(String what) {
      super("the answer is none of the query API: " + what);
    }
  }

  /** The name that the parser stands at; where it stands at none, the answer is broken. */
  private static String name(JsonParser in) {
    String name = in.currentToken() == JsonToken.PROPERTY_NAME ? in.currentName() : null;
    if (name == null) {
      throw new StreamReadException(in, "expected a name within an object");
    }
    return name;
  }

  private void readField(JsonParser in, String field, Listener listener) {
    switch (field) {
      case "status" -> success = in.getString().equals("success");
      case "error" -> error = abridged(in.getString());
      case "warnings", "infos" -> readWarnings(in);
      case "isPartial" -> partial |= in.currentToken() == JsonToken.VALUE_TRUE;
      case "data" -> {
        if (in.currentToken() == JsonToken.START_OBJECT) {
          readData(in, listener);
        }
      }
      default -> in.skipChildren();
    }
  }

  private void readWarnings(JsonParser in) {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      in.skipChildren();
      return;
    }
    while (in.nextToken() != JsonToken.END_ARRAY) {
      if (in.currentToken() == JsonToken.VALUE_STRING && warnings.size() < MOST_WARNINGS) {
        warnings.add(abridged(in.getString()));
      }
      in.skipChildren();
    }
  }

  private void readData(JsonParser in, Listener listener) {
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String field = name(in);
      in.nextToken();
      if (!field.equals("result") || in.currentToken() != JsonToken.START_ARRAY) {
        in.skipChildren();
        continue;
      }
      while (in.nextToken() != JsonToken.END_ARRAY) {
        if (in.currentToken() == JsonToken.START_OBJECT) {
          readSeries(in, listener);
        } else {
          badSeries++;
          in.skipChildren();
        }
      }
    }
  }

  private void readSeries(JsonParser in, Listener listener) {
    samples = 0;
    bad = false;
    labels.begin();
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String field = name(in);
      in.nextToken();
      switch (field) {
        case "metric" -> readMetric(in);
        case "value" -> readSample(in);
        case "values" -> readSamples(in);
        default -> in.skipChildren();
      }
    }
    if (bad || samples == 0) {
      badSeries++;
    } else {
      series++;
      listener.series(labels, times, values, samples);
    }
  }

  private void readMetric(JsonParser in) {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      bad = true;
      in.skipChildren();
      return;
    }
    labels.begin();
    while (in.nextToken() != JsonToken.END_OBJECT) {
      String label = name(in);
      if (in.nextToken() == JsonToken.VALUE_STRING) {
        bad |= !labels.add(label, in.getString());
      } else {
        bad = true;
        in.skipChildren();
      }
    }
  }

  private void readSamples(JsonParser in) {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      bad = true;
      in.skipChildren();
      return;
    }
    while (in.nextToken() != JsonToken.END_ARRAY) {
      readSample(in);
    }
  }

  /** A pair: seconds as a number, the value as a string. */
  private void readSample(JsonParser in) {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      bad = true;
      in.skipChildren();
      return;
    }
    double seconds = Double.NaN;
    String value = "";
    for (int index = 0; in.nextToken() != JsonToken.END_ARRAY; index++) {
      JsonToken token = in.currentToken();
      if (index == 0
          && (token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT)) {
        seconds = in.getDoubleValue();
      } else if (index == 1 && token == JsonToken.VALUE_STRING) {
        value = in.getString();
      } else {
        bad = true;
        in.skipChildren();
      }
    }
    if (!(seconds >= 0 && seconds < LATEST_SECONDS)) {
      bad = true;
      return;
    }
    if (samples == times.length) {
      times = Arrays.copyOf(times, samples * 2);
      values = Arrays.copyOf(values, samples * 2);
    }
    times[samples] = Math.round(seconds * 1_000);
    values[samples] = number(value);
    samples++;
  }

  private double number(String text) {
    switch (text) {
      case "+Inf" -> {
        return Double.POSITIVE_INFINITY;
      }
      case "-Inf" -> {
        return Double.NEGATIVE_INFINITY;
      }
      default -> {
        try {
          return Double.parseDouble(text);
        } catch (NumberFormatException e) {
          bad = true;
          return Double.NaN;
        }
      }
    }
  }

  private static String abridged(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
  }

  boolean success() {
    return success;
  }

  /** What the database says went wrong; empty where nothing did. */
  String error() {
    return error;
  }

  List<String> warnings() {
    return warnings;
  }

  /** Whether the database says that it did not find all. */
  boolean partial() {
    return partial;
  }

  long series() {
    return series;
  }

  /** Series that cannot be read. */
  long badSeries() {
    return badSeries;
  }
}
