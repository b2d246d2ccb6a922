package io.fabrichealth.cli;

import io.fabrichealth.testing.GeneratedPart;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The page of the command line is made from the commands' own help. */
class CommandLineReferenceTest {

  @Test
  void the_page_of_the_command_line_is_that_of_the_commands() {
    CommandLine commandLine = FabricHealthCommand.commandLine(Object.class);
    String commands =
        commandLine.getSubcommands().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(command -> section(command.getKey(), command.getValue()))
            .collect(Collectors.joining("\n\n"));

    GeneratedPart.of(Path.of("docs/reference/cli.md"), "commands")
        .assertIs(usage(commandLine) + "\n\n" + commands);
  }

  private static String section(String name, CommandLine command) {
    return "## " + name + "\n\n" + usage(command);
  }

  private static String usage(CommandLine command) {
    String lines =
        command
            .getUsageMessage(Ansi.OFF)
            .lines()
            .map(String::stripTrailing)
            .collect(Collectors.joining("\n"));
    return "```\n" + lines.strip() + "\n```";
  }
}
