package io.fabrichealth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.capture.CaptureReader;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.testing.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordIT {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"c.ndjson", "c.ndjson.gz", "c.ndjson.zst"})
  void the_file_is_whole_when_the_recording_is_interrupted(String name) throws Exception {
    Path file = folder.resolve(name);
    try (ChildJvm recording =
        ChildJvm.runService("record", "--demo", "--duration", "1h", "--out", file.toString())) {
      recording.awaitLine("14 of 14 targets read");
      recording.terminate();
      recording.awaitEnd(Duration.ofSeconds(30));
    }

    try (CaptureReader in = CaptureReader.open(file, SignalCatalogue.load())) {
      int inputs = 0;
      while (in.next() != null) {
        inputs++;
      }
      assertThat(inputs).isGreaterThan(14);
      assertThat(in.summary().isDamaged()).isFalse();
    }
  }

  @Test
  void what_was_flushed_is_there_after_the_process_was_killed() throws Exception {
    Path file = folder.resolve("killed.ndjson.gz");
    try (ChildJvm recording =
        ChildJvm.runService("record", "--demo", "--duration", "1h", "--out", file.toString())) {
      recording.awaitLine("14 of 14 targets read");
      recording.kill();
    }

    try (CaptureReader in = CaptureReader.open(file, SignalCatalogue.load())) {
      int inputs = 0;
      while (in.next() != null) {
        inputs++;
      }
      assertThat(inputs).isPositive();
      assertThat(in.summary().unusable()).isZero();
      assertThat(in.summary().brokenOff()).isNotNull();
    }
  }
}
