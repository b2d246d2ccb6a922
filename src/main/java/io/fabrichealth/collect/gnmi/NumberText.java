package io.fabrichealth.collect.gnmi;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Numbers as devices write them: also {@code 2.e9}, which Redis Lua makes and JSON does not know.
 */
final class NumberText {
  private static final int LONGEST = 64;

  /** Not all that {@link Double#parseDouble} takes: neither hexadecimal nor a type's letter. */
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,4})?");

  private NumberText() {}

  static boolean isNumber(String text) {
    return text.length() <= LONGEST && NUMBER.matcher(text).matches();
  }

  /** Why the text is no number. */
  static CellState none(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "", "n/a", "na", "-", "none", "null", "unknown", "not available" ->
          CellState.NOT_AVAILABLE;
      case "-inf", "-infinity" -> CellState.NO_LIGHT;
      default -> CellState.NOT_A_NUMBER;
    };
  }
}
