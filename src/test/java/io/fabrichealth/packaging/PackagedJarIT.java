package io.fabrichealth.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as it is shipped, as a process of its own. */
class PackagedJarIT {
  private static final Path JAR = Path.of("target", "fabric-health.jar").toAbsolutePath();

  @TempDir private Path folder;

  @BeforeEach
  void needs_the_jar() {
    assumeTrue(Files.exists(JAR), () -> "skipped: " + JAR + " is not built");
  }

  @Test
  void layers_are_those_that_the_dockerfile_copies() throws Exception {
    Result extracted =
        java(
            "-Djarmode=tools",
            "-jar",
            JAR.toString(),
            "extract",
            "--layers",
            "--destination",
            "out");

    assertThat(extracted.exitCode).as(extracted.output).isZero();
    List<String> copied =
        Files.readString(Path.of("Dockerfile"))
            .lines()
            .filter(line -> line.startsWith("COPY --from=layers"))
            .map(line -> line.replaceFirst(".*/extracted/(\\S+)/ .*", "$1"))
            .toList();
    assertThat(copied).hasSize(4);
    for (String layer : copied) {
      assertThat(folder.resolve("out").resolve(layer)).isDirectory();
    }
    assertThat(folder.resolve("out/application/fabric-health.jar")).isRegularFile();
    assertThat(folder.resolve("out/dependencies/lib")).isNotEmptyDirectory();
  }

  @Test
  void extracted_layers_put_together_run() throws Exception {
    java("-Djarmode=tools", "-jar", JAR.toString(), "extract", "--destination", "out");

    Result version = java("-jar", "out/fabric-health.jar", "--version");

    assertThat(version.exitCode).as(version.output).isZero();
    assertThat(version.output).startsWith("fabric-health ");
  }

  @Test
  void check_config_answers_on_standard_output_alone() throws Exception {
    Files.writeString(folder.resolve("wrong.yaml"), "fabric-health:\n  data-dri: x\n");

    Result checked = java("-jar", JAR.toString(), "check-config", "wrong.yaml");

    assertThat(checked.exitCode).isEqualTo(2);
    assertThat(checked.output).startsWith("wrong.yaml:2:13: fabric-health.data-dri: unknown key");
  }

  @Test
  void a_wrong_configuration_stops_the_start_with_line_and_exit_code_2() throws Exception {
    Files.createDirectories(folder.resolve("config"));
    Files.writeString(
        folder.resolve("config/fabric-health.yaml"),
        "fabric-health:\n  collect:\n    snmp: {interval: -5s}\n");

    Result served = java("-jar", JAR.toString());

    assertThat(served.exitCode).isEqualTo(2);
    assertThat(served.output)
        .contains("config/fabric-health.yaml:3:", "fabric-health.collect.snmp.interval", "100ms");
  }

  @Test
  void a_malformed_configuration_stops_the_start_with_its_line() throws Exception {
    Files.writeString(folder.resolve("broken.yaml"), "fabric-health:\n  collect: {snmp: [\n");

    Result served =
        java("-jar", JAR.toString(), "serve", "--spring.config.additional-location=broken.yaml");

    assertThat(served.exitCode).isEqualTo(2);
    assertThat(served.output).contains("broken.yaml:2:", "not well-formed YAML");
  }

  @Test
  void a_port_that_is_taken_is_said_and_gives_exit_code_2() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Result served =
          java(
              "--enable-native-access=ALL-UNNAMED",
              "-jar",
              JAR.toString(),
              "serve",
              "--server.port=" + taken.getLocalPort(),
              "--management.server.port=0");

      assertThat(served.exitCode).as(served.output).isEqualTo(2);
      assertThat(served.output)
          .contains("Port " + taken.getLocalPort() + " was already in use")
          .doesNotContain("\tat ");
    }
  }

  private Result java(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile(folder, "output", ".txt");
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(3, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("did not end: " + command + "\n" + Files.readString(output));
    }
    return new Result(process.exitValue(), Files.readString(output));
  }

  private record Result(int exitCode, String output) {}
}
