package io.fabrichealth.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The fabric of network namespaces with real daemons, by its command line. */
final class FabricLab implements AutoCloseable {
  static final List<String> IN_MANAGEMENT_NETWORK = List.of("ip", "netns", "exec", "fl-mgmt");
  static final String MANAGEMENT_ADDRESS = "198.18.0.1";

  private static final Path TOOL =
      Path.of("..", "shared", "tools", "fabric-lab", "fabric-lab").toAbsolutePath().normalize();

  private FabricLab() {}

  /** Why there can be no lab here; empty where there can. */
  static String missing() {
    if (!Files.isExecutable(TOOL) && !Files.isReadable(TOOL)) {
      return "no lab at ../shared/tools/fabric-lab";
    }
    try {
      Result doctor = execute(command("doctor"));
      return doctor.status() == 0 ? "" : doctor.output();
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage());
    }
  }

  static FabricLab up() {
    run("down");
    FabricLab lab = new FabricLab();
    run("up");
    return lab;
  }

  JsonNode targets() {
    return JsonMapper.builder().build().readTree(run("targets"));
  }

  /** What is wired to what and what is broken, by the one who did it. */
  JsonNode truth() {
    return JsonMapper.builder().build().readTree(run("truth"));
  }

  /** Sends a signal to all processes of a daemon of a device. */
  void signal(String device, String daemon, String signal) {
    int told = 0;
    String pids = checked(List.of("ip", "netns", "pids", "fl-" + device));
    for (String pid : pids.lines().toList()) {
      String name = checked(List.of("ps", "-o", "comm=", "-p", pid.strip()));
      if (name.strip().equals(daemon)) {
        checked(List.of("kill", "-" + signal, pid.strip()));
        told++;
      }
    }
    if (told == 0) {
      throw new AssertionError("no " + daemon + " runs on " + device);
    }
  }

  /** Fault kinds and their options as in the lab's README. */
  void fault(String... words) {
    List<String> command = new ArrayList<>(List.of("fault", "add"));
    command.addAll(List.of(words));
    run(command.toArray(String[]::new));
  }

  void mend() {
    run("fault", "clear", "all");
  }

  void traffic(int seconds) {
    run("traffic", "start", "--seconds", String.valueOf(seconds));
  }

  @Override
  public void close() {
    run("down");
  }

  private static String run(String... words) {
    return checked(command(words));
  }

  private static String checked(List<String> command) {
    Result result = execute(command);
    if (result.status() != 0) {
      throw new IllegalStateException(String.join(" ", command) + ": " + result.output());
    }
    return result.output();
  }

  private static List<String> command(String... words) {
    List<String> command = new ArrayList<>(List.of("python3", TOOL.toString()));
    command.addAll(List.of(words));
    return command;
  }

  private record Result(int status, String output) {}

  private static Result execute(List<String> command) {
    try {
      Path output = Files.createTempFile("fabric-lab", ".out");
      Path errors = Files.createTempFile("fabric-lab", ".err");
      // Its daemons inherit the streams, so a pipe would never end.
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(output.toFile())
              .redirectError(errors.toFile())
              .start();
      if (!process.waitFor(180, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(String.join(" ", command) + " does not end");
      }
      String text = Files.readString(output);
      String error = Files.readString(errors);
      Files.delete(output);
      Files.delete(errors);
      return new Result(process.exitValue(), process.exitValue() == 0 ? text : text + error);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
