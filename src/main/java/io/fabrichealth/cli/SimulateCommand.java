package io.fabrichealth.cli;

import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.simulate.world.Flavour;
import io.fabrichealth.simulate.world.Scenario;
import io.fabrichealth.simulate.world.Severity;
import io.fabrichealth.simulate.world.SimulatedCapture;
import io.fabrichealth.simulate.world.Simulation;
import io.fabrichealth.simulate.world.Truth;
import io.fabrichealth.simulate.world.WantedFaults;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
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
import picocli.CommandLine.Spec;

/** Writes a capture of a simulated fabric, and what is wrong in it. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    sortOptions = false,
    description = {
      "Writes a capture of a simulated fabric, and what is wrong in it beside it, in a file",
      "of the same name with .truth.json after it. The same options give the same bytes."
    },
    footer = {
      "",
      "Classes: 0 healthy, 1 lane drift, 2 link errors, 3 visible loss, 4 flaps, 5 dirty optics,",
      "6 slow receiver, 7 pause deadlock, 8 hot spot, 9 polarisation, 10 MTU, 11 downgrade,",
      "15 silent switch, 16 silent link, 17 congestion, 18 restarts and resets, 20 hidden",
      "retransmission, 21 PCIe, 22 shared component, 25 collector faults.",
      "Exit codes: 0 written, 2 it cannot be simulated or written."
    })
final class SimulateCommand implements Callable<Integer> {
  private static final long TELL_EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final double MOST_HOURS = 24 * 366;
  private static final double SECONDS_PER_HOUR = 3600;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--fabric",
      paramLabel = "F1|F1-part|F2|F3",
      defaultValue = "F1",
      description =
          "2,304 links of two tiers, 128 of them, 24,576 of three tiers, or 98,304 that give"
              + " counters only; ${DEFAULT-VALUE} where none is given.")
  private String fabric = "F1";

  @Option(
      names = "--class",
      paramLabel = "K",
      defaultValue = "0",
      description = "What happens; ${DEFAULT-VALUE} where none is given.")
  private int faultClass;

  @Option(
      names = "--severity",
      paramLabel = "low|medium|high",
      defaultValue = "medium",
      description = "How much of it; ${DEFAULT-VALUE} where none is given.")
  private Severity severity = Severity.MEDIUM;

  @Option(
      names = "--faults",
      paramLabel = "FILE",
      description =
          "Faults to stage beside that of the class: a truth file, or a list of its faults with"
              + " class, and where wanted severity, subject and onset.")
  private @Nullable Path faults;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of all chance; ${DEFAULT-VALUE} where none is given.")
  private long seed = 1;

  @Option(
      names = "--hours",
      paramLabel = "H",
      description = "Length of the run; 2 where none is given, 48 for class 1.")
  private @Nullable Double hours;

  @Option(
      names = "--poll",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Time between polls; 10s where none is given, 60s for class 1.")
  private @Nullable Duration poll;

  @Option(
      names = "--flavour",
      paramLabel = "roce|infiniband",
      description = "What the fabric is made of; roce where none is given, but for class 20.")
  private @Nullable Flavour flavour;

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

  private long toldNanos = System.nanoTime();

  @Override
  public Integer call() {
    LoggingSystem.get(getClass().getClassLoader()).beforeInitialize();
    SignalDictionary dictionary = SignalCatalogue.load();
    try {
      Simulation simulation = Simulation.of(scenario(), dictionary);
      Truth truth =
          SimulatedCapture.write(simulation, dictionary, out, BuildVersion.program(), this::tell);
      output.print(spec, truth, () -> lines(truth));
      return ExitCode.OK;
    } catch (IllegalArgumentException e) {
      Output.say(spec, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      Output.say(spec, "%s cannot be used: %s".formatted(place(e), FileProblem.reason(e)));
    }
    return ExitCode.USAGE;
  }

  private String place(IOException e) {
    return e instanceof FileSystemException named && named.getFile() != null
        ? named.getFile()
        : out.toString();
  }

  private Scenario scenario() throws IOException {
    Scenario scenario = Scenario.of(fabric, faultClass, severity, seed);
    if (flavour != null) {
      scenario = scenario.with(flavour);
    }
    Duration length = scenario.length();
    if (hours != null) {
      if (!(hours > 0 && hours <= MOST_HOURS)) {
        throw new IllegalArgumentException("--hours " + hours + ": expected more than 0");
      }
      length = Duration.ofSeconds(Math.round(hours * SECONDS_PER_HOUR));
    }
    scenario = scenario.with(length, poll == null ? scenario.poll() : poll);
    List<Scenario.Wanted> wanted =
        faults == null ? List.of() : WantedFaults.read(faults, scenario.start());
    return scenario.with(wanted);
  }

  private void tell(long records, Instant at) {
    if (System.nanoTime() - toldNanos >= TELL_EVERY_NANOS) {
      toldNanos = System.nanoTime();
      Output.say(spec, "%d records, at %s".formatted(records, at));
    }
  }

  private List<String> lines(Truth truth) {
    TextTable table = new TextTable();
    table.row("CLASS", "CAUSE", "ONSET", "OBSERVABLE", "SUBJECT");
    for (Truth.Fault fault : truth.faults()) {
      table.row(
          String.valueOf(fault.faultClass()),
          fault.cause(),
          fault.onset().toString(),
          fault.observableFrom().toString(),
          fault.subject().type() + " " + fault.subject().id());
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add(
        "%s: %d records, %d links, %.0f s, %d faults"
            .formatted(
                out, truth.records(), truth.links(), truth.seconds(), truth.faults().size()));
    return lines;
  }
}
