package io.fabrichealth.collect.infiniband;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines of bounded length from a stream of bounded length, in bounded memory. The end of a
 * line is LF or CR LF. Octets that are no UTF-8 become U+FFFD.
 */
final class LineReader {
  private static final int LONGEST_LINE = 16_384;

  private final InputStream in;
  private final long most;
  private final byte[] buffer = new byte[65_536];
  private final byte[] line = new byte[LONGEST_LINE];
  private int position;
  private int filled;
  private long octets;
  private int number;
  private boolean tooLong;
  private boolean cutOff;
  private boolean tooLarge;

  /**
   * @param most octets that are read at most
   */
  LineReader(InputStream in, long most) {
    this.in = in;
    this.most = most;
  }

  /** The next line without its end; null after the last. */
  @Nullable String next() throws IOException {
    int length = 0;
    tooLong = false;
    boolean begun = false;
    while (true) {
      if (position == filled && !fill()) {
        if (begun) {
          number++;
          cutOff = true;
        }
        return null;
      }
      begun = true;
      byte octet = buffer[position++];
      if (octet == '\n') {
        number++;
        int end = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
        return new String(line, 0, end, StandardCharsets.UTF_8);
      }
      if (length == LONGEST_LINE) {
        tooLong = true;
      } else {
        line[length++] = octet;
      }
    }
  }

  private boolean fill() throws IOException {
    if (octets >= most) {
      tooLarge = true;
      return false;
    }
    int got = in.read(buffer, 0, (int) Math.min(buffer.length, most - octets));
    position = 0;
    filled = Math.max(got, 0);
    octets += filled;
    return got > 0;
  }

  /** Number of the last line, from 1. */
  int number() {
    return number;
  }

  /** Whether the last line was longer than a line may be; its beginning was given. */
  boolean wasTooLong() {
    return tooLong;
  }

  /** Whether the stream ended within a line; that line was not given. */
  boolean isCutOff() {
    return cutOff;
  }

  /** Whether reading ended because the stream is larger than it may be. */
  boolean isTooLarge() {
    return tooLarge;
  }
}
