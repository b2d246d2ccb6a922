package io.fabrichealth.benchmark;

import io.fabrichealth.capture.CaptureReader;
import io.fabrichealth.capture.CaptureWriter;
import io.fabrichealth.capture.InvalidCaptureException;
import io.fabrichealth.engine.Engine;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.runtime.Replay;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.simulate.world.Scenario;
import io.fabrichealth.simulate.world.Severity;
import io.fabrichealth.simulate.world.Simulation;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Readings a CPU-second: a compressed capture read, the same replayed, and the engine alone on
 * records in memory. 128 links of a simulated fabric for half an hour at polls of 10 s, devices of
 * several makes.
 *
 * <pre>
 * mvn -q test-compile exec:exec -Dexec.executable=java -Dexec.classpathScope=test \
 *   -Dexec.args="-Xmx2g -cp %classpath io.fabrichealth.benchmark.ReplaySpeed"
 * </pre>
 */
public final class ReplaySpeed {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int ROUNDS = 5;
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();

  private ReplaySpeed() {}

  private interface Work {
    void run() throws IOException, InvalidCaptureException;
  }

  public static void main(String[] args) throws IOException, InvalidCaptureException {
    Path file = Files.createTempFile("replay", ".ndjson.zst");
    try {
      List<EngineInput> inputs = simulate(file);
      long readings =
          inputs.stream()
              .mapToLong(input -> input instanceof EngineInput.Poll poll ? poll.batch().size() : 0)
              .sum();
      System.out.printf(
          Locale.ROOT,
          "%d records, %d readings, %d bytes on disk%n",
          inputs.size(),
          readings,
          Files.size(file));
      for (int round = 0; round < ROUNDS; round++) {
        measure("engine from memory", readings, () -> inputs.forEach(fresh()::take));
        measure("capture read alone", readings, () -> read(file, null));
        measure("capture replayed", readings, () -> read(file, fresh()));
      }
    } finally {
      Files.delete(file);
    }
  }

  private static Replay fresh() {
    Engine engine = Replay.engine(ThresholdCatalogue.load());
    return new Replay(engine);
  }

  private static List<EngineInput> simulate(Path file) throws IOException {
    Scenario scenario =
        Scenario.of("F1-part", 0, Severity.MEDIUM, 1)
            .with(Duration.ofMinutes(30), Duration.ofSeconds(10));
    Simulation simulation = Simulation.of(scenario, DICTIONARY);
    List<EngineInput> inputs = new ArrayList<>();
    try (CaptureWriter out =
        CaptureWriter.create(file, DICTIONARY, Scenario.START, "benchmark/1")) {
      for (EngineInput input = simulation.next(); input != null; input = simulation.next()) {
        inputs.add(input);
        out.write(input);
      }
    }
    return inputs;
  }

  private static void read(Path file, Replay replay) throws IOException, InvalidCaptureException {
    try (CaptureReader in = CaptureReader.open(file, DICTIONARY)) {
      for (EngineInput input = in.next(); input != null; input = in.next()) {
        if (replay != null) {
          replay.take(input);
        }
      }
    }
  }

  private static void measure(String what, long readings, Work work)
      throws IOException, InvalidCaptureException {
    long before = THREADS.getCurrentThreadCpuTime();
    work.run();
    double seconds = (THREADS.getCurrentThreadCpuTime() - before) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%-20s %.2f million readings a CPU-second (%.2f s)%n",
        what,
        readings / seconds / 1e6,
        seconds);
  }
}
