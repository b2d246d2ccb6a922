package io.fabrichealth.collect.jobs;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A dump does not hold its rank; only the file's name does: {@code comm_lib_trace_rank_12}. */
final class RankName {
  private static final Pattern NAMED =
      Pattern.compile("rank[_.-]?(\\d{1,9})(?!\\d)", Pattern.CASE_INSENSITIVE);
  private static final Pattern LAST = Pattern.compile("(?<!\\d)(\\d{1,9})$");
  private static final Pattern EXTENSION =
      Pattern.compile("\\.(json|pickle|pkl|bin|dump|txt|gz|log)$", Pattern.CASE_INSENSITIVE);

  private RankName() {}

  /** Only where the name says that the number is a rank. */
  static OptionalInt explicit(String fileName) {
    Matcher named = NAMED.matcher(fileName);
    return named.find() ? OptionalInt.of(Integer.parseInt(named.group(1))) : OptionalInt.empty();
  }

  static OptionalInt of(String fileName) {
    String name = fileName;
    for (Matcher end = EXTENSION.matcher(name); end.find(); end = EXTENSION.matcher(name)) {
      name = name.substring(0, end.start());
    }
    Matcher named = NAMED.matcher(name);
    if (named.find()) {
      return OptionalInt.of(Integer.parseInt(named.group(1)));
    }
    Matcher last = LAST.matcher(name);
    return last.find() ? OptionalInt.of(Integer.parseInt(last.group(1))) : OptionalInt.empty();
  }
}
