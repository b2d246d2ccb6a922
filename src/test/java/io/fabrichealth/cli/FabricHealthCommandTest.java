package io.fabrichealth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class FabricHealthCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final PrintStream systemOut = System.out;
  private final PrintStream systemErr = System.err;

  @TempDir private Path folder;

  @BeforeEach
  void capture() {
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void release() {
    System.setOut(systemOut);
    System.setErr(systemErr);
  }

  @Test
  void help_names_the_commands() {
    assertThat(run("--help")).isZero();

    assertThat(out()).contains("serve", "check-config");
  }

  @Test
  void each_command_has_help() {
    assertThat(run("serve", "--help")).isZero();
    assertThat(run("check-config", "--help")).isZero();

    assertThat(out()).contains("--spring.profiles.active=demo", "--output=table|json");
  }

  @Test
  void version_names_program_and_java() {
    assertThat(run("--version")).isZero();

    assertThat(out()).contains("fabric-health ", "Java ");
  }

  @Test
  void a_misspelt_command_is_refused_with_the_one_that_is_meant() {
    assertThat(run("check-confg")).isEqualTo(2);

    assertThat(err()).contains("check-config");
  }

  @Test
  void a_valid_file_prints_its_targets_without_secrets() throws IOException {
    Path file =
        write(
            """
            fabric-health:
              topology: plan.yaml
              collect:
                snmp: {targets: [{device: leaf1, role: leaf, address: 10.0.0.1,
                  v3: {user: monitor, auth-password: hunter2hunter2, priv-password: hunter2hunter2}}]}
                prometheus: {targets: [{device: gpu9, url: "https://gpu9:9100/metrics",
                  bearer-token: hunter2}]}
            """);
    Files.writeString(
        folder.resolve("plan.yaml"), "devices: [{name: leaf1, role: leaf}, {name: gpu1}]");

    assertThat(run("check-config", "--offline", file.toString())).isZero();

    assertThat(out())
        .containsPattern("leaf1 +leaf +snmp +10.0.0.1:161 +10s +v3 monitor SHA/AES")
        .containsPattern("gpu9 +host +prometheus +https://gpu9:9100/metrics +10s +bearer")
        .contains("2 devices, 0 ports, 0 links")
        .contains("read, but not in the plan: gpu9", "planned, but not read: gpu1")
        .contains("is valid")
        .doesNotContain("hunter2");
    assertThat(err()).doesNotContain("tried").doesNotContain("hunter2");
  }

  @Test
  void a_file_that_is_not_valid_gives_exit_code_2_and_the_line() throws IOException {
    Path file = write("fabric-health:\n  data-dri: x\n");

    assertThat(run("check-config", file.toString())).isEqualTo(2);

    assertThat(out()).contains("fabric-health.yaml:2:13", "did you mean 'data-dir'");
  }

  @Test
  void the_answer_as_json_is_one_document() throws IOException {
    Path file = write("fabric-health:\n  data-dri: x\n");

    assertThat(run("check-config", "--output", "json", file.toString())).isEqualTo(2);

    JsonNode answer = JsonMapper.shared().readTree(out());
    assertThat(answer.get("valid").booleanValue()).isFalse();
    JsonNode problem = answer.get("problems").get(0);
    assertThat(problem.get("line").intValue()).isEqualTo(2);
    assertThat(problem.get("key").stringValue()).isEqualTo("fabric-health.data-dri");
    assertThat(problem.get("allowed").stringValue()).contains("data-dir");
  }

  @Test
  void a_missing_file_gives_exit_code_2() {
    assertThat(run("check-config", folder.resolve("none.yaml").toString())).isEqualTo(2);

    assertThat(out()).contains("there is no such file");
  }

  @Test
  void each_target_is_tried_and_what_it_shows_is_told() throws IOException {
    Path file =
        write(
            """
            fabric-health:
              collect:
                snmp: {timeout: 500ms, targets: [{device: dead, address: 127.0.0.1, port: 9,
                  v2c: {community: hunter2}}]}
                infiniband: {targets: [{name: ib0, saved: {discover: none.txt}}]}
            """);

    assertThat(
            run("check-config", "--demo", "--timeout", "20s", "--output", "json", file.toString()))
        .isEqualTo(1);

    JsonNode answer = JsonMapper.shared().readTree(out());
    assertThat(answer.get("valid").booleanValue()).isTrue();
    assertThat(answer.get("targets").size()).isEqualTo(16);
    JsonNode leaf = target(answer, "leaf1");
    assertThat(leaf.at("/seen/reached").booleanValue()).isTrue();
    assertThat(leaf.at("/seen/ports").intValue()).isEqualTo(24);
    assertThat(leaf.at("/seen/sees/fec").intValue()).isEqualTo(24);
    assertThat(leaf.at("/seen/doesNotSee/roce").stringValue()).isEqualTo("not given");
    JsonNode dead = target(answer, "dead");
    assertThat(dead.at("/seen/reached").booleanValue()).isFalse();
    assertThat(dead.at("/seen/failure").stringValue()).contains("dead");
    assertThat(dead.at("/seen/doesNotSee").isEmpty()).isTrue();
    assertThat(out()).doesNotContain("hunter2");
    assertThat(err()).contains("tried 15 of ");
  }

  private static JsonNode target(JsonNode answer, String device) {
    for (JsonNode target : answer.get("targets")) {
      if (target.get("device").stringValue().equals(device)) {
        return target;
      }
    }
    throw new AssertionError(device + " is no target in " + answer);
  }

  @Test
  void the_table_of_what_targets_show_is_for_people() {
    assertThat(run("check-config", "--demo")).isZero();

    assertThat(out())
        .containsPattern("gpu-001 +prometheus +yes +8 +fec \\(8\\), .*roce \\(8\\) +device, ecn")
        .contains("is valid, targets: 14");
  }

  @Test
  void a_recording_says_what_it_holds() throws IOException {
    Path file = folder.resolve("demo.ndjson.gz");

    assertThat(
            run(
                "record",
                "--demo",
                "--duration",
                "4s",
                "--out",
                file.toString(),
                "--output",
                "json"))
        .isZero();

    JsonNode answer = JsonMapper.shared().readTree(out());
    assertThat(answer.at("/records/poll").intValue()).isPositive();
    assertThat(answer.get("bytes").longValue()).isEqualTo(Files.size(file));
    assertThat(answer.get("targets").size()).isEqualTo(14);
  }

  @Test
  void a_recording_without_room_says_so() {
    assumeTrue(Files.exists(Path.of("/dev/full")), "skipped: /dev/full is not there");

    assertThat(run("record", "--demo", "--duration", "1s", "--out", "/dev/full")).isEqualTo(2);

    assertThat(err()).contains("/dev/full cannot be written: No space left on device");
  }

  @Test
  void a_recording_that_cannot_begin_says_why() {
    String nowhere = folder.resolve("none/demo.ndjson").toString();
    assertThat(run("record", "--demo", "--duration", "1s", "--out", nowhere)).isEqualTo(2);
    assertThat(err()).contains("no such file or directory");

    assertThat(run("record", "--config", "none.yaml", "--duration", "1s", "--out", nowhere))
        .isEqualTo(2);
    assertThat(err()).contains("none.yaml: there is no such file");

    assertThat(run("record", "--duration", "soon", "--out", nowhere)).isEqualTo(2);
    assertThat(err()).contains("'soon' is no duration such as 90s");
  }

  private int run(String... args) {
    return FabricHealthCommand.run(Object.class, args);
  }

  private Path write(String yaml) throws IOException {
    return Files.writeString(folder.resolve("fabric-health.yaml"), yaml);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
