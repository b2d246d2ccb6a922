package io.fabrichealth.simulate.world;

import io.fabrichealth.capture.CaptureWriter;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.signal.SignalDictionary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.BiConsumer;
import tools.jackson.databind.json.JsonMapper;

/** Writes a run as a capture, and its truth beside it. */
public final class SimulatedCapture {
  private static final int TELL_EVERY = 1000;

  private SimulatedCapture() {}

  /** Where the truth of a capture stands: its name with {@code .truth.json} after it. */
  public static Path truthOf(Path capture) {
    return capture.resolveSibling(capture.getFileName() + ".truth.json");
  }

  /**
   * Writes both files, replacing what is there.
   *
   * @param capture compressed where its name ends in {@code .gz} or {@code .zst}
   * @param writer name and version of the program
   * @param tell is told now and then how many records are written and of what time they are
   * @return the truth as it was written
   */
  public static Truth write(
      Simulation simulation,
      SignalDictionary dictionary,
      Path capture,
      String writer,
      BiConsumer<Long, Instant> tell)
      throws IOException {
    long records = 1;
    Instant start = simulation.scenario().start();
    try (CaptureWriter out = CaptureWriter.create(capture, dictionary, start, writer)) {
      for (EngineInput input = simulation.next(); input != null; input = simulation.next()) {
        out.write(input);
        records++;
        if (records % TELL_EVERY == 0) {
          tell.accept(records, input.at());
        }
      }
    }
    Truth truth = simulation.truth().withRecords(records);
    String json = JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(truth);
    Files.writeString(truthOf(capture), json + "\n");
    return truth;
  }
}
