package io.fabrichealth.cli;

import io.fabrichealth.runtime.Settings;
import io.fabrichealth.runtime.SettingsException;
import io.fabrichealth.runtime.SettingsLoader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.springframework.boot.logging.LoggingSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Checks a configuration file and all that it names, without starting the service. */
@Command(
    name = "check-config",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = {
      "Checks a configuration file, the targets, topology and secrets that it names.",
      "Contacts no device."
    },
    footer = {"", "Exit codes: 0 valid, 2 not valid."})
final class CheckConfigCommand implements Callable<Integer> {
  /** How the answer is printed. */
  enum Output {
    TABLE,
    JSON;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "The file; config/fabric-health.yaml where none is given.")
  private Path file = SettingsLoader.DEFAULT_FILE;

  @Option(
      names = "--output",
      paramLabel = "table|json",
      description = "Form of the answer on standard output; table where none is given.")
  private Output output = Output.TABLE;

  @Override
  public Integer call() {
    // Nothing but the answer on standard output.
    LoggingSystem.get(getClass().getClassLoader()).beforeInitialize();
    try {
      Settings settings = SettingsLoader.read(file);
      print(CheckedConfig.valid(file, settings));
      return ExitCode.OK;
    } catch (SettingsException e) {
      print(CheckedConfig.invalid(file, e.problems()));
      return ExitCode.USAGE;
    }
  }

  private void print(CheckedConfig checked) {
    PrintWriter out = spec.commandLine().getOut();
    switch (output) {
      case JSON ->
          out.println(
              JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(checked));
      case TABLE -> checked.lines().forEach(out::println);
    }
    out.flush();
  }
}
