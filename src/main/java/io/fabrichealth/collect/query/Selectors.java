package io.fabrichealth.collect.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Selectors that ask for many metrics at once. A number in a name stands for any number, as lanes
 * and priorities do: that makes a few dozen names of some hundred.
 */
final class Selectors {
  /** VictoriaMetrics takes 16 KiB by default ({@code -search.maxQueryLen}), all included. */
  private static final int LONGEST = 12_000;

  private static final Pattern NUMBER = Pattern.compile("(?<=[a-zA-Z_])\\d+(?=_|$)");

  private Selectors() {}

  /** Alternatives of names, each list for one selector. */
  static List<List<String>> split(List<String> metrics) {
    Set<String> names = new LinkedHashSet<>();
    metrics.forEach(metric -> names.add(NUMBER.matcher(metric).replaceAll("[0-9]+")));
    List<List<String>> split = new ArrayList<>();
    List<String> part = new ArrayList<>();
    int length = 0;
    for (String name : names) {
      if (length + name.length() > LONGEST) {
        split.add(part);
        part = new ArrayList<>();
        length = 0;
      }
      part.add(name);
      length += name.length() + 1;
    }
    if (!part.isEmpty()) {
      split.add(part);
    }
    return split;
  }

  /** All samples of the last while of series with one of the names and these labels. */
  static String text(List<String> names, Map<String, String> match, Duration window) {
    StringBuilder text = new StringBuilder("{__name__=~\"");
    // Names have neither quote nor backslash.
    text.append(String.join("|", names)).append('"');
    new TreeMap<>(match)
        .forEach(
            (label, value) ->
                text.append(',').append(label).append("=\"").append(escaped(value)).append('"'));
    return text.append("}[").append(window.toSeconds()).append("s]").toString();
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
