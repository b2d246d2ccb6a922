package io.fabrichealth.collect.gnmi;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The gNMI programs of OpenConfig (github.com/openconfig/gnmi), built from their module. */
final class GoPeers {
  private static final String MODULE = "github.com/openconfig/gnmi";
  private static final String VERSION = "v0.14.1";
  private static final Path FOLDER = Path.of("target", "gnmi-peers").toAbsolutePath();
  private static final int BUILD_SECONDS = 240;

  private GoPeers() {}

  /** The program; the test is skipped with a message where it cannot be built. */
  static Path require(String packagePath) throws IOException, InterruptedException {
    Path program = FOLDER.resolve(Path.of(packagePath).getFileName());
    if (!Files.isExecutable(program)) {
      build(packagePath);
    }
    return program;
  }

  private static void build(String packagePath) throws IOException, InterruptedException {
    List<Path> places =
        Stream.concat(
                Stream.of(System.getenv("PATH").split(":")).map(Path::of),
                Stream.of(Path.of("/usr/local/go/bin")))
            .map(folder -> folder.resolve("go"))
            .filter(Files::isExecutable)
            .toList();
    assumeTrue(!places.isEmpty(), "skipped: 'go' is not installed");
    Files.createDirectories(FOLDER);
    Path log = FOLDER.resolve("build.log");
    ProcessBuilder install =
        new ProcessBuilder(
                places.getFirst().toString(), "install", MODULE + "/" + packagePath + "@" + VERSION)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    install.environment().put("GOBIN", FOLDER.toString());
    Process process = install.start();
    boolean ended = process.waitFor(BUILD_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly();
    }
    assumeTrue(
        ended && process.exitValue() == 0,
        () -> "skipped: " + MODULE + " cannot be built here, see " + log);
  }

  /** Runs a program to its end; what it said on both streams. */
  static String run(Path program, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.addAll(List.of(arguments));
    Path log = Files.createTempFile("peer", ".log");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command + " did not end: " + Files.readString(log));
      }
      return Files.readString(log, StandardCharsets.UTF_8);
    } finally {
      Files.delete(log);
    }
  }
}
