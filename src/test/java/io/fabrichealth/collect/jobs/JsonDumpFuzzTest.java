package io.fabrichealth.collect.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fabrichealth.collective.FlightRecorder;
import io.fabrichealth.collective.Job;
import io.fabrichealth.collective.JobAnalyzer;
import io.fabrichealth.collective.recorder.RecorderValues;
import io.fabrichealth.collective.recorder.UnreadableDumpException;
import java.io.ByteArrayInputStream;
import java.util.List;

/** JSON that is said to be a dump, and what two ranks that left it would say of their job. */
class JsonDumpFuzzTest {
  private final JsonDump dumps = new JsonDump(new RecorderValues());

  @FuzzTest
  void whatever_the_text_is_there_is_a_recorder_or_a_reason(byte[] bytes) {
    try {
      FlightRecorder first = read(bytes, 0);
      FlightRecorder second = read(bytes, 1);
      assertThat(first.size()).isEqualTo(second.size()).isLessThanOrEqualTo(bytes.length);
      for (int entry = 0; entry < first.size(); entry++) {
        assertThat(first.group(entry)).isNotNull();
        assertThat(first.operation(entry)).isNotNull();
        assertThat(first.stack(entry)).isNotNull();
      }
      assertThat(
              JobAnalyzer.analyze(
                      Job.UNNAMED, List.of(first, second), List.of(), List.of(), List.of())
                  .findings())
          .allSatisfy(finding -> assertThat(finding.evidence()).isNotEmpty());
    } catch (UnreadableDumpException refused) {
      assertThat(refused).hasMessageMatching("(?s).{1,300}");
    }
  }

  private FlightRecorder read(byte[] bytes, int rank) throws UnreadableDumpException {
    return dumps.read(new ByteArrayInputStream(bytes), rank, "fuzz").recorder();
  }
}
