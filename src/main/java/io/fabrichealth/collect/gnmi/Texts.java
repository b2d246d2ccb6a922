package io.fabrichealth.collect.gnmi;

/** Texts of devices, without what harms. */
final class Texts {
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
}
