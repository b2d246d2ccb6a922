package io.fabrichealth.collect.push;

import com.github.luben.zstd.ZstdInputStream;
import io.fabrichealth.collect.prometheus.GunzipInputStream;
import io.fabrichealth.collect.push.PushException.Code;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.xerial.snappy.Snappy;

/** How a body is packed. A size that a body claims is checked before memory is taken for it. */
enum Compression {
  NONE,
  GZIP,
  /** The block format, as remote-write asks for. */
  SNAPPY,
  /** As vmagent sends. */
  ZSTD;

  /** What a frame may ask for: 32 MiB. */
  private static final int LARGEST_WINDOW_LOG = 25;

  /**
   * By the header {@code Content-Encoding}.
   *
   * @throws PushException where it is none of these
   */
  static Compression of(String contentEncoding) throws PushException {
    return switch (contentEncoding.strip().toLowerCase(Locale.ROOT)) {
      case "", "identity" -> NONE;
      case "gzip" -> GZIP;
      case "snappy" -> SNAPPY;
      case "zstd" -> ZSTD;
      default ->
          throw new PushException(
              Code.UNSUPPORTED, "Content-Encoding: expected snappy, zstd, gzip or identity");
    };
  }

  /**
   * Unpacks a body.
   *
   * @throws PushException where it is not what it claims to be, or larger than the limit
   */
  byte[] unpack(byte[] body, int most) throws PushException {
    return switch (this) {
      case NONE -> checked(body, most);
      case GZIP -> gunzip(body, most);
      case SNAPPY -> unsnap(body, most);
      case ZSTD -> unzstd(body, most);
    };
  }

  private static byte[] checked(byte[] body, int most) throws PushException {
    if (body.length > most) {
      throw tooLarge(most);
    }
    return body;
  }

  private static byte[] gunzip(byte[] body, int most) throws PushException {
    try (InputStream in = new GunzipInputStream(new ByteArrayInputStream(body), 8 * 1024)) {
      return read(in, most);
    } catch (IOException e) {
      throw malformed("gzip");
    }
  }

  private static byte[] unzstd(byte[] body, int most) throws PushException {
    try (ZstdInputStream in = new ZstdInputStream(new ByteArrayInputStream(body))) {
      return read(in.setLongMax(LARGEST_WINDOW_LOG), most);
    } catch (IOException e) {
      throw malformed("frame of zstd");
    }
  }

  private static byte[] read(InputStream in, int most) throws IOException, PushException {
    byte[] plain = in.readNBytes(most);
    if (in.read() >= 0) {
      throw tooLarge(most);
    }
    return plain;
  }

  private static byte[] unsnap(byte[] body, int most) throws PushException {
    try {
      int claimed = Snappy.uncompressedLength(body);
      if (claimed < 0 || claimed > most) {
        throw tooLarge(most);
      }
      if (!Snappy.isValidCompressedBuffer(body)) {
        throw malformed("block of snappy");
      }
      return Snappy.uncompress(body);
    } catch (IOException e) {
      throw malformed("block of snappy");
    }
  }

  private static PushException tooLarge(int most) {
    return new PushException(
        Code.TOO_LARGE, "the body is larger than the limit of " + most + " bytes when unpacked");
  }

  private static PushException malformed(String what) {
    return new PushException(Code.MALFORMED, "the body is no " + what);
  }
}
