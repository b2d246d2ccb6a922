package io.fabrichealth.collective.log;

import io.fabrichealth.collective.log.Speakers.Spoken;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a job's log as it comes, in pieces of any size: lines of all ranks and the launcher, mixed,
 * prefixed, coloured, wrapped. What is kept does not grow with the log. One reader reads one log
 * and is for one thread.
 */
public final class JobLogReader {
  private static final int PREFIX_LENGTH = "[rank".length();
  private static final int LONGEST_PREFIX = 400;
  private static final int MOST_WRAPPED = 256;
  private static final int LINES_WRAPPED = 6;
  private static final int LONGEST_WRAPPED = 1 << 13;
  private static final Pattern ESCAPE =
      Pattern.compile(
          "\u001b(?:\\[[0-9;:?]{0,64}[ -/]?[@-~]|\\][^\u0007\u001b]{0,256}\u0007?|[@-Z\\\\^_])");
  private static final Pattern GLOG =
      Pattern.compile("\\[?[EWIF](\\d{3,4} \\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?)");
  private static final Pattern WORLD =
      Pattern.compile(
          "(?:(?:world[ _]size|WORLD_SIZE)\\W{1,3}|MEMBER: \\d{1,7}/|[Nn][Rr]anks )(\\d{1,7})\\b");

  private static final long COLOURED = 1;
  private static final long PREFIXED = 1L << 1;
  private static final long MESSAGES = 1L << 2;
  private static final long TRACEBACKS = 1L << 3;
  private static final long LAUNCHER = 1L << 4;
  private static final long WORLD_WORDS = 1L << 5;
  private static final long NCCL = 1L << 6;
  private static final long TESTS = 1L << 7;
  private static final Keywords WORDS =
      new Keywords(
          Map.of(
              COLOURED,
              List.of("\u001b"),
              PREFIXED,
              List.of("[rank"),
              MESSAGES,
              List.of("[Rank ", "[PG ", "is running collective", "Watchdog caught", "]:[E"),
              TRACEBACKS,
              List.of(
                  "Traceback (most recent call last)",
                  "terminated with exception",
                  "Fatal Python error",
                  "Process received signal",
                  "what():",
                  "Timed out waiting",
                  "Connection reset by peer",
                  "Connection closed by peer"),
              LAUNCHER,
              List.of(
                  "Failures:",
                  "Root Cause (first",
                  "closing signal",
                  "Unable to shutdown process",
                  "srun: error:",
                  "exited on signal"),
              WORLD_WORDS,
              List.of("world size", "world_size", "WORLD_SIZE", "MEMBER: ", "anks "),
              NCCL,
              List.of("NCCL INFO", "NCCL WARN", "NCCL version"),
              TESTS,
              List.of(
                  "nThread ",
                  "# Rank",
                  "#  Rank",
                  "#   Rank",
                  "_perf",
                  "Avg bus bandwidth",
                  "Out of bounds values",
                  " count ")));

  private final String source;
  private final LineSplitter lines = new LineSplitter(WORDS, this::line);
  private final Speakers speakers;
  private final WatchdogMessages watchdog = new WatchdogMessages();
  private final MismatchMessages mismatches = new MismatchMessages();
  private final Tracebacks tracebacks = new Tracebacks();
  private final LauncherMessages launcher = new LauncherMessages();
  private final NcclMessages nccl = new NcclMessages();
  private final NcclTestMessages tests;
  private final List<Message> messages = new ArrayList<>();
  private final Map<String, Wrapped> wrapped = new LinkedHashMap<>();
  private @Nullable Head head;
  private int worldSize;

  /** A line with the head of a message, and the lines that may go on with it. */
  private record Head(Speech speech, String text, long last, int lines) {}

  /** A message that the line's end cut off. */
  private record Wrapped(Message message, Speech speech, String begun, int lines) {}

  /**
   * @param source where the log comes from, for people
   * @param rank who prints where no prefix tells another; -1 of a log of several ranks
   */
  public JobLogReader(String source, int rank) {
    this.source = source;
    speakers = new Speakers(rank);
    tests = new NcclTestMessages(source);
    messages.addAll(watchdog.messages());
    messages.addAll(mismatches.messages());
  }

  public void accept(byte[] bytes, int from, int to) {
    lines.accept(bytes, from, to);
  }

  /** Ends the log. */
  public JobLog finish() {
    lines.finish();
    List<GroupReport> reports = watchdog.reports();
    List<ProcessExit> exits = launcher.exits();
    reports.forEach(report -> speakers.saw(report.rank()));
    for (ProcessExit exit : exits) {
      speakers.saw(exit.rank());
      if (!exit.host().isEmpty()) {
        speakers.at(exit.rank(), exit.host());
      }
    }
    return new JobLog(
        source,
        lines.lines(),
        worldSize,
        speakers.ranks(),
        speakers.hosts(),
        reports,
        tracebacks.errors(),
        mismatches.barriers(),
        mismatches.fingerprints(),
        mismatches.accusations(),
        exits,
        nccl.finish(),
        tests.finish(),
        List.of(),
        nccl.leftOut()
            + tests.leftOut()
            + watchdog.leftOut()
            + mismatches.leftOut()
            + tracebacks.leftOut()
            + launcher.leftOut());
  }

  private void line(byte[] bytes, int from, int to, long words, long number) {
    boolean isAwaited =
        !wrapped.isEmpty()
            || tracebacks.isOpen()
            || launcher.isOpen()
            || tests.isOpen()
            || (head != null && head.last() + 1 == number);
    if ((words & ~PREFIXED) == 0 && !isAwaited) {
      if (words != 0) {
        seen(bytes, from, to);
      }
      return;
    }
    String raw = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    if ((words & COLOURED) != 0) {
      raw = ESCAPE.matcher(raw).replaceAll("");
    }
    Spoken spoken = speakers.of(raw);
    String text = spoken.text();
    boolean isTold = isAwaited || (words & (MESSAGES | TRACEBACKS)) != 0;
    Matcher glog = GLOG.matcher(text);
    String clock = isTold && glog.find() ? glog.group(1) : "";
    Speech speech = new Speech(spoken.speaker(), spoken.time(), clock, number);
    if ((words & LAUNCHER) != 0 || launcher.isOpen()) {
      if (text.contains("Failures:") || text.contains("Root Cause (first")) {
        launcher.begins(spoken.key(), number);
      }
      launcher.line(spoken.key(), text, number);
    }
    if (isTold || head != null) {
      messages(spoken, speech, clock);
    }
    if (text.contains("Traceback (most recent call last)")) {
      tracebacks.begins(spoken.key(), number);
    } else if ((words & TRACEBACKS) != 0 || tracebacks.isOpen()) {
      tracebacks.line(spoken.key(), text, speech);
    }
    if ((words & NCCL) != 0) {
      nccl.line(text, speech);
    }
    if ((words & TESTS) != 0 || tests.isOpen()) {
      tests.line(text, number);
    }
    if ((words & WORLD_WORDS) != 0) {
      world(text);
    }
  }

  /** Most lines of a rank tell nothing but that it is there. */
  private void seen(byte[] bytes, int from, int to) {
    if (bytes[from] == '[') {
      int rank = 0;
      int at = from + PREFIX_LENGTH;
      while (at < to && at < from + PREFIX_LENGTH + 7 && bytes[at] >= '0' && bytes[at] <= '9') {
        rank = 10 * rank + bytes[at++] - '0';
      }
      if (at > from + PREFIX_LENGTH && at < to && bytes[at] == ']') {
        speakers.saw(rank);
        return;
      }
    }
    int end = Math.min(to, from + LONGEST_PREFIX);
    speakers.of(new String(bytes, from, end - from, StandardCharsets.UTF_8));
  }

  private void messages(Spoken spoken, Speech speech, String clock) {
    continueWrapped(spoken, clock);
    mismatches.lineBegins();
    String text = spoken.text();
    if (!continueHead(spoken, clock, speech.line())) {
      for (Message message : messages) {
        find(message, speech, spoken.key(), text);
      }
      head =
          clock.isEmpty() || spoken.key().isEmpty() || text.length() > LONGEST_WRAPPED
              ? null
              : new Head(speech, text, speech.line(), 1);
    }
  }

  /** A line that was cut before its message began: the next, without a prefix, goes on. */
  private boolean continueHead(Spoken spoken, String clock, long number) {
    Head begun = head;
    if (begun == null
        || begun.last() + 1 != number
        || !spoken.key().isEmpty()
        || !clock.isEmpty()
        || begun.lines() >= LINES_WRAPPED
        || begun.text().length() + spoken.text().length() > LONGEST_WRAPPED) {
      return false;
    }
    String joined = begun.text() + spoken.text();
    for (Message message : messages) {
      find(message, begun.speech(), "", joined);
    }
    head = new Head(begun.speech(), joined, number, begun.lines() + 1);
    return true;
  }

  private void find(Message message, Speech speech, String key, String text) {
    int at = text.indexOf(message.anchor());
    while (at >= 0) {
      Matcher matcher =
          message.pattern().matcher(text).useTransparentBounds(true).region(at, text.length());
      if (matcher.lookingAt()) {
        message.handler().found(speakerAt(text, at, speech), matcher);
      } else if (matcher.hitEnd() && text.length() - at < LONGEST_WRAPPED) {
        keep(key, new Wrapped(message, speakerAt(text, at, speech), text.substring(at), 1));
      }
      at = text.indexOf(message.anchor(), at + 1);
    }
  }

  /** Two ranks may have written into one line: the nearest prefix before the message counts. */
  private Speech speakerAt(String text, int at, Speech speech) {
    int prefix = text.lastIndexOf("[rank", at);
    if (prefix < 0) {
      return speech;
    }
    Speaker nearer = speakers.of(text.substring(prefix, at)).speaker();
    return nearer.rank() == Speaker.UNKNOWN
        ? speech
        : new Speech(nearer, speech.time(), speech.clock(), speech.line());
  }

  private void keep(String key, Wrapped cut) {
    if (wrapped.size() >= MOST_WRAPPED) {
      Iterator<String> eldest = wrapped.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
    wrapped.put(key, cut);
  }

  private void continueWrapped(Spoken spoken, String clock) {
    if (wrapped.isEmpty()) {
      return;
    }
    String key = spoken.key();
    Wrapped begun = wrapped.get(key);
    if (begun == null && key.isEmpty()) {
      key = List.copyOf(wrapped.keySet()).getLast();
      begun = wrapped.get(key);
    }
    if (begun == null) {
      return;
    }
    wrapped.remove(key);
    String joined = begun.begun() + spoken.text();
    Matcher matcher = begun.message().pattern().matcher(joined);
    if (matcher.lookingAt()) {
      begun.message().handler().found(begun.speech(), matcher);
    } else if (matcher.hitEnd()
        && clock.isEmpty()
        && begun.lines() < LINES_WRAPPED
        && joined.length() < LONGEST_WRAPPED) {
      keep(key, new Wrapped(begun.message(), begun.speech(), joined, begun.lines() + 1));
    }
  }

  private void world(String text) {
    Matcher world = WORLD.matcher(text);
    while (world.find()) {
      worldSize = Math.max(worldSize, Integer.parseInt(world.group(1)));
    }
  }
}
