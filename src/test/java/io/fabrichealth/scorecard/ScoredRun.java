package io.fabrichealth.scorecard;

import io.fabrichealth.capture.CaptureReader;
import io.fabrichealth.capture.InvalidCaptureException;
import io.fabrichealth.engine.Engine;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.runtime.Replay;
import io.fabrichealth.simulate.world.Scenario;
import io.fabrichealth.simulate.world.Simulation;
import io.fabrichealth.simulate.world.Truth;
import io.fabrichealth.verdict.Prior;
import io.fabrichealth.verdict.Verdict;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One run of the engine over records whose truth is known. */
final class ScoredRun {
  private static final int CHUNK = 512;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Engine engine;
  private final Calibration calibration;
  private final List<Watcher> watchers;

  /** Something else that sees the same records, such as another product's rules. */
  interface Watcher {
    void begin(Truth truth);

    void see(EngineInput input);

    void end(Truth truth);
  }

  /**
   * What a run cost.
   *
   * @param cpuSeconds of the engine alone
   * @param readings that it took in
   */
  record Cost(double cpuSeconds, long readings) {}

  /** A run, scored. */
  record Result(RunScore score, Cost cost) {}

  ScoredRun(Engine engine, Calibration calibration, List<Watcher> watchers) {
    this.engine = engine;
    this.calibration = calibration;
    this.watchers = watchers;
  }

  Result simulated(Scenario scenario) {
    Simulation simulation = Simulation.of(scenario, engine.dictionary());
    String label =
        "class %d %s seed %d"
            .formatted(scenario.faultClass(), scenario.severity(), scenario.seed());
    return run(label, simulation.truth(), simulation::next);
  }

  Result recorded(Path capture) throws IOException, InvalidCaptureException {
    Truth truth = TruthFile.read(TruthFile.of(capture));
    List<EngineInput> inputs = new ArrayList<>();
    try (CaptureReader in = CaptureReader.open(capture, engine.dictionary())) {
      for (EngineInput input = in.next(); input != null; input = in.next()) {
        inputs.add(input);
      }
    }
    var rest = inputs.iterator();
    return run(
        String.valueOf(capture.getFileName()), truth, () -> rest.hasNext() ? rest.next() : null);
  }

  private Result run(String label, Truth truth, Supplier<@Nullable EngineInput> records) {
    Replay replay = new Replay(engine);
    FirstUncorrectable first = new FirstUncorrectable(engine.dictionary(), truth);
    watchers.forEach(watcher -> watcher.begin(truth));
    List<EngineInput> chunk = new ArrayList<>(CHUNK);
    long nanos = 0;
    long readings = 0;
    Instant last = Instant.EPOCH;
    boolean more = true;
    while (more) {
      chunk.clear();
      for (int i = 0; i < CHUNK && more; i++) {
        EngineInput input = records.get();
        more = input != null;
        if (input != null) {
          chunk.add(input);
          first.see(input);
          watchers.forEach(watcher -> watcher.see(input));
          readings += input instanceof EngineInput.Poll poll ? poll.batch().size() : 0;
          last = input.at();
        }
      }
      long before = THREADS.getCurrentThreadCpuTime();
      chunk.forEach(replay::take);
      nanos += THREADS.getCurrentThreadCpuTime() - before;
    }
    Replay.Outcome outcome = replay.outcome();
    watchers.forEach(watcher -> watcher.end(truth));
    calibrate(truth, replay.verdicts(), last);
    if (outcome.detectorFaults() > 0) {
      throw new IllegalStateException(label + ": " + outcome.detectorFaults() + " detector faults");
    }
    RunScore score = new Scorer(truth, outcome.incidents(), first::seconds).score(label);
    return new Result(score, new Cost(nanos / 1e9, readings));
  }

  private void calibrate(Truth truth, Map<Subject, Verdict> verdicts, Instant at) {
    Map<String, Boolean> faulty = Scorer.faulty(truth, at);
    verdicts.forEach(
        (subject, verdict) -> {
          boolean isOpen = faulty.containsKey(subject.id()) && faulty.get(subject.id()) == null;
          if (!isOpen) {
            calibration.add(verdict.probability(), Boolean.TRUE.equals(faulty.get(subject.id())));
          }
        });
    truth.faults().stream()
        .filter(fault -> Boolean.TRUE.equals(faulty.get(fault.subject().id())))
        .filter(
            fault ->
                verdicts.keySet().stream()
                    .noneMatch(subject -> subject.id().equals(fault.subject().id())))
        .forEach(fault -> calibration.add(Prior.PER_DAY, true));
  }
}
