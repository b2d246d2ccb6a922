package io.fabrichealth.collect.jobs;

import io.fabrichealth.collective.log.NcclTest;
import io.fabrichealth.collective.log.NcclTest.Device;
import io.fabrichealth.collective.log.NcclTest.Row;
import io.fabrichealth.collective.log.NcclTest.Timing;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads what nccl-tests writes by {@code --output_file}. Streams, and passes over {@code env}
 * without looking at it: it holds the environment, secrets included. NaN stands there as a word,
 * booleans too, and a number may be padded text.
 */
final class NcclTestJson {
  private static final int MOST_ROWS = 1 << 16;
  private static final int MOST_DEVICES = 1 << 17;

  private final String source;
  private final List<Device> devices = new ArrayList<>();
  private final List<Row> rows = new ArrayList<>();
  private String operation = "";
  private long outOfBounds = -1;
  private double average = Double.NaN;
  private long leftOut;

  private NcclTestJson(String source) {
    this.source = source;
  }

  /**
   * @param leftOut rows beyond what is kept
   * @param reason why not all was read, null where all was
   */
  record Reading(NcclTest test, long leftOut, @Nullable String reason) {}

  static Reading read(InputStream content, String source) {
    NcclTestJson reader = new NcclTestJson(source);
    String reason = JobJson.read(content, reader::document);
    NcclTest test =
        new NcclTest(
            source,
            reader.operation,
            reader.devices,
            reader.rows,
            reader.outOfBounds,
            reader.average,
            0);
    return new Reading(test, reader.leftOut, reason);
  }

  private void document(JsonParser parser) {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      return;
    }
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken value = parser.nextToken();
      switch (name) {
        case "args" -> arguments(parser);
        case "config" -> config(parser, value);
        case "results" -> results(parser, value);
        case "out_of_bounds" -> outOfBounds = (long) field(parser, value, "count", -1);
        case "average_bus_bandwidth" -> average = field(parser, value, "bandwidth", Double.NaN);
        default -> parser.skipChildren();
      }
    }
  }

  /** Only the program's name is of interest. */
  private void arguments(JsonParser parser) {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return;
    }
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      if (token == JsonToken.VALUE_STRING && operation.isEmpty()) {
        String path = parser.getString();
        String program = path.substring(path.lastIndexOf('/') + 1);
        if (program.endsWith("_perf") && program.length() < 40) {
          operation = program.substring(0, program.length() - "_perf".length());
        }
      } else {
        parser.skipChildren();
      }
    }
  }

  private void config(JsonParser parser, JsonToken value) {
    if (value != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return;
    }
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken inner = parser.nextToken();
      if (name.equals("devices") && inner == JsonToken.START_ARRAY) {
        while (parser.nextToken() == JsonToken.START_OBJECT) {
          device(parser);
        }
      } else {
        parser.skipChildren();
      }
    }
  }

  private void device(JsonParser parser) {
    int rank = -1;
    int process = 0;
    int index = -1;
    String host = "";
    String bus = "";
    String model = "";
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      parser.nextToken();
      switch (name) {
        case "rank" -> rank = (int) JobJson.number(parser);
        case "pid", "process" -> process = (int) JobJson.number(parser);
        case "device", "cuda_device", "dev" -> index = (int) JobJson.number(parser);
        case "host", "hostname" -> host = JobJson.text(parser);
        case "pci_bus_id", "bus_id", "busid" -> bus = JobJson.text(parser);
        case "name", "device_name", "model" -> model = JobJson.text(parser);
        default -> parser.skipChildren();
      }
    }
    if (devices.size() < MOST_DEVICES && rank >= 0) {
      devices.add(new Device(rank, host, process, index, bus, model));
    } else {
      leftOut++;
    }
  }

  private void results(JsonParser parser, JsonToken value) {
    if (value != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      row(parser);
    }
  }

  private void row(JsonParser parser) {
    double size = Double.NaN;
    double count = Double.NaN;
    double root = -1;
    String type = "";
    String redop = "";
    Timing outOfPlace = null;
    Timing inPlace = null;
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken value = parser.nextToken();
      switch (name) {
        case "size" -> size = JobJson.number(parser);
        case "count" -> count = JobJson.number(parser);
        case "root" -> root = JobJson.number(parser);
        case "type" -> type = JobJson.text(parser).strip();
        case "redop" -> redop = JobJson.text(parser).strip();
        case "out_of_place" -> outOfPlace = timing(parser, value);
        case "in_place" -> inPlace = timing(parser, value);
        default -> parser.skipChildren();
      }
    }
    if (Double.isNaN(size) || size < 0 || rows.size() >= MOST_ROWS) {
      leftOut++;
      return;
    }
    rows.add(
        new Row(
            (long) size,
            Double.isNaN(count) ? 0 : (long) count,
            type,
            redop.equals("none") ? "" : redop,
            Double.isNaN(root) ? -1 : (int) root,
            outOfPlace,
            inPlace));
  }

  private static @Nullable Timing timing(JsonParser parser, JsonToken value) {
    if (value != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return null;
    }
    double micros = Double.NaN;
    double algorithm = Double.NaN;
    double bus = Double.NaN;
    double wrong = Double.NaN;
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      parser.nextToken();
      switch (name) {
        case "time", "cpu_time" -> micros = JobJson.number(parser);
        case "alg_bw" -> algorithm = JobJson.number(parser);
        case "bus_bw" -> bus = JobJson.number(parser);
        case "nwrong" -> wrong = JobJson.number(parser);
        default -> parser.skipChildren();
      }
    }
    return new Timing(micros, algorithm, bus, Double.isNaN(wrong) ? -1 : (long) wrong);
  }

  private static double field(JsonParser parser, JsonToken value, String wanted, double otherwise) {
    if (value != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return otherwise;
    }
    double found = otherwise;
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      parser.nextToken();
      if (name.equals(wanted)) {
        double told = JobJson.number(parser);
        found = Double.isNaN(told) ? otherwise : told;
      } else {
        parser.skipChildren();
      }
    }
    return found;
  }
}
