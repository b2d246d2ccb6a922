package io.fabrichealth.collective.log;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes the prefixes of launchers off a line: torch's {@code [rank3]:} (the global rank), {@code
 * mpirun --tag-output}'s {@code [1,3]<stderr>:} (the same), {@code srun --label}'s {@code 3: } (a
 * task, which may hold several ranks), Ray's {@code (Worker pid=1, ip=10.0.0.1) }, torchrun's
 * {@code [trainer0]:}, a file's name, a container's time.
 */
final class Speakers {
  private static final int MOST = 1 << 16;
  private static final int MOST_PREFIXES = 6;
  private static final Pattern PREFIX =
      Pattern.compile(
          """
          \\[rank(?<rank>\\d{1,7})\\]:?\\s?\
          |\\[(?:\\d{1,9},)?(?<tag>\\d{1,7})\\]<std\\w{2,4}>:?\\s?\
          |\\s{0,6}(?<label>\\d{1,7}):\\s\
          |\\(\\S{1,80} pid=\\d{1,10}(?:, ip=(?<ip>[^)\\s]{1,64}))?\\)\\s\
          |\\[\\d{1,10}\\]\\s\
          |\\[[A-Za-z_]{1,40}\\d{1,7}\\]:\\s?\
          |\\S{1,255} \\[std(?:err|out)\\]\\s\
          |\\[?(?<time>\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?:Z|[+-]\\d\\d:?\\d\\d)?)\\]?\\s\
          """);

  private final Map<String, Speaker> byPrefix = new HashMap<>();
  private final Map<Integer, String> hosts = new HashMap<>();
  private final TreeSet<Integer> ranks = new TreeSet<>();
  private final Speaker nobody;

  /**
   * @param rank whose log it is, -1 of a log of several
   */
  Speakers(int rank) {
    nobody = new Speaker(null, rank, rank != Speaker.UNKNOWN);
    saw(rank);
  }

  /** A line without its prefixes. */
  record Spoken(Speaker speaker, String key, String text, @Nullable Instant time) {}

  Spoken of(String line) {
    Matcher prefix = PREFIX.matcher(line);
    int at = 0;
    int rank = Speaker.UNKNOWN;
    int label = Speaker.UNKNOWN;
    String address = null;
    Instant time = null;
    StringBuilder process = new StringBuilder();
    int prefixes = 0;
    while (prefixes++ < MOST_PREFIXES
        && prefix.region(at, line.length()).lookingAt()
        && prefix.end() > at) {
      at = prefix.end();
      if (prefix.group("rank") != null) {
        rank = Integer.parseInt(prefix.group("rank"));
      } else if (prefix.group("time") != null) {
        time = timeOf(prefix.group("time"));
      } else {
        process.append(prefix.group());
        address = prefix.group("ip") == null ? address : prefix.group("ip");
        if (prefix.group("tag") != null) {
          rank = Integer.parseInt(prefix.group("tag"));
        } else if (prefix.group("label") != null) {
          label = Integer.parseInt(prefix.group("label"));
        }
      }
    }
    String text = at == 0 ? line : line.substring(at);
    if (rank != Speaker.UNKNOWN) {
      saw(rank);
      if (address != null) {
        at(rank, address);
      }
    }
    String key = rank == Speaker.UNKNOWN ? process.toString() : process + "#" + rank;
    return new Spoken(speaker(process.toString(), key, rank, label), key, text, time);
  }

  private Speaker speaker(String process, String key, int rank, int label) {
    if (key.isEmpty()) {
      return nobody;
    }
    Speaker known = byPrefix.get(key);
    if (known != null) {
      return known;
    }
    Speaker of = null;
    if (rank != Speaker.UNKNOWN && !process.isEmpty()) {
      of = speaker(process, process, Speaker.UNKNOWN, label);
    }
    boolean isSure = rank != Speaker.UNKNOWN;
    Speaker made = new Speaker(of, isSure ? rank : label, isSure);
    if (byPrefix.size() < MOST) {
      byPrefix.put(key, made);
    }
    return made;
  }

  /** A rank that a message names, whoever printed it. */
  void saw(int rank) {
    if (rank >= 0 && ranks.size() < MOST) {
      ranks.add(rank);
    }
  }

  void at(int rank, String host) {
    if (hosts.size() < MOST) {
      hosts.put(rank, host);
    }
  }

  TreeSet<Integer> ranks() {
    return ranks;
  }

  Map<Integer, String> hosts() {
    return hosts;
  }

  private static @Nullable Instant timeOf(String text) {
    String iso = text.replace(' ', 'T').replace(',', '.');
    try {
      return iso.length() > 19 && iso.substring(19).matches(".*(?:Z|[+-]\\d\\d:\\d\\d)")
          ? OffsetDateTime.parse(iso).toInstant()
          : Instant.parse(iso + "Z");
    } catch (DateTimeException unreadable) {
      return null;
    }
  }
}
