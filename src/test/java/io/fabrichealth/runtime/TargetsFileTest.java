package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.collect.snmp.SnmpTarget;
import io.fabrichealth.topology.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetsFileTest {
  private static final Path LAB = Path.of("../shared/fixtures/lab/healthy/targets.json");

  @TempDir private Path folder;

  @Test
  void takes_what_the_lab_prints_as_it_is() {
    assumeTrue(Files.exists(LAB), () -> "skipped: " + LAB + " is not there");

    Settings settings = withTargetsFile(LAB.toAbsolutePath().toString());

    assertThat(settings.snmp())
        .extracting(SnmpTarget::device)
        .containsExactly("leaf1", "leaf2", "leaf3", "leaf4", "spine1", "spine2");
    assertThat(settings.snmp())
        .allSatisfy(
            target ->
                assertThat(target.v3())
                    .isEqualTo(
                        new SnmpTarget.User(
                            "monitor", "SHA", "monitor-auth-pass", "AES", "monitor-priv-pass")));
    assertThat(settings.snmp().get(4).role()).isEqualTo(Role.SPINE);
    assertThat(settings.prometheus()).hasSize(8);
    assertThat(settings.prometheus().get(7).url()).hasToString("http://198.18.0.24:9100/metrics");
  }

  @Test
  void its_path_is_relative_to_the_configuration_and_its_targets_stand_beside_others()
      throws IOException {
    write("targets.json", "{\"exporters\": [{\"device\": \"h2\", \"url\": \"http://h2/\"}]}");

    Settings settings =
        load(
            """
            fabric-health:
              collect:
                targets-file: targets.json
                prometheus: {interval: 3s, targets: [{device: h1, url: "http://h1/"}]}
            """);

    assertThat(settings.prometheus())
        .extracting(PrometheusTarget::device)
        .containsExactly("h1", "h2");
    assertThat(settings.prometheus().get(1).interval()).hasSeconds(3);
    assertThat(settings.files()).contains(folder.resolve("targets.json"));
  }

  @Test
  void tabs_are_white_space() throws IOException {
    write("targets.json", "{\n\t\"exporters\": [\n\t{\"device\": \"h\", \"url\": \"http://h/\"}]}");

    assertThat(withTargetsFile("targets.json").prometheus()).hasSize(1);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          an unknown key        | {"device":"a","adress":"b","address":"b","v2c":{"community":"c"}} | targets-file.snmp[0].adress | did you mean 'address'
          no address            | {"device":"a","v2c":{"community":"c"}}                | targets-file.snmp[0]        | 'address' is missing
          no credentials        | {"device":"a","address":"b"}                          | targets-file.snmp[0]        | 'v2c' or 'v3'
          an unknown role       | {"device":"a","address":"b","role":"tor","v2c":{"community":"c"}} | targets-file.snmp[0].role | spine
          a weaker level        | {"device":"a","address":"b","v3":{"user":"u","auth_password":"12345678","priv_password":"12345678","level":"noAuthNoPriv"}} | targets-file.snmp[0].v3.level | authPriv
          """)
  void an_entry_is_refused_for(String what, String entry, String key, String said)
      throws IOException {
    write("targets.json", "{\n\"snmp\": [\n" + entry + "\n]}");

    List<SettingsProblem> problems = problems("targets.json");

    assertThat(problems).hasSize(1);
    assertThat(problems.getFirst().file()).endsWith("targets.json");
    assertThat(problems.getFirst().line()).isEqualTo(3);
    assertThat(problems.getFirst().key()).isEqualTo(key);
    assertThat(problems.getFirst().toString()).contains(said);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a bracket that is missing | {"snmp": [{"device": "a"  | 1 | not well-formed JSON
          a comma too many          | {"snmp": [],}             | 1 | not well-formed JSON
          a key twice               | {"snmp": [], "snmp": []}  | 1 | uplicate
          an empty file             |                           | 0 | the file is empty
          a list                    | []                        | 1 | not an object with targets
          another object            | {"hosts": []}             | 1 | 'hosts'
          """)
  void a_file_is_refused_for(String what, String content, int line, String said)
      throws IOException {
    write("targets.json", content == null ? "" : content.replace("[]", "[1]"));

    assertThat(problems("targets.json"))
        .anySatisfy(
            problem -> {
              assertThat(problem.file()).endsWith("targets.json");
              assertThat(problem.line()).isEqualTo(line);
              assertThat(problem.toString()).contains(said);
            });
  }

  @Test
  void a_missing_file_is_refused_at_the_line_that_names_it() {
    List<SettingsProblem> problems = problems("none.json");

    assertThat(problems).hasSize(1);
    assertThat(problems.getFirst().where()).endsWith("fabric-health.yaml:3:19");
    assertThat(problems.getFirst().problem()).contains("there is no file", "none.json");
  }

  @Test
  void a_device_that_also_stands_in_the_configuration_is_refused() throws IOException {
    write("targets.json", "{\"exporters\": [{\"device\": \"h1\", \"url\": \"http://h2/\"}]}");
    Path file =
        write(
            "fabric-health.yaml",
            """
            fabric-health:
              collect:
                targets-file: targets.json
                prometheus: {targets: [{device: h1, url: "http://h1/"}]}
            """);

    assertThat(catchThrowableOfType(SettingsException.class, () -> SettingsLoader.read(file, true)))
        .hasMessageContaining("fabric-health.yaml:4:37");
  }

  private Settings withTargetsFile(String path) {
    return load(configuration(path));
  }

  private List<SettingsProblem> problems(String targetsFile) {
    return catchThrowableOfType(SettingsException.class, () -> withTargetsFile(targetsFile))
        .problems();
  }

  private static String configuration(String targetsFile) {
    return "fabric-health:\n  collect:\n    targets-file: " + targetsFile + "\n";
  }

  private Settings load(String yaml) {
    try {
      return SettingsLoader.read(write("fabric-health.yaml", yaml), true);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }
}
