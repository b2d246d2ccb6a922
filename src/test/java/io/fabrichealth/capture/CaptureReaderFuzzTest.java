package io.fabrichealth.capture;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

class CaptureReaderFuzzTest {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final byte[] HEAD =
      "{\"type\":\"capture\",\"version\":1,\"at\":\"2026-03-01T00:00:00Z\"}\n"
          .getBytes(StandardCharsets.UTF_8);

  /** Every line is an input, passed over, unusable, blank, or said to be cut off. */
  @FuzzTest
  void every_line_is_accounted_for_and_every_input_can_be_written(byte[] lines)
      throws IOException, InvalidCaptureException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write(HEAD);
    file.write(lines);
    List<EngineInput> inputs = new ArrayList<>();
    CaptureSummary summary;
    try (CaptureReader in = open(file.toByteArray())) {
      for (EngineInput input = in.next(); input != null; input = in.next()) {
        inputs.add(input);
      }
      summary = in.summary();
    } catch (InvalidCaptureException e) {
      // another capture, of another version
      return;
    }
    long said =
        summary.inputs()
            + summary.passedOver().values().stream().mapToLong(Long::longValue).sum()
            + summary.unusable();
    assertThat(said).isLessThan(summary.lines());
    assertThat(summary.inputs()).isEqualTo(inputs.size());

    ByteArrayOutputStream again = new ByteArrayOutputStream();
    try (CaptureWriter out = CaptureWriter.create(again, DICTIONARY, Instant.EPOCH, "fuzz")) {
      for (EngineInput input : inputs) {
        out.write(input);
      }
    }
    try (CaptureReader in = open(again.toByteArray())) {
      int read = 0;
      while (in.next() != null) {
        read++;
      }
      assertThat(read).isEqualTo(inputs.size());
      assertThat(in.summary().firstRefused()).isEmpty();
    }
  }

  /** Whatever the file is, it is a capture or it is refused. */
  @FuzzTest
  void a_file_is_a_capture_or_refused(byte[] file) throws IOException {
    try (CaptureReader in = open(file)) {
      while (in.next() != null) {
        assertThat(in.summary().lines()).isPositive();
      }
    } catch (IOException | InvalidCaptureException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  private static CaptureReader open(byte[] file) throws IOException, InvalidCaptureException {
    return CaptureReader.open(new ByteArrayInputStream(file), "fuzz", DICTIONARY);
  }
}
