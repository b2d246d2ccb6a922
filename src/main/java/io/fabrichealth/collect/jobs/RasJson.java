package io.fabrichealth.collect.jobs;

import io.fabrichealth.collective.log.RasStatus;
import io.fabrichealth.collective.log.RasStatus.Communicator;
import io.fabrichealth.collective.log.RasStatus.Member;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads answers of NCCL's RAS in JSON (2.28.7 and newer): one object, or one after the other as
 * somebody who asks again and again appends them.
 */
final class RasJson {
  private static final int MOST_MEMBERS = 1 << 20;
  private static final int MOST_COUNTS = 64;

  private final String source;
  private final List<RasStatus> answers = new ArrayList<>();
  private int members;
  private long leftOut;

  private RasJson(String source) {
    this.source = source;
  }

  /**
   * @param members of all communicators
   * @param leftOut members beyond what is kept
   * @param reason why not all was read, null where all was
   */
  record Reading(List<RasStatus> answers, long members, long leftOut, @Nullable String reason) {}

  static Reading read(InputStream content, String source) {
    RasJson reader = new RasJson(source);
    String reason = JobJson.read(content, reader::document);
    return new Reading(reader.answers, reader.members, reader.leftOut, reason);
  }

  private void document(JsonParser parser) {
    while (parser.nextToken() != null) {
      if (parser.currentToken() == JsonToken.START_OBJECT) {
        answer(parser);
      } else {
        parser.skipChildren();
      }
    }
  }

  private void answer(JsonParser parser) {
    String version = "";
    long timeouts = 0;
    List<Communicator> communicators = new ArrayList<>();
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken value = parser.nextToken();
      if (name.equals("nccl_version")) {
        version = JobJson.text(parser);
      } else if (name.equals("communicators") && value == JsonToken.START_ARRAY) {
        while (parser.nextToken() == JsonToken.START_OBJECT) {
          communicators.add(communicator(parser));
        }
      } else if (name.equals("ras") && value == JsonToken.START_OBJECT) {
        for (String inner = parser.nextName(); inner != null; inner = parser.nextName()) {
          parser.nextToken();
          long number = number(parser);
          timeouts = inner.equals("timeouts_count") ? number : timeouts;
        }
      } else {
        parser.skipChildren();
      }
    }
    String number = "%s#%06d".formatted(source, answers.size() + 1);
    answers.add(new RasStatus(number, version, timeouts, communicators));
  }

  private Communicator communicator(JsonParser parser) {
    String hash = "";
    long size = 0;
    List<Member> ranks = new ArrayList<>();
    List<Member> missing = new ArrayList<>();
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken value = parser.nextToken();
      switch (name) {
        case "hash" -> hash = JobJson.text(parser) + hash;
        case "secondary_hash" -> hash = hash + ":" + JobJson.text(parser);
        case "size" -> size = number(parser);
        case "ranks" -> members(parser, value, ranks);
        case "missing_ranks" -> members(parser, value, missing);
        default -> parser.skipChildren();
      }
    }
    return new Communicator(hash, (int) Math.clamp(size, 0, Integer.MAX_VALUE), ranks, missing);
  }

  private void members(JsonParser parser, JsonToken value, List<Member> into) {
    if (value != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      Member member = member(parser);
      if (members++ < MOST_MEMBERS) {
        into.add(member);
      } else {
        leftOut++;
      }
    }
  }

  private Member member(JsonParser parser) {
    long rank = -1;
    long process = 0;
    long device = -1;
    String host = "";
    boolean isUnresponsive = false;
    boolean isDead = false;
    Map<String, Long> counts = new HashMap<>();
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken value = parser.nextToken();
      if (name.equals("status") && value == JsonToken.START_OBJECT) {
        for (String inner = parser.nextName(); inner != null; inner = parser.nextName()) {
          boolean isSet = isSet(parser, parser.nextToken());
          isUnresponsive |= inner.equals("unresponsive") && isSet;
          isDead |= inner.equals("considered_dead") && isSet;
        }
      } else if (name.equals("collective_counts") && value == JsonToken.START_OBJECT) {
        for (String inner = parser.nextName(); inner != null; inner = parser.nextName()) {
          parser.nextToken();
          long count = number(parser);
          if (counts.size() < MOST_COUNTS) {
            counts.put(inner, count);
          }
        }
      } else {
        switch (name) {
          case "rank" -> rank = number(parser);
          case "pid" -> process = number(parser);
          case "cuda_dev" -> device = number(parser);
          case "host" -> host = JobJson.text(parser);
          default -> parser.skipChildren();
        }
      }
    }
    return new Member(
        (int) Math.clamp(rank, -1, Integer.MAX_VALUE),
        host,
        (int) process,
        (int) device,
        counts,
        isUnresponsive,
        isDead);
  }

  /** A boolean, or what stands for one: a number, a word. */
  private static boolean isSet(JsonParser parser, JsonToken value) {
    if (value.isNumeric()) {
      return parser.getDoubleValue() != 0;
    }
    if (value == JsonToken.VALUE_STRING) {
      return parser.getString().equalsIgnoreCase("true");
    }
    parser.skipChildren();
    return value == JsonToken.VALUE_TRUE;
  }

  private static long number(JsonParser parser) {
    double told = JobJson.number(parser);
    return Double.isNaN(told) ? -1 : (long) told;
  }
}
