package io.fabrichealth.collect.infiniband;

import org.jspecify.annotations.Nullable;

/**
 * A place in a line that moves on as parts of it are recognised. Between two parts there may be any
 * white space or none: saved output loses tabs.
 */
final class LineCursor {
  private static final int MOST_DECIMAL_DIGITS = 9;
  private static final int MOST_HEX_DIGITS = 16;

  private final String text;
  private int at;

  LineCursor(String text) {
    this.text = text;
  }

  LineCursor skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return this;
  }

  boolean isAtEnd() {
    skipSpace();
    return at == text.length();
  }

  /** What is left of the line. */
  String rest() {
    return text.substring(at);
  }

  /** Takes the word where it comes next, whatever follows it. */
  boolean take(String word) {
    skipSpace();
    if (!text.startsWith(word, at)) {
      return false;
    }
    at += word.length();
    return true;
  }

  /** A decimal number of up to nine digits; -1 where there is none. */
  int number() {
    skipSpace();
    int begin = at;
    int value = 0;
    while (at < text.length() && isDigit(text.charAt(at))) {
      if (at - begin == MOST_DECIMAL_DIGITS) {
        at = begin;
        return -1;
      }
      value = value * 10 + (text.charAt(at++) - '0');
    }
    return at == begin ? -1 : value;
  }

  /** A GUID in hexadecimal, with or without {@code 0x}; 0 where there is none. */
  long guid() {
    skipSpace();
    int begin = at;
    if (text.startsWith("0x", at) || text.startsWith("0X", at)) {
      at += 2;
    }
    int first = at;
    long value = 0;
    while (at < text.length() && Character.digit(text.charAt(at), 16) >= 0) {
      if (at - first == MOST_HEX_DIGITS) {
        at = begin;
        return 0;
      }
      value = value << 4 | Character.digit(text.charAt(at++), 16);
    }
    return value;
  }

  /** A number in brackets, {@code [12]} or {@code [ ]}; 0 for an empty one, -1 for none. */
  int bracketed() {
    int begin = at;
    if (take("[")) {
      int number = number();
      if (take("]")) {
        return Math.max(number, 0);
      }
    }
    at = begin;
    return -1;
  }

  /** What stands in quotes; a name may hold quotes, so it ends at the last one of the line. */
  @Nullable String quotedToLast(char quote) {
    int end = text.lastIndexOf(quote);
    int begin = at;
    while (begin < text.length() && text.charAt(begin) != quote) {
      begin++;
    }
    if (begin >= end) {
      return null;
    }
    at = end + 1;
    return text.substring(begin + 1, end);
  }

  /** What stands in quotes right here, up to the next quote. */
  @Nullable String quoted(char quote) {
    skipSpace();
    if (at == text.length() || text.charAt(at) != quote) {
      return null;
    }
    int end = text.indexOf(quote, at + 1);
    if (end < 0) {
      return null;
    }
    String inside = text.substring(at + 1, end);
    at = end + 1;
    return inside;
  }

  /** Up to the next white space; empty at the end of the line. */
  String word() {
    skipSpace();
    int begin = at;
    while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return text.substring(begin, at);
  }

  /** Up to where the mark stands next, and behind it; null where there is none. */
  @Nullable String upTo(String mark) {
    int found = text.indexOf(mark, at);
    if (found < 0) {
      return null;
    }
    String before = text.substring(at, found);
    at = found + mark.length();
    return before;
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }
}
