package io.fabrichealth.topology;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Ids that are unique in the world: MACs (EUI-48) and GUIDs (EUI-64). */
final class GlobalId {
  private static final int MAC_LENGTH = 17;
  private static final int GUID_LENGTH = 18;

  private GlobalId() {}

  /**
   * The id as aliases have it: a MAC in lower case with colons, a GUID as {@code 0x} and 16 digits;
   * null where the text is neither, or one that names nothing (all zeros or all ones).
   */
  static @Nullable String of(String text) {
    boolean isId =
        (text.length() == MAC_LENGTH && isMac(text))
            || (text.length() == GUID_LENGTH && isGuid(text));
    return isId && !isEmpty(text) ? text.toLowerCase(Locale.ROOT) : null;
  }

  private static boolean isMac(String text) {
    for (int at = 0; at < MAC_LENGTH; at++) {
      char c = text.charAt(at);
      if (at % 3 == 2 ? c != ':' : !isHex(c)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isGuid(String text) {
    if (text.charAt(0) != '0' || (text.charAt(1) | 0x20) != 'x') {
      return false;
    }
    for (int at = 2; at < GUID_LENGTH; at++) {
      if (!isHex(text.charAt(at))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isHex(char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
  }

  private static boolean isEmpty(String id) {
    int from = id.charAt(1) == 'x' || id.charAt(1) == 'X' ? 2 : 0;
    char first = id.charAt(from);
    if (first != '0' && (first | 0x20) != 'f') {
      return false;
    }
    for (int at = from; at < id.length(); at++) {
      if (id.charAt(at) != first && id.charAt(at) != ':') {
        return false;
      }
    }
    return true;
  }
}
