package io.fabrichealth.testing;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.TreeMap;
import org.xerial.snappy.Snappy;

/** Writes {@code prometheus.WriteRequest} of remote-write 1.0, field by field. */
public final class WriteRequest {
  public static final String MEDIA_TYPE = "application/x-protobuf";

  private static final long STALE = 0x7FF0000000000002L;

  private final ByteArrayOutputStream message = new ByteArrayOutputStream();

  private interface Content {
    void write(CodedOutputStream out) throws IOException;
  }

  /**
   * A series with one sample.
   *
   * @param labels names and values in turn
   */
  public WriteRequest sample(String metric, long millis, double value, String... labels) {
    return samples(metric, new long[] {millis}, new double[] {value}, labels);
  }

  public WriteRequest stale(String metric, long millis, String... labels) {
    return sample(metric, millis, Double.longBitsToDouble(STALE), labels);
  }

  public WriteRequest samples(String metric, long[] millis, double[] values, String... labels) {
    TreeMap<String, String> sorted = new TreeMap<>();
    sorted.put("__name__", metric);
    for (int index = 0; index < labels.length; index += 2) {
      sorted.put(labels[index], labels[index + 1]);
    }
    byte[] series =
        bytes(
            out -> {
              for (var label : sorted.entrySet()) {
                out.writeByteArray(
                    1,
                    bytes(
                        name -> {
                          name.writeString(1, label.getKey());
                          name.writeString(2, label.getValue());
                        }));
              }
              for (int index = 0; index < millis.length; index++) {
                double value = values[index];
                long time = millis[index];
                out.writeByteArray(
                    2,
                    bytes(
                        sample -> {
                          sample.writeFixed64(1, Double.doubleToRawLongBits(value));
                          sample.writeInt64(2, time);
                        }));
              }
            });
    return field(1, series);
  }

  /** Any field of the message, as bytes. */
  public WriteRequest field(int number, byte[] content) {
    message.writeBytes(bytes(out -> out.writeByteArray(number, content)));
    return this;
  }

  private static byte[] bytes(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(bytes, 64);
      content.write(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  public byte[] message() {
    return message.toByteArray();
  }

  /** As a sender packs it. */
  public byte[] body() {
    try {
      return Snappy.compress(message());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
