package io.fabrichealth.capture;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** The lines of a file that may be compressed, which its content tells. */
final class LineInput implements AutoCloseable {
  /** A topology of 100,000 links takes about 50 MB. */
  static final int LONGEST = 128 << 20;

  private static final int BUFFER = 1 << 16;
  private static final int KEPT = 1 << 20;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int end;
  private byte[] line = new byte[BUFFER];
  private int length;
  private boolean isTooLong;
  private boolean isEnded;

  private LineInput(InputStream in) {
    this.in = in;
  }

  /** RFC 1952 begins with 1f 8b, RFC 8878 with 28 b5 2f fd. */
  static LineInput of(InputStream file) throws IOException {
    BufferedInputStream in = new BufferedInputStream(file, BUFFER);
    in.mark(4);
    byte[] magic = in.readNBytes(4);
    in.reset();
    boolean gzip = magic.length >= 2 && magic[0] == 0x1f && magic[1] == (byte) 0x8b;
    boolean zstd = Arrays.equals(magic, new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd});
    return new LineInput(
        gzip ? new GZIPInputStream(in, BUFFER) : zstd ? new ZstdInputStream(in) : in);
  }

  /**
   * Goes on to the next line.
   *
   * @return false at the end
   * @throws IOException where the file is cut off or cannot be read on; what was read of the line
   *     is lost
   */
  boolean next() throws IOException {
    if (line.length > KEPT) {
      line = new byte[BUFFER];
    }
    length = 0;
    isTooLong = false;
    isEnded = false;
    while (true) {
      if (position == end) {
        position = 0;
        end = Math.max(0, in.read(buffer));
        if (end == 0) {
          return length > 0 || isTooLong;
        }
      }
      int from = position;
      while (position < end && buffer[position] != '\n') {
        position++;
      }
      append(from, position - from);
      if (position < end) {
        position++;
        isEnded = true;
        return true;
      }
    }
  }

  private void append(int from, int count) {
    if (isTooLong || length + count > LONGEST) {
      isTooLong = true;
      return;
    }
    if (length + count > line.length) {
      line = Arrays.copyOf(line, Math.clamp(line.length * 2L, length + count, LONGEST));
    }
    System.arraycopy(buffer, from, line, length, count);
    length += count;
  }

  /** The bytes of the line; good for {@link #length} of them, until the next one. */
  byte[] bytes() {
    return line;
  }

  int length() {
    return length;
  }

  /** Whether the line is longer than any record. */
  boolean isTooLong() {
    return isTooLong;
  }

  /** Whether the line ends as lines do; the last one of a file that is cut off does not. */
  boolean isEnded() {
    return isEnded;
  }

  boolean isBlank() {
    for (int i = 0; i < length; i++) {
      if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') {
        return false;
      }
    }
    return !isTooLong;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
