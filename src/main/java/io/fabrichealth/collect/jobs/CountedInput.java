package io.fabrichealth.collect.jobs;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the packed bytes of an archive. */
final class CountedInput extends FilterInputStream {
  private long count;

  CountedInput(InputStream in) {
    super(in);
  }

  long count() {
    return count;
  }

  @Override
  public int read() throws IOException {
    int value = super.read();
    count += value < 0 ? 0 : 1;
    return value;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    int read = super.read(bytes, from, length);
    count += Math.max(read, 0);
    return read;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
