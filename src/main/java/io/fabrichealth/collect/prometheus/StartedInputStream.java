package io.fabrichealth.collect.prometheus;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * A stream whose first bytes have been looked at. It gives them all the same, also where the stream
 * broke within them: then it breaks behind them.
 */
final class StartedInputStream extends InputStream {
  private static final int START = 128;

  private final InputStream in;
  private final byte[] start = new byte[START];
  private final int length;
  private final @Nullable IOException broken;
  private int given;

  StartedInputStream(InputStream in) {
    this.in = in;
    int filled = 0;
    IOException failure = null;
    try {
      int read;
      while (filled < START && (read = in.read(start, filled, START - filled)) >= 0) {
        filled += read;
      }
    } catch (IOException e) {
      failure = e;
    }
    length = filled;
    broken = failure;
  }

  /** The first bytes, of which {@link #length} are there. */
  byte[] start() {
    return start;
  }

  int length() {
    return length;
  }

  @Override
  public int read() throws IOException {
    if (given < length) {
      return start[given++] & 0xFF;
    }
    if (broken != null) {
      throw broken;
    }
    return in.read();
  }

  @Override
  public int read(byte[] bytes, int offset, int most) throws IOException {
    if (given < length) {
      int some = Math.min(most, length - given);
      System.arraycopy(start, given, bytes, offset, some);
      given += some;
      return some;
    }
    if (broken != null) {
      throw broken;
    }
    return in.read(bytes, offset, most);
  }
}
