package io.fabrichealth.collect.push;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;

class OtlpFuzzTest {

  /** The first byte chooses the encoding. */
  @FuzzTest
  void a_request_is_taken_or_refused_and_the_next_one_is_read(byte[] input) {
    OtlpEncoding encoding =
        input.length > 0 && input[0] == 1 ? OtlpEncoding.JSON : OtlpEncoding.PROTOBUF;
    byte[] body = Arrays.copyOfRange(input, Math.min(1, input.length), input.length);
    try (Pushed pushed = new Pushed()) {
      try {
        assertThat(pushed.otlp(encoding, "", body)).isNotNull();
      } catch (PushException e) {
        assertThat(e.code()).isEqualTo(PushException.Code.MALFORMED);
        assertThat(encoding.failure(String.valueOf(e.getMessage()))).isNotEmpty();
      }
      pushed.otlp(
          new OtlpRequest("the-next-one")
              .gauge("node_network_carrier", Pushed.MILLIS, 1, "device", "eth0"));
      pushed.close();
      assertThat(pushed.outcomes)
          .anySatisfy(outcome -> assertThat(outcome.batch().device()).isEqualTo("the-next-one"));
    }
  }
}
