package io.fabrichealth.collect.push;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.InvalidProtocolBufferException;
import io.fabrichealth.collect.scrape.SeriesLabels;
import io.fabrichealth.testing.WriteRequest;

class RemoteWriteFuzzTest {

  /** Each sample is told once, and every label stands within the message. */
  @FuzzTest
  void a_message_is_decoded_or_said_to_be_none(byte[] message) {
    Told told = new Told(message.length);
    try {
      new RemoteWriteDecoder().decode(message, message.length, told);
    } catch (InvalidProtocolBufferException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
    assertThat(told.samples).isEqualTo(told.announced);
    // A sample is at least a tag and a length.
    assertThat(told.samples).isLessThanOrEqualTo(message.length / 2);
  }

  /** Whatever the body, the receiver takes it or throws its own exception, and stays usable. */
  @FuzzTest
  void a_body_is_taken_or_refused_and_the_next_one_is_read(byte[] body) {
    try (Pushed pushed = new Pushed()) {
      for (String encoding : new String[] {"snappy", "gzip", "zstd", ""}) {
        try {
          pushed.write(WriteRequest.MEDIA_TYPE, encoding, body);
        } catch (PushException e) {
          assertThat(e.code()).isNotEqualTo(PushException.Code.BUSY);
        }
      }
      pushed.write(
          new WriteRequest()
              .sample(
                  "node_network_carrier",
                  Pushed.MILLIS,
                  1,
                  "device",
                  "eth0",
                  "instance",
                  "the-next-one"));
      pushed.close();
      assertThat(pushed.outcomes)
          .anySatisfy(outcome -> assertThat(outcome.batch().device()).isEqualTo("the-next-one"));
    }
  }

  private static final class Told implements SeriesListener {
    private final int length;
    private long announced;
    private long samples;

    Told(int length) {
      this.length = length;
    }

    @Override
    public boolean series(SeriesLabels labels, int count) {
      announced += count;
      for (int label = 0; label < labels.size(); label++) {
        assertThat(labels.nameFrom(label)).isBetween(0, labels.nameTo(label));
        assertThat(labels.valueFrom(label)).isBetween(0, labels.valueTo(label));
        assertThat(labels.valueTo(label)).isLessThanOrEqualTo(length);
        assertThat(labels.nameTo(label)).isLessThanOrEqualTo(length);
      }
      return true;
    }

    @Override
    public void sample(long bits, long millis) {
      samples++;
    }

    @Override
    public void refused(Refusal why, int count) {
      assertThat(count).isPositive();
    }
  }
}
