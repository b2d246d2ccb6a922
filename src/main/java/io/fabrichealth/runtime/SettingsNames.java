package io.fabrichealth.runtime;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Compares names as people misspell them. */
final class SettingsNames {
  private SettingsNames() {}

  /** The known name that is meant by {@code name}; null where none is near. */
  static @Nullable String nearest(String name, Collection<String> known) {
    return known.stream()
        .filter(candidate -> distance(name, candidate) <= Math.max(1, candidate.length() / 3))
        .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
        .orElse(null);
  }

  /** {@code unknown key 'adress', did you mean 'address'?} */
  static String unknown(String what, String name, Collection<String> known) {
    String nearest = nearest(name, known);
    return "unknown "
        + what
        + " '"
        + name
        + "'"
        + (nearest == null ? "" : ", did you mean '" + nearest + "'?");
  }

  /** Lower-case names of the constants. */
  static <E extends Enum<E>> String list(Collection<E> constants) {
    return constants.stream()
        .map(constant -> constant.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }

  /** Edit distance of Levenshtein, without regard to case and dashes. */
  private static int distance(String one, String other) {
    String a = plain(one);
    String b = plain(other);
    int[] row = new int[b.length() + 1];
    Arrays.setAll(row, i -> i);
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
  }
}
