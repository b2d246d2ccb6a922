package io.fabrichealth.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.json.JsonMapper;

/** How an answer is printed. */
enum Output {
  TABLE,
  JSON;

  /**
   * Prints the answer of a command on standard output.
   *
   * @param lines the same for people
   */
  void print(CommandSpec command, Object answer, Supplier<List<String>> lines) {
    PrintWriter to = command.commandLine().getOut();
    switch (this) {
      case JSON ->
          to.println(
              JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(answer));
      case TABLE -> lines.get().forEach(to::println);
    }
    to.flush();
  }

  /** Says on standard error what is not the answer of a command: progress, problems. */
  static void say(CommandSpec command, String line) {
    PrintWriter to = command.commandLine().getErr();
    to.println(line);
    to.flush();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
