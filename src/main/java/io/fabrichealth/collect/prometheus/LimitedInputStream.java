package io.fabrichealth.collect.prometheus;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Ends with an exception where a stream holds more than it may. */
final class LimitedInputStream extends FilterInputStream {
  private final long limit;
  private long read;

  LimitedInputStream(InputStream in, long limit) {
    super(in);
    this.limit = limit;
  }

  /** The stream is larger than the limit. */
  static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1;

    TooLargeException(long limit) {
      super("larger than the limit of " + limit + " bytes");
    }
  }

  @Override
  public int read() throws IOException {
    int next = super.read();
    count(next < 0 ? 0 : 1);
    return next;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int got = super.read(bytes, offset, length);
    count(Math.max(got, 0));
    return got;
  }

  private void count(int bytes) throws IOException {
    read += bytes;
    if (read > limit) {
      throw new TooLargeException(limit);
    }
  }
}
