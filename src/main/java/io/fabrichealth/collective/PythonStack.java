package io.fabrichealth.collective;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the threads of a Python process stand, as Python's faulthandler prints it: {@code Thread
 * 0x… (most recent call first):}, then a line {@code File "…", line …, in …} each frame.
 *
 * @param threads frames of each thread that has any, innermost first, as {@code function
 *     (file:line)}; the newest thread first, so that the process' first one is the last
 */
public record PythonStack(List<List<String>> threads) {
  private static final int MOST_LINES = 4_000;
  private static final int MOST_THREADS = 64;
  private static final int MOST_FRAMES = 64;
  private static final int LONGEST = 300;
  private static final Pattern FRAME =
      Pattern.compile("\\s*File \"([^\"]*)\", line (\\d+|\\?\\?\\?),? in (.*)");

  private static final Pattern LIBRARY =
      Pattern.compile("/lib(?:64)?/python\\d|/(?:site|dist)-packages/|\\(<frozen ");

  public PythonStack {
    threads = threads.stream().map(List::copyOf).toList();
  }

  /** What the text tells; what is no thread and no frame in it is passed over. */
  public static PythonStack of(String text) {
    List<List<String>> threads = new ArrayList<>();
    List<String> frames = new ArrayList<>();
    for (String line : text.lines().limit(MOST_LINES).toList()) {
      if (line.contains("(most recent call first)")) {
        keep(threads, frames);
        frames = new ArrayList<>();
        continue;
      }
      Matcher frame = FRAME.matcher(line.length() > 2 * LONGEST ? "" : line);
      if (frame.matches() && frames.size() < MOST_FRAMES) {
        frames.add(
            printable("%s (%s:%s)".formatted(frame.group(3), frame.group(1), frame.group(2))));
      }
    }
    keep(threads, frames);
    return new PythonStack(threads);
  }

  private static void keep(List<List<String>> threads, List<String> frames) {
    if (!frames.isEmpty()) {
      threads.add(frames);
    }
    if (threads.size() > MOST_THREADS) {
      threads.removeFirst();
    }
  }

  private static String printable(String text) {
    String shown = text.replaceAll("\\p{Cntrl}", "?");
    return shown.length() > LONGEST ? shown.substring(0, LONGEST) : shown;
  }

  /**
   * Where the program stands, in a few words: the innermost frame, and the line of the program
   * itself where that is a library's. Empty where there are no frames.
   */
  public String where() {
    List<String> frames = main();
    if (frames.isEmpty() || !LIBRARY.matcher(frames.getFirst()).find()) {
      return frames.isEmpty() ? "" : frames.getFirst();
    }
    return frames.stream()
        .filter(frame -> !LIBRARY.matcher(frame).find())
        .findFirst()
        .map(own -> frames.getFirst() + ", called by " + own)
        .orElse(frames.getFirst());
  }

  /** The frames of the thread that the program runs in; empty where there are none. */
  public List<String> main() {
    return threads.isEmpty() ? List.of() : threads.getLast();
  }
}
