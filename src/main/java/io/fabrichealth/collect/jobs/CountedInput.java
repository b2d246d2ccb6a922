package io.fabrichealth.collect.jobs;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes that are read. */
class CountedInput extends FilterInputStream {
  private long count;

  CountedInput(InputStream in) {
    super(in);
  }

  final long count() {
    return count;
  }

  /**
   * Told of each piece that was read.
   *
   * @throws IOException if that is too much
   */
  void add(long bytes) throws IOException {
    count += bytes;
  }

  @Override
  public final int read() throws IOException {
    int value = super.read();
    if (value >= 0) {
      add(1);
    }
    return value;
  }

  @Override
  public final int read(byte[] bytes, int from, int length) throws IOException {
    int read = super.read(bytes, from, length);
    if (read > 0) {
      add(read);
    }
    return read;
  }

  @Override
  public final long skip(long bytes) throws IOException {
    long skipped = super.skip(bytes);
    add(skipped);
    return skipped;
  }

  @Override
  public final boolean markSupported() {
    return false;
  }
}
