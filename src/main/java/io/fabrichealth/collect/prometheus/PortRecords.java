package io.fabrichealth.collect.prometheus;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads pages that have a record for each port instead of a line for each sample, as UFM telemetry
 * writes them. Every number of a record becomes a sample of the metric of its name; the members
 * that name the port are the labels of all of them.
 */
final class PortRecords {
  /** More members than any record has. */
  static final int MOST_MEMBERS = 4_096;

  /** A larger record is none. */
  static final int LARGEST_RECORD = 1 << 20;

  /** What pages of other versions call what names a port. */
  private static final Map<String, String> LABELS =
      Map.of(
          "node_guid", "node_guid",
          "port_num", "port_num",
          "port_number", "port_num",
          "node_description", "node_description",
          "node_desc", "node_description",
          "device_type", "device_type",
          "node_type", "device_type");

  /** Takes what the records hold. */
  interface Listener {
    /** Number of a metric that is wanted, 0 or more; -1 for one that is not. */
    int metric(byte[] text, int from, int to, int hash);

    /** A number of a record. */
    void sample(int metric, SampleLine record);

    /** A record, or a member of one, that cannot be used. */
    void bad(long record, String what, String expected);
  }

  private final SampleLine line = new SampleLine();
  private final Listener listener;
  private byte[] buffer = new byte[8_192];
  private int filled;
  private long records;
  private long numbers;
  private boolean cut;

  private final int[] metrics = new int[MOST_MEMBERS];
  private final int[] from = new int[MOST_MEMBERS];
  private final int[] to = new int[MOST_MEMBERS];
  private int members;
  private int labels;

  PortRecords(Listener listener) {
    this.listener = listener;
  }

  void clear() {
    records = 0;
    numbers = 0;
    cut = false;
  }

  /** Numbers of wanted metrics. */
  long numbers() {
    return numbers;
  }

  long records() {
    return records;
  }

  /** Whether the page ended within a record. */
  boolean isCut() {
    return cut;
  }

  void cut() {
    cut = true;
  }

  /**
   * Whether the page has records, by how it begins; neither format begins as an exposition can.
   *
   * @param start the first bytes
   */
  static boolean isOf(byte[] start, int length) {
    int at = skipBlanks(start, length);
    return isJson(start, length) || isCsv(start, at, length);
  }

  private static boolean isJson(byte[] start, int length) {
    int at = skipBlanks(start, length);
    return at < length && (start[at] == '{' || start[at] == '[');
  }

  private static boolean isCsv(byte[] start, int first, int length) {
    int at = first;
    while (at < length && (Character.isLetterOrDigit(start[at]) || start[at] == '_')) {
      at++;
    }
    return at > first && at < length && start[at] == ',';
  }

  private static int skipBlanks(byte[] start, int length) {
    int at = 0;
    while (at < length && (start[at] == ' ' || start[at] == '\n' || start[at] == '\r')) {
      at++;
    }
    return at;
  }

  /** Reads a page to its end. */
  void read(StartedInputStream in) throws IOException {
    clear();
    if (isJson(in.start(), in.length())) {
      new RecordsRequest(this).read(in);
    } else {
      new CsvRecords(this).read(in);
    }
  }

  /** The label that a member is; null where it is none. */
  static @Nullable String label(String name) {
    return LABELS.get(name.toLowerCase(Locale.ROOT));
  }

  int metric(String name) {
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    return listener.metric(text, 0, text.length, ByteNames.hash(text, 0, text.length));
  }

  void begin() {
    filled = 0;
    members = 0;
    labels = 0;
    line.begin(buffer, records + 1);
  }

  /** Adds a label; its value as it is, without escapes. */
  void addLabel(String name, String value) {
    if (value.isEmpty() || labels == SampleLine.MOST_LABELS) {
      return;
    }
    int nameFrom = filled;
    append(name);
    int valueFrom = filled;
    append(value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
    line.addLabel(nameFrom, valueFrom, valueFrom, filled);
    labels++;
  }

  /** Adds a number of a wanted metric. */
  void addNumber(int metric, String value) {
    if (members < MOST_MEMBERS && !value.isEmpty()) {
      metrics[members] = metric;
      from[members] = filled;
      append(value);
      to[members] = filled;
      members++;
    }
  }

  void setTime(String value) {
    byte[] text = value.getBytes(StandardCharsets.US_ASCII);
    line.setStamp(line.value.parse(text, 0, text.length) ? line.value.value() : Double.NaN);
  }

  /** Ends the record: its numbers become samples. */
  void end() {
    records++;
    if (filled > LARGEST_RECORD) {
      listener.bad(records, "a record of %d bytes".formatted(filled), "at most " + LARGEST_RECORD);
      return;
    }
    // The buffer may have grown under the labels.
    line.moveTo(buffer);
    for (int member = 0; member < members; member++) {
      if (line.value.parse(buffer, from[member], to[member])) {
        numbers++;
        listener.sample(metrics[member], line);
      } else {
        int end = Math.min(to[member], from[member] + 40);
        String text =
            new String(buffer, from[member], end - from[member], StandardCharsets.ISO_8859_1);
        listener.bad(records, "'" + text.replaceAll("[^ -~]", "?") + "'", "a number");
      }
    }
  }

  void bad(String what, String expected) {
    records++;
    listener.bad(records, what, expected);
  }

  private void append(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (filled > LARGEST_RECORD) {
      return;
    }
    if (filled + bytes.length > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, filled + bytes.length));
    }
    System.arraycopy(bytes, 0, buffer, filled, bytes.length);
    filled += bytes.length;
  }
}
