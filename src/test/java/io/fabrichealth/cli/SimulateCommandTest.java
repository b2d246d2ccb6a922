package io.fabrichealth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SimulateCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  @Test
  void a_capture_and_its_truth_are_written_and_the_truth_is_told() throws IOException {
    Path file = folder.resolve("run.ndjson.gz");

    int exitCode =
        run(
            "--fabric=F1-part",
            "--class=5",
            "--severity=high",
            "--seed=9",
            "--hours=0.1",
            "--poll=60s",
            "--output=json",
            "--out=" + file);

    assertThat(err.toString()).isEmpty();
    assertThat(exitCode).isZero();
    JsonNode truth = JsonMapper.shared().readTree(out.toString());
    assertThat(truth.path("severity").stringValue()).isEqualTo("high");
    assertThat(truth.path("seconds").doubleValue()).isEqualTo(360);
    assertThat(Files.size(file)).isPositive();
    assertThat(JsonMapper.shared().readTree(folder.resolve("run.ndjson.gz.truth.json").toFile()))
        .isEqualTo(truth);
  }

  @Test
  void faults_of_a_file_are_staged() throws IOException {
    Path faults =
        Files.writeString(
            folder.resolve("faults.json"),
            """
            [{"class":6,"severity":"low","subject":{"type":"host","id":"gpu-003"},
              "onset":"2026-03-01T00:01:00Z"}]
            """);

    int exitCode =
        run(
            "--fabric=F1-part",
            "--hours=0.1",
            "--poll=60s",
            "--faults=" + faults,
            "--out=" + folder.resolve("run.ndjson"));

    assertThat(exitCode).isZero();
    assertThat(out.toString())
        .contains("SLOW_RECEIVER", "2026-03-01T00:01:00Z", "host gpu-003", "1 faults");
  }

  @Test
  void what_cannot_be_simulated_is_said_and_nothing_is_written() {
    Path file = folder.resolve("run.ndjson");

    assertThat(run("--class=26", "--out=" + file)).isEqualTo(2);
    assertThat(run("--fabric=F9", "--out=" + file)).isEqualTo(2);
    assertThat(run("--hours=0", "--out=" + file)).isEqualTo(2);
    assertThat(run("--class=20", "--flavour=roce", "--out=" + file)).isEqualTo(2);
    assertThat(run("--severity=extreme", "--out=" + file)).isEqualTo(2);

    assertThat(err.toString())
        .contains(
            "class 26 cannot be simulated",
            "fabric 'F9' is not known",
            "--hours 0.0: expected more than 0",
            "class 20 is of InfiniBand alone",
            "extreme");
    assertThat(file).doesNotExist();
  }

  @Test
  void files_that_cannot_be_used_are_named() {
    String nowhere = folder.resolve("none").resolve("run.ndjson").toString();
    String absent = folder.resolve("faults.json").toString();

    assertThat(run("--fabric=F1-part", "--out=" + nowhere)).isEqualTo(2);
    assertThat(run("--faults=" + absent, "--out=" + folder.resolve("run.ndjson"))).isEqualTo(2);

    assertThat(err.toString())
        .contains(
            nowhere + " cannot be used: no such file or directory",
            absent + " cannot be used: no such file or directory");
  }

  private int run(String... args) {
    return new CommandLine(new SimulateCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }
}
