package io.fabrichealth.collect.jobs;

import java.util.ArrayList;
import java.util.List;

/** Slurm's short form of many host names: {@code gpu-[001-004,009],login1}. */
final class Hostlist {
  private static final int MOST_HOSTS = 1 << 17;
  private static final int MOST_DIGITS = 9;
  private static final int LONGEST_NAME = 253; // RFC 1035 3.1, without the length octets

  private Hostlist() {}

  static List<String> expand(String text) throws InvalidRosterException {
    List<String> hosts = new ArrayList<>();
    int depth = 0;
    StringBuilder one = new StringBuilder();
    for (int i = 0; i <= text.length(); i++) {
      char character = i < text.length() ? text.charAt(i) : ',';
      depth += character == '[' ? 1 : character == ']' ? -1 : 0;
      boolean isEnd = depth == 0 && (character == ',' || Character.isWhitespace(character));
      if (isEnd || i == text.length()) {
        if (depth != 0) {
          throw new InvalidRosterException("hostlist: a bracket is not closed");
        }
        if (!one.isEmpty()) {
          expand("", one.toString(), hosts);
          one.setLength(0);
        }
      } else {
        one.append(character);
      }
      if (depth < 0 || depth > 1) {
        throw new InvalidRosterException("hostlist: brackets do not match at %d".formatted(i));
      }
    }
    if (hosts.isEmpty()) {
      throw new InvalidRosterException("hostlist: no host");
    }
    return hosts;
  }

  private static void expand(String before, String rest, List<String> hosts)
      throws InvalidRosterException {
    int open = rest.indexOf('[');
    if (open < 0) {
      add(before + rest, hosts);
      return;
    }
    int close = rest.indexOf(']', open);
    String prefix = before + rest.substring(0, open);
    if (prefix.length() >= LONGEST_NAME) {
      throw new InvalidRosterException(
          "hostlist: a name of more than %d characters".formatted(LONGEST_NAME));
    }
    for (String range : rest.substring(open + 1, close).split(",", -1)) {
      String[] ends = range.split("-", 2);
      long from = number(ends[0]);
      long to = ends.length > 1 ? number(ends[1]) : from;
      if (to < from || to - from >= MOST_HOSTS) {
        throw new InvalidRosterException("hostlist: the range %s".formatted(range));
      }
      for (long number = from; number <= to; number++) {
        String digits = Long.toString(number);
        String padded = "0".repeat(Math.max(0, ends[0].length() - digits.length())) + digits;
        expand(prefix + padded, rest.substring(close + 1), hosts);
      }
    }
  }

  private static void add(String host, List<String> hosts) throws InvalidRosterException {
    if (!host.matches("[A-Za-z0-9._-]{1," + LONGEST_NAME + "}")) {
      throw new InvalidRosterException(
          "'%s' is not a host's name".formatted(host.substring(0, Math.min(host.length(), 60))));
    }
    if (hosts.size() == MOST_HOSTS) {
      throw new InvalidRosterException("more than %,d hosts".formatted(MOST_HOSTS));
    }
    hosts.add(host);
  }

  private static long number(String digits) throws InvalidRosterException {
    if (!digits.matches("\\d{1," + MOST_DIGITS + "}")) {
      throw new InvalidRosterException(
          "hostlist: '%s' is not a number"
              .formatted(digits.substring(0, Math.min(digits.length(), 40))));
    }
    return Long.parseLong(digits);
  }
}
