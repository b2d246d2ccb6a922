package io.fabrichealth.testing;

import io.fabrichealth.FabricHealthApplication;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Another JVM with the classes of this one, to be ended as rudely as it likes. */
public final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;
  private final List<String> seen = new ArrayList<>();

  private ChildJvm(Process process) {
    this.process = process;
    output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Runs the main method of a class of the tests; standard error goes with standard output. */
  public static ChildJvm run(Class<?> main, String... arguments) {
    return run(main, classPath(), arguments);
  }

  /** Runs the service as it is, without the classes of the tests. */
  public static ChildJvm runService(String... arguments) {
    String classPath =
        Stream.of(classPath().split(File.pathSeparator))
            .filter(entry -> !entry.endsWith("test-classes"))
            .collect(Collectors.joining(File.pathSeparator));
    return run(FabricHealthApplication.class, classPath, arguments);
  }

  private static ChildJvm run(Class<?> main, String classPath, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("-Xmx256m", "-cp", classPath, main.getName()));
    command.addAll(List.of(arguments));
    try {
      return new ChildJvm(new ProcessBuilder(command).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  public long pid() {
    return process.pid();
  }

  /** The next line that contains the text; fails where the process ends before. */
  public String awaitLine(String text) {
    try {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        seen.add(line);
        if (line.contains(text)) {
          return line;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new AssertionError("ended without '" + text + "':\n" + String.join("\n", seen));
  }

  /** All that it wrote, up to its end. */
  public List<String> outputToEnd() {
    List<String> all = new ArrayList<>(seen);
    output.lines().forEach(all::add);
    return all;
  }

  /** Like {@code kill -9}. */
  public void kill() {
    // By the handle: the process itself would close the streams, and what is in them would be lost.
    process.toHandle().destroyForcibly();
    process.onExit().join();
  }

  /** Like {@code kill}. */
  public void terminate() {
    process.destroy();
  }

  /** The exit code; fails where the process does not end in time. */
  public int awaitEnd(Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      kill();
      throw new AssertionError("did not end:\n" + String.join("\n", outputToEnd()));
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    kill();
  }
}
