package io.fabrichealth.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of another project that tests run. */
public record Tool(String name) {

  /** What the program said, on both streams, and its exit code. */
  public record Result(int exitCode, String output) {}

  /** The program; the test is skipped with a message where it is not installed. */
  public static Tool require(String name) {
    boolean installed =
        Arrays.stream(System.getenv("PATH").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    assumeTrue(installed, () -> "skipped: '" + name + "' is not installed");
    return new Tool(name);
  }

  /** Runs it to its end. */
  public Result run(List<String> arguments, String input) {
    List<String> command = new ArrayList<>();
    command.add(name);
    command.addAll(arguments);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (var in = process.getOutputStream()) {
        in.write(input.getBytes(StandardCharsets.UTF_8));
      }
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(name + " did not end within 60 s");
      }
      return new Result(process.exitValue(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
