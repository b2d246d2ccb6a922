package io.fabrichealth.runtime;

import io.fabrichealth.capture.CaptureWriter;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.Schedule;
import io.fabrichealth.collect.TargetStatus;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Fabric;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes all that the targets of some settings bring into a capture: the inputs that a live engine
 * would have had. Without engine, database and web server. One recorder makes one recording.
 */
public final class Recorder {
  private static final int QUEUE = 1024;
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);
  private static final Duration FLUSH_EVERY = Duration.ofSeconds(5);
  private static final Duration TELL_EVERY = Duration.ofSeconds(10);

  private final Settings settings;
  private final InstantSource clock;
  private final SignalDictionary dictionary = SignalCatalogue.load();
  private final BlockingQueue<Brought> queue = new ArrayBlockingQueue<>(QUEUE);
  private final Map<String, Long> records = new TreeMap<>();
  private volatile boolean stopped;

  private record Brought(Collector from, CollectOutcome outcome) {}

  /**
   * How far a recording is.
   *
   * @param records by type, the first of the file not among them
   * @param targets what is read, and how that goes
   */
  public record Progress(Duration elapsed, Map<String, Long> records, List<TargetStatus> targets) {
    public Progress {
      records = Map.copyOf(records);
      targets = List.copyOf(targets);
    }

    /** Targets of which something was read. */
    public long read() {
      return targets.stream()
          .filter(target -> target.readings() > 0 || target.probes() > 0)
          .count();
    }
  }

  public Recorder(Settings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
  }

  /** Ends the recording soon; for any thread. */
  public void stop() {
    stopped = true;
  }

  /**
   * Records until the time is over or {@link #stop} is called. The file is whole when this returns,
   * and as whole as it can be where it throws.
   *
   * @param writer name and version of the program
   * @param tell is told every ten seconds how far it is
   * @return how far it came
   * @throws IOException where the file cannot be written, for example because there is no room
   */
  public Progress record(Path file, String writer, Duration time, Consumer<Progress> tell)
      throws IOException, InterruptedException {
    try (CollectorFactory collectors = new CollectorFactory(dictionary, clock, new LiveJobs());
        Schedule schedule =
            new Schedule(
                clock,
                collectors.budget(settings),
                (from, outcome) -> queue.put(new Brought(from, outcome)));
        CaptureWriter out = CaptureWriter.create(file, dictionary, clock.instant(), writer)) {
      Fabric plan = TopologyPlan.open(settings).of(settings);
      Intake intake = new Intake(settings, plan, Fabric.EMPTY);
      write(out, intake.start(clock.instant()));
      schedule.replace(collectors.create(settings));
      long began = System.nanoTime();
      long flushed = began;
      long told = began;
      while (!stopped && System.nanoTime() - began < time.toNanos()) {
        Brought brought = queue.poll(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        Instant now = clock.instant();
        if (brought != null) {
          write(out, intake.take(brought.from(), brought.outcome(), now));
        }
        write(out, intake.wireIfDue(now));
        if (hasPassed(FLUSH_EVERY, flushed)) {
          flushed = System.nanoTime();
          out.flush();
        }
        if (hasPassed(TELL_EVERY, told)) {
          told = System.nanoTime();
          tell.accept(progress(began, schedule.statuses()));
        }
      }
      List<TargetStatus> targets = schedule.statuses();
      schedule.close();
      for (Brought brought = queue.poll(); brought != null; brought = queue.poll()) {
        write(out, intake.take(brought.from(), brought.outcome(), clock.instant()));
      }
      return progress(began, targets);
    }
  }

  private Progress progress(long began, List<TargetStatus> targets) {
    return new Progress(Duration.ofNanos(System.nanoTime() - began), records, targets);
  }

  private static boolean hasPassed(Duration time, long sinceNanos) {
    return System.nanoTime() - sinceNanos >= time.toNanos();
  }

  private void write(CaptureWriter out, List<EngineInput> inputs) throws IOException {
    for (EngineInput input : inputs) {
      out.write(input);
      records.merge(type(input), 1L, Long::sum);
    }
  }

  private static String type(EngineInput input) {
    return switch (input) {
      case EngineInput.Topology topology -> "topology";
      case EngineInput.Poll poll -> "poll";
      case EngineInput.Probe probe -> "probe";
      case EngineInput.Event event -> "event";
      case EngineInput.Roster roster -> "job";
      case EngineInput.Timing timing -> "collective";
      case EngineInput.Analysis analysis -> "analysis";
      case EngineInput.Maintenance maintenance -> "maintenance";
    };
  }
}
