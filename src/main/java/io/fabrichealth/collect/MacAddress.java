package io.fabrichealth.collect;

import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** MAC addresses (EUI-48) as devices write them: with colons, dashes, Cisco's dots, or bare. */
public final class MacAddress {
  private static final Pattern DIGITS = Pattern.compile("[0-9a-f]{12}");
  private static final String NONE = "000000000000";
  private static final HexFormat COLONS = HexFormat.ofDelimiter(":");

  private MacAddress() {}

  /** In lower case with colons; null where the text is none, or all zero. */
  public static @Nullable String of(@Nullable String text) {
    String digits = text == null ? "" : text.toLowerCase(Locale.ROOT).replaceAll("[:.-]", "");
    return DIGITS.matcher(digits).matches() && !digits.equals(NONE)
        ? COLONS.formatHex(HexFormat.of().parseHex(digits))
        : null;
  }
}
