package io.fabrichealth.cli;

import io.fabrichealth.runtime.ClockConfiguration;
import io.fabrichealth.runtime.Demo;
import io.fabrichealth.runtime.Settings;
import io.fabrichealth.runtime.SettingsException;
import io.fabrichealth.runtime.SettingsLoader;
import io.fabrichealth.runtime.TargetTrial;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.LoggingSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks a configuration file and all that it names, without starting the service. */
@Command(
    name = "check-config",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = {
      "Checks a configuration file, the targets, topology and secrets that it names.",
      "Then reads each target once, and says what can be seen of it and what cannot."
    },
    footer = {
      "",
      "Exit codes: 0 valid and all targets read, 1 valid and some target not read in full,",
      "2 not valid."
    })
final class CheckConfigCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "The file; config/fabric-health.yaml where none is given.")
  private @Nullable Path file;

  @Option(names = "--offline", description = "Contact no device and no server.")
  private boolean offline;

  @Option(names = "--demo", description = "Try the simulated fabric of the profile demo, too.")
  private boolean demo;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "For one target, such as 30s, which it is where none is given.")
  private Duration timeout = Duration.ofSeconds(30);

  @Option(
      names = "--output",
      paramLabel = "table|json",
      description = "Form of the answer on standard output; table where none is given.")
  private Output output = Output.TABLE;

  @Override
  public Integer call() throws InterruptedException {
    // Nothing but the answer on standard output.
    LoggingSystem.get(getClass().getClassLoader()).beforeInitialize();
    Path path = file == null ? SettingsLoader.DEFAULT_FILE : file;
    try {
      Settings settings =
          file == null && demo ? SettingsLoader.none() : SettingsLoader.read(path, !offline);
      if (!demo) {
        return check(path, settings);
      }
      try (Demo fabric = Demo.start(ClockConfiguration.system())) {
        return check(path, fabric.addTo(settings));
      }
    } catch (SettingsException e) {
      print(CheckedConfig.invalid(path, e.problems()));
      return ExitCode.USAGE;
    }
  }

  private int check(Path path, Settings settings) throws InterruptedException {
    if (offline) {
      print(CheckedConfig.valid(path, settings));
      return ExitCode.OK;
    }
    int targets = CheckedConfig.valid(path, settings).targets().size();
    TargetTrial trial = new TargetTrial(ClockConfiguration.system(), timeout);
    List<TargetTrial.Result> results = trial.run(settings, done -> tell(done, targets));
    CheckedConfig checked = CheckedConfig.tried(path, settings, results, trial.families());
    print(checked);
    return checked.isAllRead() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void tell(int done, int all) {
    Output.say(spec, "tried " + done + " of " + all + " targets");
  }

  private void print(CheckedConfig checked) {
    output.print(spec, checked, checked::lines);
  }
}
