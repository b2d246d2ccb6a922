package io.fabrichealth.collect.push;

import com.google.protobuf.InvalidProtocolBufferException;
import io.fabrichealth.collect.push.PushException.Code;
import java.util.Locale;

/**
 * Receives remote-write 1.0. The messages of 2.0 are refused by their media type, as the
 * specification has it for a receiver that does not know them.
 *
 * @see <a href="https://prometheus.io/docs/specs/prw/remote_write_spec_2_0/">Remote-Write 2.0</a>
 */
final class RemoteWriteReceiver {
  static final String NAME = "remote-write";

  private static final String MEDIA_TYPE = "application/x-protobuf";
  private static final String MESSAGE = "prometheus.writerequest";

  private final Scrapes scrapes;
  private final SeriesIntake series;
  private final RemoteWriteDecoder decoder = new RemoteWriteDecoder();

  RemoteWriteReceiver(Scrapes scrapes) {
    this.scrapes = scrapes;
    series = new SeriesIntake(scrapes);
  }

  void take(byte[] message) throws PushException {
    synchronized (scrapes) {
      scrapes.begin();
      series.begin();
      try {
        decoder.decode(message, message.length, series);
      } catch (InvalidProtocolBufferException e) {
        throw new PushException(
            Code.MALFORMED, "the body is no prometheus.WriteRequest: " + e.getMessage());
      } finally {
        scrapes.tally().flush();
      }
    }
  }

  static void checkType(String contentType) throws PushException {
    String[] parts = contentType.toLowerCase(Locale.ROOT).replace(" ", "").split(";", -1);
    boolean isKnown = parts[0].equals(MEDIA_TYPE);
    for (int index = 1; index < parts.length; index++) {
      isKnown &= !parts[index].startsWith("proto=") || parts[index].equals("proto=" + MESSAGE);
    }
    if (!isKnown) {
      throw new PushException(
          Code.UNSUPPORTED,
          "Content-Type: expected application/x-protobuf with a prometheus.WriteRequest"
              + " (remote-write 1.0)");
    }
  }
}
