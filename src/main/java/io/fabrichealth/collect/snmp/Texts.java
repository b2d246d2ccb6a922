package io.fabrichealth.collect.snmp;

import io.fabrichealth.collect.MacAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.Variable;

/** Reads what agents put into octet strings: names, descriptions, addresses. */
final class Texts {
  private static final int MAC_OCTETS = 6;
  private static final int LONGEST = 255;

  private Texts() {}

  /** Text without control characters and outer blanks; empty where there is none. */
  static String text(@Nullable Variable value) {
    if (!(value instanceof OctetString octets)) {
      return "";
    }
    byte[] bytes = octets.getValue();
    String text = new String(bytes, 0, Math.min(bytes.length, LONGEST), StandardCharsets.UTF_8);
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .map(character -> Character.isISOControl(character) ? ' ' : character)
        .forEach(clean::appendCodePoint);
    return clean.toString().strip();
  }

  /**
   * A MAC address in lower case with colons, from six octets or from text in one of the usual
   * notations; null where it is none, or all zero.
   */
  static @Nullable String mac(@Nullable Variable value) {
    if (!(value instanceof OctetString octets)) {
      return null;
    }
    byte[] bytes = octets.getValue();
    return MacAddress.of(
        bytes.length == MAC_OCTETS ? HexFormat.of().formatHex(bytes) : text(value));
  }
}
