package io.fabrichealth.collect.wiring;

import io.fabrichealth.collect.wiring.ImportedWiring.Refused;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects rows that were not taken, and counts those that no list is long enough for. */
final class Refusals {
  private static final int LONGEST_ECHO = 80;

  private final List<Refused> refused = new ArrayList<>();
  private int more;

  void add(int line, @Nullable String field, String problem) {
    if (refused.size() < ImportedWiring.MOST_REFUSED) {
      refused.add(new Refused(line, field, problem));
    } else {
      more++;
    }
  }

  List<Refused> list() {
    return refused;
  }

  /** The remarks, and how many rows were refused and are not listed. */
  List<String> with(List<String> remarks) {
    List<String> all = new ArrayList<>(remarks);
    if (more > 0) {
      all.add(more + " more rows were refused");
    }
    return all;
  }

  /** Input in messages is kept short. */
  static String quoted(String text) {
    return "'"
        + (text.length() <= LONGEST_ECHO ? text : text.substring(0, LONGEST_ECHO) + "...")
        + "'";
  }
}
