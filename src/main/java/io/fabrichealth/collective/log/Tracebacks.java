package io.fabrichealth.collective.log;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How ranks ended in their own words: the exception under a Python traceback, a CUDA error that the
 * watchdog met, a crash. The first of each rank counts: what follows mostly follows from it.
 */
final class Tracebacks {
  private static final int MOST = 1 << 16;
  private static final int LONGEST = 2000;
  private static final Pattern EXCEPTION =
      Pattern.compile(
          "(?:[A-Za-z_][\\w.]{0,200}\\.)?[A-Z]\\w{0,100}(?:Error|Exception|Interrupt|Exit|Warning|Met)(?::"
              + " .*|:?\\s*)");
  private static final Pattern OUTRIGHT =
      Pattern.compile(
          "(?:terminated with exception: (?<watchdog>(?!\\[|Watchdog"
              + " caught).{1,400})|(?<crash>Fatal Python error: .{1,100}|\\*\\*\\* Process received"
              + " signal \\*\\*\\*)|(?<what>what\\(\\):\\s{1,4}(?!\\[(?:Rank|PG)"
              + " ).{1,400})|(?<gloo>Timed out waiting \\d{1,12}ms for (?:recv|send)"
              + " operation.{0,40}|Connection (?:reset|closed) by peer.{0,60}))");

  private final Map<String, Long> open = new HashMap<>();
  private final Map<Speaker, Told> first = new LinkedHashMap<>();
  private long leftOut;

  private record Told(Speech speech, String text) {}

  boolean isOpen() {
    return !open.isEmpty();
  }

  void begins(String key, long line) {
    if (open.size() < MOST) {
      open.put(key, line);
    }
  }

  /**
   * @param text without prefixes
   */
  void line(String key, String text, Speech speech) {
    Matcher outright = OUTRIGHT.matcher(text);
    Long since = open.get(key);
    if (since != null) {
      boolean isFrame = text.isEmpty() || Character.isWhitespace(text.charAt(0));
      if (!isFrame && EXCEPTION.matcher(text).matches()) {
        open.remove(key);
        told(speech, text);
      } else if (speech.line() - since > LONGEST) {
        open.remove(key);
      }
    } else if (outright.find()) {
      told(speech, outright.group());
    }
  }

  private void told(Speech speech, String text) {
    if (first.containsKey(speech.speaker())) {
      return;
    }
    if (first.size() >= MOST) {
      leftOut++;
      return;
    }
    first.put(speech.speaker(), new Told(speech, ErrorText.shortened(text)));
  }

  List<RankError> errors() {
    Map<Integer, RankError> byRank = new LinkedHashMap<>();
    List<RankError> errors = new ArrayList<>();
    first.forEach(
        (speaker, said) -> {
          Speech speech = said.speech();
          RankError error =
              new RankError(
                  speaker.rank(),
                  ErrorText.kindOf(said.text()),
                  said.text(),
                  speech.time(),
                  speech.clock(),
                  speech.line());
          if (error.rank() == Speaker.UNKNOWN || byRank.putIfAbsent(error.rank(), error) == null) {
            errors.add(error);
          }
        });
    return errors;
  }

  long leftOut() {
    return leftOut;
  }
}
