package io.fabrichealth.collect.prometheus;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Streams a page in the Prometheus text exposition format (version 0.0.4, and what OpenMetrics 1.0
 * adds to its lines: UNIT, EOF, fractional timestamps, exemplars) through one buffer. A line costs
 * no object. A line that cannot be read is told to the listener and skipped.
 */
final class ExpositionParser {
  /** A longer line is skipped. */
  static final int LONGEST_LINE = 1 << 16;

  /** So many bad lines and not one good: this is something else than an exposition. */
  private static final int BAD_LINES_OF_GARBAGE = 1_000;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long NEWLINES = '\n' * LOW_BITS;

  private static final byte NAME_START = 1;
  private static final byte NAME_PART = 2;
  private static final byte[] CLASSES = new byte[256];

  static {
    for (int character = 0; character < CLASSES.length; character++) {
      boolean letter =
          (character >= 'a' && character <= 'z')
              || (character >= 'A' && character <= 'Z')
              || character == '_'
              || character == ':';
      boolean digit = character >= '0' && character <= '9';
      CLASSES[character] = (byte) (letter ? NAME_START | NAME_PART : digit ? NAME_PART : 0);
    }
  }

  private final byte[] buffer = new byte[LONGEST_LINE];
  private final SampleLine line = new SampleLine();
  private final DecimalText timestamp = new DecimalText();

  /** Name and number of the metric of the line before; length 0 where there is none. */
  private final byte[] name = new byte[256];

  private int nameLength;
  private int metric;
  private long lines;
  private long samples;
  private long badLines;
  private boolean endsInLine;
  private boolean eof;

  /** Lines seen. */
  long lines() {
    return lines;
  }

  /** Good samples seen, wanted or not. */
  long samples() {
    return samples;
  }

  long badLines() {
    return badLines;
  }

  /** Whether the page ended without the newline that ends each line: its last line may be cut. */
  boolean endsInLine() {
    return endsInLine;
  }

  /** Whether the marker that ends an OpenMetrics page was seen. */
  boolean sawEof() {
    return eof;
  }

  void clear() {
    lines = 0;
    samples = 0;
    badLines = 0;
    nameLength = 0;
    endsInLine = false;
    eof = false;
  }

  /** Reads to the end, or until the page is clearly no exposition. */
  void parse(InputStream page, ExpositionListener listener) throws IOException {
    clear();
    int filled = 0;
    boolean skipping = false;
    while (samples > 0 || badLines < BAD_LINES_OF_GARBAGE) {
      int read = page.read(buffer, filled, buffer.length - filled);
      if (read < 0) {
        endsInLine = filled > 0 || skipping;
        return;
      }
      int end = filled + read;
      int from = 0;
      for (int at = newline(filled, end); at < end; at = newline(at + 1, end)) {
        lines++;
        if (skipping) {
          skipping = false;
        } else {
          readLine(from, at, listener);
        }
        from = at + 1;
      }
      filled = end - from;
      if (filled == buffer.length && !skipping) {
        badLines++;
        listener.bad(lines + 1, buffer, 0, end, "at most " + LONGEST_LINE + " bytes");
        skipping = true;
      }
      if (skipping) {
        filled = 0;
      } else if (from > 0) {
        System.arraycopy(buffer, from, buffer, 0, filled);
      }
    }
  }

  /** The place of the next newline; {@code to} where there is none. */
  private int newline(int from, int to) {
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      // A byte of the difference is zero where a newline is, and borrows into its top bit.
      long difference = (long) LONGS.get(buffer, at) ^ NEWLINES;
      long found = (difference - LOW_BITS) & ~difference & HIGH_BITS;
      if (found != 0) {
        return at + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    while (at < to && buffer[at] != '\n') {
      at++;
    }
    return at;
  }

  private void readLine(int from, int end, ExpositionListener listener) {
    int to = end;
    while (to > from && isBlank(buffer[to - 1])) {
      to--;
    }
    int at = skipBlanks(from, to);
    if (at == to) {
      return;
    }
    if (buffer[at] == '#') {
      readComment(at + 1, to, listener);
      return;
    }
    String expected = readSample(at, to, listener);
    if (expected.isEmpty()) {
      samples++;
    } else {
      badLines++;
      listener.bad(lines, buffer, from, to, expected);
    }
  }

  private void readComment(int from, int to, ExpositionListener listener) {
    int word = skipBlanks(from, to);
    int wordEnd = skipWord(word, to);
    if (is("EOF", word, wordEnd)) {
      eof = true;
    } else if (is("TYPE", word, wordEnd)) {
      int name = skipBlanks(wordEnd, to);
      int nameEnd = skipWord(name, to);
      int type = skipBlanks(nameEnd, to);
      int typeEnd = skipWord(type, to);
      if (typeEnd > type) {
        listener.type(buffer, name, nameEnd, type, typeEnd);
      }
    }
  }

  /** What was expected where the line cannot be read; empty where it can. */
  private String readSample(int from, int to, ExpositionListener listener) {
    int nameEnd = isSameName(from, to) ? from + nameLength : readName(from, to, listener);
    if (nameEnd == from) {
      return "a metric's name";
    }
    line.begin(buffer, lines);
    int at = skipBlanks(nameEnd, to);
    if (at < to && buffer[at] == '{') {
      at = readLabels(at + 1, to);
      if (at < 0) {
        return "labels as {name=\"value\",...}";
      }
      at = skipBlanks(at, to);
    } else if (at == nameEnd) {
      return "a blank or '{' behind the name";
    }
    int valueEnd = skipWord(at, to);
    if (!line.value.parse(buffer, at, valueEnd)) {
      return "a number";
    }
    if (!isGoodTail(valueEnd, to)) {
      return "a timestamp or nothing behind the value";
    }
    if (metric >= 0) {
      listener.sample(metric, line);
    }
    return "";
  }

  /** Whether the name is that of the line before: the samples of a metric stand together. */
  private boolean isSameName(int from, int to) {
    int end = from + nameLength;
    return nameLength > 0
        && end < to
        && (CLASSES[buffer[end] & 0xFF] & NAME_PART) == 0
        && Arrays.equals(buffer, from, end, name, 0, nameLength);
  }

  /** The place behind the name; where it begins, where there is none. */
  private int readName(int from, int to, ExpositionListener listener) {
    if ((CLASSES[buffer[from] & 0xFF] & NAME_START) == 0) {
      return from;
    }
    int at = from;
    int hash = 0;
    while (at < to && (CLASSES[buffer[at] & 0xFF] & NAME_PART) != 0) {
      hash = 31 * hash + buffer[at];
      at++;
    }
    metric = listener.metric(buffer, from, at, hash);
    nameLength = at - from <= name.length ? at - from : 0;
    System.arraycopy(buffer, from, name, 0, nameLength);
    return at;
  }

  /** Nothing, a timestamp, or an exemplar behind a '#'. */
  private boolean isGoodTail(int from, int to) {
    int at = skipBlanks(from, to);
    if (at < to && buffer[at] != '#') {
      int end = skipWord(at, to);
      if (!timestamp.parse(buffer, at, end)) {
        return false;
      }
      line.setStamp(timestamp.value());
      at = skipBlanks(end, to);
    }
    return at == to || buffer[at] == '#';
  }

  /** The place behind the closing brace; -1 where the labels cannot be read. */
  private int readLabels(int from, int to) {
    int at = skipBlanks(from, to);
    while (at < to && buffer[at] != '}') {
      int name = at;
      if ((CLASSES[buffer[at] & 0xFF] & NAME_START) == 0) {
        return -1;
      }
      while (at < to && (CLASSES[buffer[at] & 0xFF] & NAME_PART) != 0) {
        at++;
      }
      int nameEnd = at;
      at = skipBlanks(at, to);
      if (at == to || buffer[at] != '=') {
        return -1;
      }
      at = skipBlanks(at + 1, to);
      if (at == to || buffer[at] != '"') {
        return -1;
      }
      int value = ++at;
      while (at < to && buffer[at] != '"') {
        at += buffer[at] == '\\' ? 2 : 1;
      }
      if (at >= to || !line.addLabel(name, nameEnd, value, at)) {
        return -1;
      }
      at = skipBlanks(at + 1, to);
      if (at < to && buffer[at] == ',') {
        at = skipBlanks(at + 1, to);
      } else if (at < to && buffer[at] != '}') {
        return -1;
      }
    }
    return at < to ? at + 1 : -1;
  }

  private boolean is(String word, int from, int to) {
    if (to - from != word.length()) {
      return false;
    }
    for (int index = 0; index < word.length(); index++) {
      if (buffer[from + index] != word.charAt(index)) {
        return false;
      }
    }
    return true;
  }

  private int skipBlanks(int from, int to) {
    int at = from;
    while (at < to && isBlank(buffer[at])) {
      at++;
    }
    return at;
  }

  private int skipWord(int from, int to) {
    int at = from;
    while (at < to && !isBlank(buffer[at])) {
      at++;
    }
    return at;
  }

  private static boolean isBlank(byte character) {
    return character == ' ' || character == '\t' || character == '\r';
  }
}
