package io.fabrichealth.capture;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.Batches;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
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
    assertThat(head(second.batch())).isEqualTo(head(first.batch()));
    assertThat(places(second.batch())).isEqualTo(places(first.batch()));
    // A text may name a reading twice; the last one counts, and is the one that is written.
    assertThat(Batches.lines(first.batch(), DICTIONARY))
        .containsAll(Batches.lines(second.batch(), DICTIONARY));
    assertThat(first.refusals().size()).isLessThanOrEqualTo(PollRead.MOST_REFUSALS);
  }

  /** All but the readings. */
  private static List<@Nullable Object> head(PollBatch batch) {
    return Arrays.asList(
        batch.device(),
        batch.collector(),
        batch.at(),
        batch.deviceTime(),
        batch.boot(),
        batch.complete(),
        batch.ports().stream()
            .filter(port -> batch.discontinuity(port) != null)
            .collect(Collectors.toMap(port -> port, batch::discontinuity)),
        IntStream.range(0, DICTIONARY.size()).map(batch::counterBits).boxed().toList());
  }

  /** Port, signal and element of each reading. */
  private static Set<List<Object>> places(PollBatch batch) {
    return IntStream.range(0, batch.size())
        .mapToObj(
            reading ->
                List.<Object>of(
                    batch.ports().get(batch.portIndex(reading)),
                    batch.signal(reading),
                    batch.element(reading)))
        .collect(Collectors.toSet());
  }

  private static PollRead read(byte[] text) throws InvalidPollException {
    try (JsonParser in = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      return JSON.read(in);
    }
  }
}
