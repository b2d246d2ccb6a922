package io.fabrichealth.collect.prometheus;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Unpacks gzip. {@link GZIPInputStream} calls itself once for each member of the stream that holds
 * nothing, so a stream of many of them would end in a stack overflow: here it is an error.
 */
public final class GunzipInputStream extends GZIPInputStream {
  private static final int MOST_EMPTY_MEMBERS = 8;

  private int depth;

  public GunzipInputStream(InputStream in, int bufferBytes) throws IOException {
    super(in, bufferBytes);
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (depth > MOST_EMPTY_MEMBERS) {
      throw new ZipException("many empty members");
    }
    depth++;
    try {
      return super.read(bytes, offset, length);
    } finally {
      depth--;
    }
  }
}
