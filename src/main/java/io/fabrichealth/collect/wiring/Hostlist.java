package io.fabrichealth.collect.wiring;

import java.util.ArrayList;
import java.util.List;

/**
 * Names of many nodes as Slurm writes them: {@code n[001-018,020],gpu[1-2]-ib[0-1]}. The zeros
 * before the first number of a range give the width of all; brackets may stand in brackets.
 *
 * <p>Source: Slurm's hostlist functions, scontrol(1) {@code show hostnames}.
 */
final class Hostlist {
  /** Of one list, and of all that a document names. */
  static final int MOST = 500_000;

  private static final int DEEPEST = 16;

  private final String text;
  private int at;

  private Hostlist(String text) {
    this.text = text;
  }

  /**
   * All names, in order.
   *
   * @throws IllegalArgumentException where brackets do not match, a range is none, or it is more
   *     than {@link #MOST} names; the message says so
   */
  static List<String> expand(String text) {
    Hostlist list = new Hostlist(text);
    List<String> names = list.items(0);
    if (list.at < text.length()) {
      throw new IllegalArgumentException("']' without '['");
    }
    return names;
  }

  /** Items between commas, up to the end or a closing bracket. */
  private List<String> items(int depth) {
    if (depth > DEEPEST) {
      throw new IllegalArgumentException("brackets in more than " + DEEPEST + " brackets");
    }
    List<String> names = new ArrayList<>();
    while (at < text.length() && text.charAt(at) != ']') {
      if (text.charAt(at) == ',') {
        at++;
      } else {
        names.addAll(item(depth));
        check(names.size());
      }
    }
    return names;
  }

  private List<String> item(int depth) {
    List<String> names = List.of("");
    while (at < text.length() && text.charAt(at) != ',' && text.charAt(at) != ']') {
      if (text.charAt(at) == '[') {
        at++;
        List<String> inner = items(depth + 1);
        if (at == text.length()) {
          throw new IllegalArgumentException("'[' without ']'");
        }
        at++;
        names = product(names, inner);
      } else {
        int end = at;
        while (end < text.length() && "[],".indexOf(text.charAt(end)) < 0) {
          end++;
        }
        String literal = text.substring(at, end);
        at = end;
        names = product(names, depth == 0 ? List.of(literal.strip()) : range(literal.strip()));
      }
    }
    return names;
  }

  private static List<String> product(List<String> heads, List<String> tails) {
    check((long) heads.size() * tails.size());
    List<String> names = new ArrayList<>(heads.size() * tails.size());
    for (String head : heads) {
      for (String tail : tails) {
        names.add(head + tail);
      }
    }
    return names;
  }

  /** In brackets, two numbers with a dash between them are a range. */
  private static List<String> range(String literal) {
    int dash = literal.indexOf('-');
    String first = dash < 0 ? literal : literal.substring(0, dash);
    String last = dash < 0 ? literal : literal.substring(dash + 1);
    if (dash < 0 || !isNumber(first) || !isNumber(last)) {
      return List.of(literal);
    }
    long from = Long.parseLong(first);
    long to = Long.parseLong(last);
    if (to < from) {
      throw new IllegalArgumentException(Refusals.quoted(literal) + " goes backwards");
    }
    check(to - from + 1);
    boolean isPadded = first.length() > 1 && first.charAt(0) == '0';
    List<String> names = new ArrayList<>();
    for (long number = from; number <= to; number++) {
      String digits = Long.toString(number);
      int zeros = isPadded ? first.length() - digits.length() : 0;
      names.add("0".repeat(Math.max(zeros, 0)) + digits);
    }
    return names;
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() <= 9
        && text.chars().allMatch(digit -> digit >= '0' && digit <= '9');
  }

  private static void check(long names) {
    if (names > MOST) {
      throw new IllegalArgumentException("more than " + MOST + " names");
    }
  }
}
