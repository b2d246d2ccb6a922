package io.fabrichealth.cli;

import io.fabrichealth.capture.CaptureReader;
import io.fabrichealth.capture.CaptureSummary;
import io.fabrichealth.capture.InvalidCaptureException;
import io.fabrichealth.engine.Engine;
import io.fabrichealth.runtime.Replay;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.logging.LoggingSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

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
  private static final long TELL_EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "The capture; may be compressed.")
  private Path file = Path.of("");

  @Option(
      names = "--output",
      paramLabel = "table|json",
      description = "Form of the answer on standard output; json where none is given.")
  private Output output = Output.JSON;

  private long toldNanos = System.nanoTime();

  @Override
  public Integer call() throws IOException {
    LoggingSystem.get(getClass().getClassLoader()).beforeInitialize();
    Engine engine = Replay.shippedEngine();
    try (CaptureReader capture = CaptureReader.open(file, engine.dictionary())) {
      return play(engine, capture);
    } catch (InvalidCaptureException e) {
      say(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      say(file + " cannot be read: " + FileProblem.reason(e));
    }
    return ExitCode.USAGE;
  }

  private int play(Engine engine, CaptureReader capture) {
    Replay replay = new Replay(engine);
    boolean isWhole = true;
    try {
      replay.play(capture, this::tell);
    } catch (InvalidCaptureException e) {
      say(String.valueOf(e.getMessage()));
      isWhole = false;
    }
    CaptureSummary read = capture.summary();
    ReplayReport report = ReplayReport.of(replay.outcome(), read);
    print(report);
    tellProblems(read);
    if (!isWhole || read.isDamaged()) {
      return ExitCode.USAGE;
    }
    return report.incidents().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void tell(Replay.Progress progress) {
    if (System.nanoTime() - toldNanos >= TELL_EVERY_NANOS) {
      toldNanos = System.nanoTime();
      say(
          "%d records, at %s, %d incidents"
              .formatted(progress.records(), progress.at(), progress.incidents()));
    }
  }

  private void tellProblems(CaptureSummary read) {
    if (read.unusable() > 0) {
      say(
          "%d of %d lines could not be read; the first: %s"
              .formatted(read.unusable(), read.lines(), read.firstUnusable().getFirst()));
    }
    if (read.brokenOff() != null) {
      say(file + " is cut off " + read.brokenOff());
    }
  }

  private void print(ReplayReport report) {
    PrintWriter to = spec.commandLine().getOut();
    switch (output) {
      case JSON ->
          to.println(
              JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(report));
      case TABLE -> {
        TextTable table = new TextTable();
        table.row("OPENED", "RESOLVED", "SEVERITY", "CAUSE", "PROBABILITY", "SUBJECT", "EXPECTED");
        for (ReplayReport.Found found : report.incidents()) {
          table.row(
              found.openedAt().toString(),
              found.resolvedAt() == null ? "open" : found.resolvedAt().toString(),
              found.severity(),
              found.cause(),
              "%.4f".formatted(found.probability()),
              found.subject().type() + " " + found.subject().id(),
              found.suppressedBy() == null ? "" : found.suppressedBy());
        }
        table.lines().forEach(to::println);
        to.println();
        to.println(
            "%s: %d records, %d links, %.0f s, %d incidents"
                .formatted(
                    file,
                    report.records(),
                    report.links(),
                    report.virtualSeconds(),
                    report.incidents().size()));
      }
    }
    to.flush();
  }

  private void say(String line) {
    PrintWriter to = spec.commandLine().getErr();
    to.println(line);
    to.flush();
  }
}
