package io.fabrichealth.capture;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.Batches;
import java.io.ByteArrayOutputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

class PollBatchJsonFuzzTest {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final PollBatchJson JSON = new PollBatchJson(DICTIONARY);
  private static final JsonFactory FACTORY = new JsonFactory();

  /** Whatever is read at all is written and read again as it was. */
  @FuzzTest
  void whatever_is_read_is_written_as_it_was(byte[] text) throws InvalidPollException {
    PollRead first;
    try {
      first = read(text);
    } catch (JacksonException | InvalidPollException e) {
      return;
    }
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), written)) {
      JSON.write(out, first.batch());
    }

    PollRead second = read(written.toByteArray());

    assertThat(second.refused()).isZero();
    assertThat(second.batch().device()).isEqualTo(first.batch().device());
    assertThat(second.batch().at()).isEqualTo(first.batch().at());
    assertThat(second.batch().boot()).isEqualTo(first.batch().boot());
    assertThat(second.batch().complete()).isEqualTo(first.batch().complete());
    // A text may name a reading twice; the last one counts, and is the one that is written.
    assertThat(Batches.lines(first.batch(), DICTIONARY))
        .containsAll(Batches.lines(second.batch(), DICTIONARY));
    assertThat(first.refusals().size()).isLessThanOrEqualTo(PollRead.MOST_REFUSALS);
  }

  private static PollRead read(byte[] text) throws InvalidPollException {
    try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      return JSON.read(in);
    }
  }
}
