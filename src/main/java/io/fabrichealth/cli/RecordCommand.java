package io.fabrichealth.cli;

import io.fabrichealth.collect.TargetStatus;
import io.fabrichealth.runtime.ClockConfiguration;
import io.fabrichealth.runtime.Demo;
import io.fabrichealth.runtime.Recorder;
import io.fabrichealth.runtime.Recorder.Progress;
import io.fabrichealth.runtime.Settings;
import io.fabrichealth.runtime.SettingsException;
import io.fabrichealth.runtime.SettingsLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.LoggingSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes what the targets bring into a file, without service and database. */
@Command(
    name = "record",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {
      "Reads the targets of a configuration and writes all that they bring into a capture.",
      "Ends after the duration, or when it is interrupted; the file is whole then."
    },
    footer = {"", "Exit codes: 0 recorded, 2 no target could be read or the file not be written."})
final class RecordCommand implements Callable<Integer> {
  private static final long MOST_SECONDS_TO_END = 10;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration; config/fabric-health.yaml where none is given.")
  private @Nullable Path config;

  @Option(names = "--demo", description = "Record the simulated fabric of the profile demo.")
  private boolean demo;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How long, such as 90s, 10m or 1h; until interrupted where it is not given.")
  private Duration duration = Duration.ofDays(3650);

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      description =
          "The capture, replaced where it exists; compressed where it ends in .gz or .zst.")
  private Path out = Path.of("");

  @Option(
      names = "--output",
      paramLabel = "table|json",
      description = "Form of the answer on standard output; table where none is given.")
  private Output output = Output.TABLE;

  /**
   * What was recorded.
   *
   * @param records by type
   */
  record Recorded(
      String file, long bytes, double seconds, Map<String, Long> records, List<Target> targets) {

    /**
     * One target.
     *
     * @param problem null where its last pass was complete
     */
    record Target(
        String device,
        String collector,
        long passes,
        int ports,
        int readings,
        @Nullable String problem) {}
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    LoggingSystem.get(getClass().getClassLoader()).beforeInitialize();
    Settings settings;
    try {
      settings =
          config == null && demo
              ? SettingsLoader.none()
              : SettingsLoader.read(config == null ? SettingsLoader.DEFAULT_FILE : config, true);
    } catch (SettingsException e) {
      e.problems().forEach(problem -> Output.say(spec, problem.toString()));
      return ExitCode.USAGE;
    }
    settings.leftOut().forEach(problem -> Output.say(spec, "left out: " + problem));
    if (!demo) {
      return record(settings);
    }
    try (Demo fabric = Demo.start(ClockConfiguration.system())) {
      return record(fabric.addTo(settings));
    }
  }

  private int record(Settings settings) throws InterruptedException {
    Recorder recorder = new Recorder(settings, ClockConfiguration.system());
    CountDownLatch ended = new CountDownLatch(1);
    Thread onExit = Thread.ofPlatform().unstarted(() -> end(recorder, ended));
    Runtime.getRuntime().addShutdownHook(onExit);
    try {
      Progress progress = recorder.record(out, BuildVersion.program(), duration, this::tell);
      Recorded recorded = recorded(progress);
      output.print(spec, recorded, () -> lines(recorded));
      return progress.read() > 0 ? ExitCode.OK : ExitCode.USAGE;
    } catch (IOException e) {
      Output.say(spec, out + " cannot be written: " + FileProblem.reason(e));
      return ExitCode.USAGE;
    } finally {
      ended.countDown();
      unhook(onExit);
    }
  }

  /** The process ends when all hooks have: the file is to be whole by then. */
  private static void end(Recorder recorder, CountDownLatch ended) {
    recorder.stop();
    try {
      if (!ended.await(MOST_SECONDS_TO_END, TimeUnit.SECONDS)) {
        System.err.println("the file could not be ended in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void unhook(Thread onExit) {
    try {
      Runtime.getRuntime().removeShutdownHook(onExit);
    } catch (IllegalStateException e) {
      // The process ends already, which is why the recording did.
      return;
    }
  }

  private void tell(Progress progress) {
    long failing = progress.targets().stream().filter(target -> target.failure() != null).count();
    Output.say(
        spec,
        "%d s: %d records, %d of %d targets read, %d with problems"
            .formatted(
                progress.elapsed().toSeconds(),
                progress.records().values().stream().mapToLong(Long::longValue).sum(),
                progress.read(),
                progress.targets().size(),
                failing));
  }

  private Recorded recorded(Progress progress) throws IOException {
    return new Recorded(
        out.toString(),
        Files.size(out),
        progress.elapsed().toMillis() / 1000.0,
        new TreeMap<>(progress.records()),
        progress.targets().stream()
            .map(RecordCommand::target)
            .sorted(RecordCommand::order)
            .toList());
  }

  private static Recorded.Target target(TargetStatus status) {
    return new Recorded.Target(
        status.device(),
        status.collector(),
        status.passes(),
        status.ports(),
        status.readings(),
        status.failure() == null ? null : status.failure() + ": " + status.message());
  }

  private static int order(Recorded.Target one, Recorded.Target other) {
    return (one.device() + " " + one.collector())
        .compareTo(other.device() + " " + other.collector());
  }

  private static List<String> lines(Recorded recorded) {
    TextTable table = new TextTable();
    table.row("DEVICE", "COLLECTOR", "PASSES", "PORTS", "READINGS", "PROBLEM");
    for (Recorded.Target target : recorded.targets()) {
      table.row(
          target.device(),
          target.collector(),
          String.valueOf(target.passes()),
          String.valueOf(target.ports()),
          String.valueOf(target.readings()),
          target.problem() == null ? "" : target.problem());
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(
        "%s: %d bytes, %.1f s, records %s"
            .formatted(recorded.file(), recorded.bytes(), recorded.seconds(), recorded.records()));
    return lines;
  }
}
