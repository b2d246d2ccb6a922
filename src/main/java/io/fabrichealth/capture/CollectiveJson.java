package io.fabrichealth.capture;

import io.fabrichealth.collective.Collective;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;

/** A {@link Collective} as the {@code collective} record of the capture format. */
final class CollectiveJson {
  /** Rank, enqueued, started, duration. */
  private static final int COLUMNS = 4;

  private static final int MOST_CHANNELS = 1_000;
  private static final int FIRST = 64;

  private final RecordFields fields;
  private final Map<Integer, String> transports = new TreeMap<>();
  private double[] rows = new double[FIRST];
  private int size;
  private int column;
  private @Nullable String job;
  private @Nullable String group;
  private @Nullable Long sequence;
  private @Nullable String operation;
  private long bytes;
  private @Nullable String algorithm;
  private @Nullable String protocol;
  private int channels;
  private int peer = -1;
  private boolean isTimedOut;
  private @Nullable String transport;

  CollectiveJson(RecordFields fields) {
    this.fields = fields;
  }

  /** Takes the value of a field. */
  void read(String field) {
    switch (field) {
      case "job" -> job = fields.name();
      case "group" -> group = fields.text();
      case "seq" -> sequence = fields.whole(0, Long.MAX_VALUE);
      case "op" -> operation = fields.name();
      case "bytes" -> bytes = fields.whole(0, Long.MAX_VALUE, 0);
      case "algorithm" -> algorithm = fields.text();
      case "protocol" -> protocol = fields.text();
      case "channels" -> channels = (int) fields.whole(0, MOST_CHANNELS, 0);
      case "peer" -> peer = (int) fields.whole(0, JobJson.MOST_RANKS, -1);
      case "timedOut" -> isTimedOut = fields.flag();
      case "transport" -> transport();
      case "ranks" -> fields.array(this::row);
      default -> fields.skip();
    }
  }

  private void transport() {
    if (fields.in().currentToken() != JsonToken.START_OBJECT) {
      transport = fields.name();
      return;
    }
    fields.object(
        rank -> {
          String name = fields.name();
          if (name != null && rank.matches("[0-9]{1,7}")) {
            transports.put(Integer.parseInt(rank), name);
          }
        });
  }

  private void row() {
    if (size + COLUMNS > rows.length) {
      rows = Arrays.copyOf(rows, rows.length * 2);
    }
    Arrays.fill(rows, size, size + COLUMNS, Double.NaN);
    column = 0;
    fields.array(this::cell);
    if (rows[size] >= 0) {
      size += COLUMNS;
    }
  }

  private void cell() {
    if (column == 0) {
      rows[size] = fields.whole(0, JobJson.MOST_RANKS, -1);
    } else if (column < COLUMNS) {
      rows[size + column] = fields.number();
    } else {
      fields.skip();
    }
    column++;
  }

  Collective collective() throws InvalidRecordException {
    Collective.Builder builder =
        new Collective.Builder(
                RecordFields.required(job, "job"),
                RecordFields.required(group, "group"),
                RecordFields.required(sequence, "seq"),
                RecordFields.required(operation, "op"))
            .bytes(bytes)
            .algorithm(algorithm, protocol)
            .channels(channels)
            .peer(peer)
            .timedOut(isTimedOut)
            .transport(transport);
    transports.forEach(builder::transport);
    for (int i = 0; i < size; i += COLUMNS) {
      double duration = rows[i + 3] < 0 ? Double.NaN : rows[i + 3];
      builder.row((int) rows[i], rows[i + 1], rows[i + 2], duration);
    }
    return builder.build();
  }

  /** Writes the fields into an object that is begun. */
  static void writeFields(JsonGenerator out, Collective of) {
    out.writeStringProperty("job", of.job());
    out.writeStringProperty("group", of.group());
    out.writeNumberProperty("seq", of.sequence());
    out.writeStringProperty("op", of.operation());
    out.writeNumberProperty("bytes", of.bytes());
    if (of.algorithm() != null) {
      out.writeStringProperty("algorithm", of.algorithm());
    }
    if (of.protocol() != null) {
      out.writeStringProperty("protocol", of.protocol());
    }
    if (of.channels() > 0) {
      out.writeNumberProperty("channels", of.channels());
    }
    if (of.peer() >= 0) {
      out.writeNumberProperty("peer", of.peer());
    }
    if (of.isTimedOut()) {
      out.writeBooleanProperty("timedOut", true);
    }
    writeTransport(out, of);
    out.writeArrayPropertyStart("ranks");
    for (int row = 0; row < of.size(); row++) {
      out.writeStartArray();
      out.writeNumber(of.rank(row));
      write(out, of.enqueued(row));
      write(out, of.started(row));
      write(out, of.duration(row));
      out.writeEndArray();
    }
    out.writeEndArray();
  }

  private static void writeTransport(JsonGenerator out, Collective of) {
    if (of.transports().isEmpty()) {
      if (of.transport() != null) {
        out.writeStringProperty("transport", of.transport());
      }
      return;
    }
    out.writeObjectPropertyStart("transport");
    for (int row = 0; row < of.size(); row++) {
      String own = of.transport(of.rank(row));
      if (own != null) {
        out.writeStringProperty(Integer.toString(of.rank(row)), own);
      }
    }
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, double micros) {
    if (Double.isFinite(micros)) {
      out.writeNumber(micros);
    } else {
      out.writeNull();
    }
  }
}
