package io.fabrichealth.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/**
 * Texts as PostgreSQL takes them. Names come from devices; NUL and half of a surrogate pair are
 * replaced, so that one bad name does not keep everything else from being stored.
 */
final class StoredText {
  private StoredText() {}

  /** The text with what PostgreSQL does not take replaced by U+FFFD or {@code ?}. */
  static String of(String text) {
    return new String(text.getBytes(UTF_8), UTF_8).replace('\0', '\uFFFD');
  }

  static @Nullable String ofNullable(@Nullable String text) {
    return text == null ? null : of(text);
  }
}
