package io.fabrichealth.collect.jobs;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** What a file is, by the first bytes of it. */
enum Sniffed {
  PICKLE(InputKind.FLIGHT_RECORDER),
  DUMP_JSON(InputKind.FLIGHT_RECORDER),
  LOG(InputKind.LOG),
  NCCL_TESTS_TEXT(InputKind.NCCL_TESTS),
  NCCL_TESTS_JSON(InputKind.NCCL_TESTS),
  INSPECTOR(InputKind.NCCL_INSPECTOR),
  RAS(InputKind.NCCL_RAS),
  ROSTER(InputKind.ROSTER),
  TAR(InputKind.ARCHIVE),
  GZIP(InputKind.ARCHIVE),
  ZIP(InputKind.ARCHIVE),
  OTHER_COMPRESSION(InputKind.ARCHIVE),
  EMPTY(InputKind.UNKNOWN),
  OTHER_JSON(InputKind.UNKNOWN),
  BINARY(InputKind.UNKNOWN);

  /** Enough for the head of a long JSON object whose telling key is not the first. */
  static final int HEAD_BYTES = 65_536;

  private static final int TAR_MAGIC_AT = 257;
  private static final Pattern NCCL_TESTS =
      Pattern.compile(
          "(?m)^[^#\\n]{0,80}# +(nccl-tests version|size +count +type|nThread \\d+ nGpus)");

  private final InputKind kind;

  Sniffed(InputKind kind) {
    this.kind = kind;
  }

  InputKind kind() {
    return kind;
  }

  static Sniffed of(byte[] head, int length) {
    if (length == 0) {
      return EMPTY;
    }
    int first = head[0] & 0xff;
    int second = length > 1 ? head[1] & 0xff : -1;
    if (first == 0x80 && (length == 1 || second <= 5)) {
      return PICKLE;
    }
    if (first == 0x1f && second == 0x8b) {
      return GZIP;
    }
    if (first == 'P' && second == 'K' && length > 3 && head[2] < 9 && head[3] < 9) {
      return ZIP;
    }
    if (isCompressed(first, second, head, length)) {
      return OTHER_COMPRESSION;
    }
    if (length >= TAR_MAGIC_AT + 5
        && new String(head, TAR_MAGIC_AT, 5, StandardCharsets.ISO_8859_1).equals("ustar")) {
      return TAR;
    }
    return ofText(head, length);
  }

  private static boolean isCompressed(int first, int second, byte[] head, int length) {
    return (first == 0xfd && second == '7')
        || (first == 0x28 && second == 0xb5)
        || (first == 'B' && second == 'Z' && length > 3 && head[2] == 'h' && head[3] >= '1');
  }

  private static Sniffed ofText(byte[] head, int length) {
    int strange = 0;
    for (int i = 0; i < length; i++) {
      strange += head[i] >= 0 && head[i] < 9 ? 1 : 0;
    }
    if (strange > length / 100) {
      return BINARY;
    }
    String text = new String(head, 0, length, StandardCharsets.UTF_8);
    String start = text.stripLeading();
    if (start.startsWith("\ufeff")) {
      start = start.substring(1).stripLeading();
    }
    if (start.startsWith("{") || isJsonArray(start)) {
      return ofJson(start);
    }
    return NCCL_TESTS.matcher(text).find() ? NCCL_TESTS_TEXT : LOG;
  }

  /** Logs begin with {@code [rank0]:}, {@code [2026-..]} and {@code [W1130 ..]} too. */
  private static boolean isJsonArray(String start) {
    if (!start.startsWith("[")) {
      return false;
    }
    String rest = start.substring(1).stripLeading();
    return rest.isEmpty() || rest.startsWith("{") || rest.startsWith("]") || rest.startsWith("\"");
  }

  private static Sniffed ofJson(String start) {
    if (has(start, "pg_config") || has(start, "pg_status") || has(start, "profiling_name")) {
      return DUMP_JSON;
    }
    if (has(start, "coll_perf") || has(start, "p2p_perf") || has(start, "rec_mechanism")) {
      return INSPECTOR;
    }
    if (has(start, "communicators") || has(start, "missing_ranks_count")) {
      return RAS;
    }
    if (has(start, "nccl_version") && (has(start, "args") || has(start, "out_of_bounds"))) {
      return NCCL_TESTS_JSON;
    }
    if ((has(start, "ranks") && has(start, "rank")) || has(start, "items")) {
      return ROSTER;
    }
    if (has(start, "entries") && has(start, "version")) {
      return DUMP_JSON;
    }
    return OTHER_JSON;
  }

  private static boolean has(String json, String key) {
    return json.contains("\"" + key + "\"");
  }
}
