package io.fabrichealth.capture;

import io.fabrichealth.latency.ProbeSample;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;

/** A {@link ProbeSample} as the {@code probe} record of the capture format. */
final class ProbeJson {
  private static final int LARGEST_PORT = 65_535;
  private static final int MOST_CANDIDATES = 256;
  private static final int MOST_LINKS = 64;
  private static final long MOST_PROBES = 1_000_000_000_000L;

  private final RecordFields fields;
  private ProbeSample.@Nullable Endpoint src;
  private ProbeSample.@Nullable Endpoint dst;
  private String tool = "";
  private @Nullable Integer sourcePort;
  private @Nullable Integer bytes;
  private List<String> path = List.of();
  private final List<List<String>> candidates = new ArrayList<>();
  private List<String> returnPath = List.of();
  private @Nullable Long sent;
  private @Nullable Long lost;
  private ProbeSample.@Nullable RoundTrip rtt;

  ProbeJson(RecordFields fields) {
    this.fields = fields;
  }

  /** Takes the value of a field. */
  void read(String field) {
    switch (field) {
      case "src" -> src = endpoint();
      case "dst" -> dst = endpoint();
      case "tool" -> {
        String text = fields.text();
        tool = text == null ? "" : text;
      }
      case "sourcePort" -> sourcePort = fields.index(0, LARGEST_PORT);
      case "bytes" -> bytes = fields.index(0, Integer.MAX_VALUE);
      case "path" -> path = way();
      case "candidates" -> fields.array(this::candidate);
      case "returnPath" -> returnPath = way();
      case "sent" -> sent = fields.whole(0, MOST_PROBES);
      case "lost" -> lost = fields.whole(0, MOST_PROBES);
      case "rttMicros" -> rtt = roundTrip();
      default -> fields.skip();
    }
  }

  ProbeSample sample() throws InvalidRecordException {
    long all = RecordFields.required(sent, "sent");
    long gone = RecordFields.required(lost, "lost");
    if (gone > all) {
      throw new InvalidRecordException("'lost' is " + gone + ", more than 'sent', " + all);
    }
    return new ProbeSample(
        RecordFields.required(src, "src"),
        RecordFields.required(dst, "dst"),
        tool,
        sourcePort,
        bytes,
        path,
        candidates,
        returnPath,
        all,
        gone,
        rtt);
  }

  /** Longer ones than any fabric has are none. */
  private List<String> way() {
    List<String> links = fields.texts();
    if (links.size() <= MOST_LINKS) {
      return links;
    }
    fields.refuse("at most " + MOST_LINKS + " links");
    return List.of();
  }

  private void candidate() {
    List<String> one = way();
    if (!one.isEmpty() && candidates.size() < MOST_CANDIDATES) {
      candidates.add(one);
    }
  }

  private ProbeSample.@Nullable Endpoint endpoint() {
    WrittenEnd end = WrittenEnd.read(fields);
    String device = end.device();
    return device == null ? null : new ProbeSample.Endpoint(device, end.port());
  }

  private ProbeSample.@Nullable RoundTrip roundTrip() {
    if (fields.in().currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    double[] micros = {Double.NaN, Double.NaN, Double.NaN, Double.NaN};
    boolean read =
        fields.object(
            field -> {
              switch (field) {
                case "min" -> micros[0] = fields.number();
                case "median" -> micros[1] = fields.number();
                case "p99" -> micros[2] = fields.number();
                case "max" -> micros[3] = fields.number();
                default -> fields.skip();
              }
            });
    return read ? new ProbeSample.RoundTrip(micros[0], micros[1], micros[2], micros[3]) : null;
  }

  /** Writes the fields into an object that is begun. */
  static void writeFields(JsonGenerator out, ProbeSample sample) {
    write(out, "src", sample.src());
    write(out, "dst", sample.dst());
    out.writeStringProperty("tool", sample.tool());
    Integer port = sample.sourcePort();
    if (port != null) {
      out.writeNumberProperty("sourcePort", port);
    }
    Integer size = sample.bytes();
    if (size != null) {
      out.writeNumberProperty("bytes", size);
    }
    write(out, "path", sample.path());
    if (!sample.candidates().isEmpty()) {
      out.writeArrayPropertyStart("candidates");
      for (List<String> one : sample.candidates()) {
        out.writeStartArray();
        one.forEach(out::writeString);
        out.writeEndArray();
      }
      out.writeEndArray();
    }
    write(out, "returnPath", sample.returnPath());
    out.writeNumberProperty("sent", sample.sent());
    out.writeNumberProperty("lost", sample.lost());
    ProbeSample.RoundTrip rtt = sample.rtt();
    if (rtt != null) {
      out.writeObjectPropertyStart("rttMicros");
      write(out, "min", rtt.min());
      write(out, "median", rtt.median());
      write(out, "p99", rtt.p99());
      write(out, "max", rtt.max());
      out.writeEndObject();
    }
  }

  private static void write(JsonGenerator out, String field, List<String> links) {
    if (!links.isEmpty()) {
      out.writeArrayPropertyStart(field);
      links.forEach(out::writeString);
      out.writeEndArray();
    }
  }

  private static void write(JsonGenerator out, String field, ProbeSample.Endpoint end) {
    out.writeObjectPropertyStart(field);
    out.writeStringProperty("device", end.device());
    if (end.port() != null) {
      out.writeStringProperty("port", end.port());
    }
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, String field, double micros) {
    if (Double.isFinite(micros)) {
      out.writeNumberProperty(field, micros);
    }
  }
}
