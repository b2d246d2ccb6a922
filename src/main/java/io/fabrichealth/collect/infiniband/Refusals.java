package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What of a text was not taken, and why: all of it counted, the first few in words. */
final class Refusals {
  private static final int MOST_WORDS = 5;
  private static final int MOST_TEXT = 80;

  private final List<Problem> problems = new ArrayList<>();
  private final Set<FailureCode> codes = EnumSet.noneOf(FailureCode.class);
  private int count;

  void add(FailureCode code, String message) {
    count++;
    codes.add(code);
    if (problems.size() < MOST_WORDS) {
      problems.add(new Problem(code, message));
    }
  }

  void line(int number, String why) {
    add(FailureCode.MALFORMED, "line " + number + ": " + why);
  }

  /** Whether there is one of that kind. */
  boolean has(FailureCode code) {
    return codes.contains(code);
  }

  int count() {
    return count;
  }

  /** The first few, and how many more there are. */
  List<Problem> problems() {
    List<Problem> all = new ArrayList<>(problems);
    if (count > problems.size()) {
      all.add(new Problem(FailureCode.MALFORMED, (count - problems.size()) + " more of the kind"));
    }
    return all;
  }

  /** A foreign text, short enough for a message and on one line. */
  static String shortened(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ").strip();
    return line.length() > MOST_TEXT ? line.substring(0, MOST_TEXT) + "…" : line;
  }
}
