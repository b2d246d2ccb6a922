package io.fabrichealth.collect.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;

class QueryAnswerFuzzTest {

  /** Every series is told or counted, and its labels stand within their bytes. */
  @FuzzTest
  void an_answer_is_read_or_said_to_be_none(byte[] body) {
    long[] told = new long[1];
    QueryAnswer answer = new QueryAnswer();
    try {
      answer.read(
          new ByteArrayInputStream(body),
          (labels, times, values, samples) -> {
            told[0]++;
            assertThat(samples).isBetween(1, body.length);
            for (int label = 0; label < labels.size(); label++) {
              assertThat(labels.valueTo(label)).isLessThanOrEqualTo(labels.bytes().length);
              assertThat(labels.value(label)).isNotNull();
            }
          });
    } catch (IOException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
    assertThat(told[0]).isEqualTo(answer.series());
    assertThat(answer.warnings()).hasSizeLessThanOrEqualTo(10);
  }
}
