package io.fabrichealth.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line. Without a command it serves; what follows is then Spring Boot's. */
@Command(
    name = "fabric-health",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    synopsisSubcommandLabel = "[COMMAND]",
    description = "Finds the links of a GPU fabric that are silently degraded.",
    footer = {"", "Without a command it serves.", "Exit codes: 0 done, 2 it could not be done."})
public final class FabricHealthCommand {
  private static final Set<String> OWN_OPTIONS = Set.of("-h", "--help", "-V", "--version");

  private FabricHealthCommand() {}

  /**
   * Runs the command that the arguments name.
   *
   * @param application the class that Spring Boot starts from
   * @return the exit code of the process; 0 also while a service that was started goes on
   */
  public static int run(Class<?> application, String... args) {
    return commandLine(application).execute(withCommand(List.of(args)).toArray(String[]::new));
  }

  static CommandLine commandLine(Class<?> application) {
    return new CommandLine(new FabricHealthCommand())
        .addSubcommand(new ServeCommand(application))
        .addSubcommand(new AnalyzeCommand())
        .addSubcommand(new CheckConfigCommand())
        .addSubcommand(new RecordCommand())
        .addSubcommand(new ReplayCommand())
        .addSubcommand(new SimulateCommand());
  }

  private static List<String> withCommand(List<String> args) {
    boolean named =
        !args.isEmpty()
            && (!args.getFirst().startsWith("-") || OWN_OPTIONS.contains(args.getFirst()));
    if (named) {
      return args;
    }
    List<String> served = new ArrayList<>(args);
    served.addFirst("serve");
    return served;
  }
}
