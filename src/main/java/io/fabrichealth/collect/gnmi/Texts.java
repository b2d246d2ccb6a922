package io.fabrichealth.collect.gnmi;

import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Texts of devices: without what harms, and addresses in one notation. */
final class Texts {
  private static final Pattern MAC = Pattern.compile("[0-9a-f]{12}");
  private static final HexFormat COLONS = HexFormat.ofDelimiter(":");

  private Texts() {}

  /** Without control characters, outer blanks and the quotes of a text within a text. */
  static String clean(String text, int longest) {
    String cut = text.length() > longest ? text.substring(0, longest) : text;
    StringBuilder clean = new StringBuilder(cut.length());
    for (int at = 0; at < cut.length(); at++) {
      char character = cut.charAt(at);
      clean.append(Character.isISOControl(character) ? ' ' : character);
    }
    String stripped = clean.toString().strip();
    return stripped.length() >= 2 && stripped.startsWith("\"") && stripped.endsWith("\"")
        ? stripped.substring(1, stripped.length() - 1).strip()
        : stripped;
  }

  /** A MAC address in lower case with colons; null where it is none, or all zero. */
  static @Nullable String mac(@Nullable String text) {
    String digits = text == null ? "" : text.toLowerCase(Locale.ROOT).replaceAll("[:.-]", "");
    return MAC.matcher(digits).matches() && !digits.equals("000000000000")
        ? COLONS.formatHex(HexFormat.of().parseHex(digits))
        : null;
  }
}
