package io.fabrichealth.cli;

import io.fabrichealth.capture.CaptureReader;
import io.fabrichealth.capture.CaptureSummary;
import io.fabrichealth.capture.InvalidCaptureException;
import io.fabrichealth.engine.Engine;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.runtime.Replay;
import io.fabrichealth.runtime.ReplayComparison;
import io.fabrichealth.runtime.SettingsException;
import io.fabrichealth.runtime.ThresholdCatalogue;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.LoggingSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the engine over a capture, without service and database. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {
      "Runs the engine over a capture in virtual time, as fast as it can, and prints the",
      "incidents that the service would have had."
    },
    footer = {
      "",
      "Exit codes: 0 nothing found, 1 incidents found, 2 the file could not be read, or so much",
      "of it is damaged that what was found is to be doubted."
    })
final class ReplayCommand implements Callable<Integer> {
  private static final int LOOK_EVERY = 1_024;
  private static final long TELL_EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "The capture; may be compressed.")
  private Path file = Path.of("");

  @Option(
      names = "--output",
      paramLabel = "table|json",
      description = "Form of the answer on standard output; json where none is given.")
  private Output output = Output.JSON;

  @Option(
      names = "--thresholds",
      paramLabel = "FILE",
      description = "The site's own values for some of the thresholds.")
  private @Nullable Path thresholds;

  @Option(
      names = "--compare",
      paramLabel = "FILE",
      description = {
        "Other thresholds: says which incidents they would have gained and lost, and which",
        "they would have opened at another time."
      })
  private @Nullable Path compare;

  private long toldNanos = System.nanoTime();

  @Override
  public Integer call() throws IOException {
    LoggingSystem.get(getClass().getClassLoader()).beforeInitialize();
    try {
      Engine engine = engine(thresholds);
      Engine other = compare == null ? null : engine(compare);
      try (CaptureReader capture = CaptureReader.open(file, engine.dictionary())) {
        return play(capture, new Replay(engine), other == null ? null : new Replay(other));
      }
    } catch (SettingsException e) {
      e.problems().forEach(problem -> Output.say(spec, problem.toString()));
    } catch (InvalidCaptureException e) {
      Output.say(spec, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      Output.say(spec, file + " cannot be read: " + FileProblem.reason(e));
    }
    return ExitCode.USAGE;
  }

  private static Engine engine(@Nullable Path site) {
    return Replay.engine(site == null ? ThresholdCatalogue.load() : ThresholdCatalogue.read(site));
  }

  private int play(CaptureReader capture, Replay replay, @Nullable Replay other) {
    boolean isWhole = true;
    try {
      for (EngineInput input = capture.next(); input != null; input = capture.next()) {
        replay.take(input);
        if (other != null) {
          other.take(input);
        }
        tell(replay, input.at());
      }
    } catch (InvalidCaptureException e) {
      Output.say(spec, String.valueOf(e.getMessage()));
      isWhole = false;
    }
    CaptureSummary read = capture.summary();
    ReplayReport report = report(replay.outcome(), read, other);
    output.print(spec, report, () -> lines(report));
    tellProblems(read);
    if (!isWhole || read.isDamaged()) {
      return ExitCode.USAGE;
    }
    return report.incidents().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private ReplayReport report(Replay.Outcome outcome, CaptureSummary read, @Nullable Replay other) {
    ReplayReport.Comparison comparison =
        other == null || compare == null
            ? null
            : ReplayReport.Comparison.of(
                compare, ReplayComparison.of(outcome.incidents(), other.outcome().incidents()));
    return ReplayReport.of(outcome, read, comparison);
  }

  private void tell(Replay replay, Instant at) {
    if (replay.records() % LOOK_EVERY == 0 && System.nanoTime() - toldNanos >= TELL_EVERY_NANOS) {
      toldNanos = System.nanoTime();
      Output.say(
          spec, "%d records, at %s, %d incidents".formatted(replay.records(), at, replay.found()));
    }
  }

  private void tellProblems(CaptureSummary read) {
    if (read.unusable() > 0) {
      Output.say(
          spec,
          "%d of %d lines could not be read; the first: %s"
              .formatted(read.unusable(), read.lines(), read.firstUnusable().getFirst()));
    }
    if (read.brokenOff() != null) {
      Output.say(spec, file + " is cut off " + read.brokenOff());
    }
  }

  private List<String> lines(ReplayReport report) {
    List<String> lines = new ArrayList<>(ReplayTable.incidents(report.incidents()));
    if (report.comparison() != null) {
      lines.addAll(ReplayTable.comparison(report.comparison()));
    }
    lines.add("");
    lines.add(
        "%s: %d records, %d links, %.0f s, %d incidents"
            .formatted(
                file,
                report.records(),
                report.links(),
                report.virtualSeconds(),
                report.incidents().size()));
    return lines;
  }
}
