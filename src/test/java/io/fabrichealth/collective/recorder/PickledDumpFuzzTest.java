package io.fabrichealth.collective.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fabrichealth.collective.FlightRecorder;

class PickledDumpFuzzTest {
  private final PickledDump dumps = new PickledDump(new RecorderValues());

  @FuzzTest
  void whatever_the_bytes_are_there_is_a_recorder_or_a_reason(byte[] bytes) {
    try {
      FlightRecorder recorder = dumps.read(bytes, bytes.length, 0, "fuzz").recorder();
      assertThat(recorder.size()).isLessThanOrEqualTo(bytes.length);
      for (int entry = 0; entry < recorder.size(); entry++) {
        assertThat(recorder.group(entry)).isNotNull();
        assertThat(recorder.operation(entry)).isNotNull();
        assertThat(recorder.stack(entry)).isNotNull();
      }
    } catch (UnreadableDumpException refused) {
      assertThat(refused).hasMessageMatching("(?s)it is empty|byte \\d+, .+");
    }
  }
}
