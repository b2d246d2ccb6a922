package io.fabrichealth.collect.jobs;

import io.fabrichealth.collective.InspectorLog;
import io.fabrichealth.collective.InspectorLog.Key;
import io.fabrichealth.collective.InspectorLog.Timed;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads the lines of NCCL's Inspector plugin, output v4.0 and older. A value that is not a number
 * is a word there. The size of a message is a rank's own: of all_gather and reduce_scatter the
 * larger buffer is as many times that as there are ranks.
 */
final class InspectorJson {
  private static final int LONGEST_LINE = 1 << 20;

  private final InspectorLog log = new InspectorLog();
  private long skipped;
  private long lines;
  private @Nullable String reason;
  private String id = "";
  private String name = "";
  private String host = "";
  private int process;
  private int rank;
  private int size;
  private long dumpedAt;
  private long tracedAt;
  private String operation = "";
  private long sequence;
  private long bytes;
  private int peer;
  private double micros;

  private InspectorJson() {}

  /**
   * @param skipped lines without an operation, or without its time
   * @param reason why not all was read, null where all was
   */
  record Reading(InspectorLog log, long skipped, @Nullable String reason) {}

  /** A line that is broken, as the last of a process that was killed, costs no other. */
  static Reading read(InputStream content) {
    InspectorJson reader = new InspectorJson();
    try {
      reader.lines(content);
    } catch (IOException cutOff) {
      reader.reason = FileReader.reason(cutOff);
    }
    return new Reading(reader.log, reader.skipped + reader.log.leftOut(), reader.reason);
  }

  private void lines(InputStream content) throws IOException {
    byte[] buffer = new byte[LONGEST_LINE];
    int held = 0;
    for (int got = content.read(buffer);
        got >= 0;
        got = content.read(buffer, held, buffer.length - held)) {
      int end = held + got;
      int from = 0;
      for (int i = held; i < end; i++) {
        if (buffer[i] == '\n') {
          line(buffer, from, i);
          from = i + 1;
        }
      }
      held = end - from;
      System.arraycopy(buffer, from, buffer, 0, held);
      if (held == buffer.length) {
        broken("is longer than %,d bytes".formatted(LONGEST_LINE));
        held = 0;
      }
    }
    line(buffer, 0, held);
  }

  private void line(byte[] bytesOfLine, int from, int to) {
    lines++;
    try (JsonParser parser = JobJson.parser(bytesOfLine, from, to - from)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        line(parser);
      } else if (to - from > 1) {
        broken("is no object");
      }
    } catch (JacksonException unreadable) {
      broken("breaks at byte %,d".formatted(unreadable.getLocation().getByteOffset()));
    }
  }

  private void broken(String how) {
    skipped++;
    if (reason == null) {
      reason = "line %,d %s".formatted(lines, how);
    }
  }

  private void line(JsonParser parser) {
    operation = "";
    peer = -1;
    sequence = -1;
    bytes = 0;
    micros = Double.NaN;
    dumpedAt = 0;
    tracedAt = 0;
    for (String part = parser.nextName(); part != null; part = parser.nextName()) {
      JsonToken value = parser.nextToken();
      boolean isKnown =
          part.equals("header")
              || part.equals("metadata")
              || part.equals("coll_perf")
              || part.equals("p2p_perf");
      if (isKnown && value == JsonToken.START_OBJECT) {
        for (String field = parser.nextName(); field != null; field = parser.nextName()) {
          parser.nextToken();
          field(parser, field);
        }
      } else {
        parser.skipChildren();
      }
    }
    if (operation.isEmpty() || !(micros > 0) || sequence < 0 || size <= 0) {
      skipped++;
      return;
    }
    boolean isPart = operation.equals("all_gather") || operation.equals("reduce_scatter");
    long larger = isPart ? bytes * size : bytes;
    log.add(
        new Key(host, process, id.isEmpty() ? name : id),
        name,
        rank,
        size,
        new Timed(sequence, operation, larger, peer, micros, tracedAt > 0 ? tracedAt : dumpedAt));
  }

  private void field(JsonParser parser, String field) {
    switch (field) {
      case "id" -> id = JobJson.text(parser);
      case "comm_name" -> name = JobJson.text(parser);
      case "hostname" -> host = JobJson.text(parser);
      case "pid" -> process = (int) whole(parser, 0);
      case "rank" -> rank = (int) whole(parser, -1);
      case "n_ranks" -> size = (int) whole(parser, 0);
      case "dump_timestamp_us" -> dumpedAt = time(parser);
      case "coll", "p2p" -> operation = nameOf(JobJson.text(parser));
      case "coll_sn", "p2p_sn" -> sequence = whole(parser, -1);
      case "coll_msg_size_bytes", "p2p_msg_size_bytes" -> bytes = whole(parser, 0);
      case "coll_exec_time_us", "p2p_exec_time_us" -> micros = JobJson.number(parser);
      case "p2p_peer" -> peer = (int) whole(parser, -1);
      case "event_trace_ts" -> trace(parser);
      default -> parser.skipChildren();
    }
  }

  /** The last of the times of an operation's events. */
  private void trace(JsonParser parser) {
    if (!parser.currentToken().isStructStart()) {
      tracedAt = Math.max(tracedAt, time(parser));
      return;
    }
    int depth = 1;
    while (depth > 0) {
      JsonToken token = parser.nextToken();
      if (token.isStructStart()) {
        depth++;
      } else if (token.isStructEnd()) {
        depth--;
      } else if (token.isNumeric()) {
        tracedAt = Math.max(tracedAt, time(parser));
      }
    }
  }

  /** {@code AllReduce} as {@code all_reduce}. */
  private static String nameOf(String nccl) {
    return switch (nccl.toLowerCase(Locale.ROOT)) {
      case "allreduce" -> "all_reduce";
      case "allgather" -> "all_gather";
      case "reducescatter" -> "reduce_scatter";
      case "alltoall" -> "all_to_all";
      case "broadcast" -> "broadcast";
      case "reduce" -> "reduce";
      case "gather" -> "gather";
      case "scatter" -> "scatter";
      case "send" -> "send";
      case "recv" -> "recv";
      default -> "";
    };
  }

  /** Microseconds since 1970; 0 of what cannot be a time in this age. */
  private static long time(JsonParser parser) {
    double told = JobJson.number(parser);
    return told > 1e15 && told < 1e16 ? (long) told : 0;
  }

  private static long whole(JsonParser parser, long otherwise) {
    double told = JobJson.number(parser);
    return told >= 0 && told < 1L << 53 ? (long) told : otherwise;
  }
}
