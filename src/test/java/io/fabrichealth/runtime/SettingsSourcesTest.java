package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.gnmi.GnmiTarget;
import io.fabrichealth.collect.infiniband.InfinibandTarget;
import io.fabrichealth.collect.query.QueryTarget;
import io.fabrichealth.topology.Role;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** gNMI, InfiniBand and databases of exporters, as they are configured. */
class SettingsSourcesTest extends WrittenSettings {
  @Test
  void defaults_of_a_gnmi_target_are_filled_in() {
    Settings settings =
        load("fabric-health: {collect: {gnmi: {targets: [{device: leaf1, address: 192.0.2.1}]}}}");

    assertThat(settings.gnmi())
        .containsExactly(
            new GnmiTarget(
                "leaf1",
                Role.SWITCH,
                "192.0.2.1",
                9339,
                "openconfig",
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                null,
                null));
  }

  @Test
  void a_gnmi_target_names_a_bundle_by_the_files_of_which_it_consists() {
    Path ca = write("ca.pem", "a");
    Path certificate = write("client.pem", "c");
    Path key = write("client.key", "k");
    write("password", "hunter2\n");
    Settings settings =
        load(
            """
            spring.ssl.bundle.pem:
              switches:
                truststore.certificate: "file:%s"
                keystore: {certificate: "file:%s", private-key: "%s"}
            fabric-health:
              collect:
                gnmi:
                  interval: 5s
                  targets:
                    - {device: leaf1, role: leaf, address: leaf1.mgmt, port: 6030, profile: sonic,
                       tls: switches, server-name: leaf1.example, user: admin,
                       password-file: password, timeout: 3s}
                    - {device: leaf2, address: leaf2.mgmt, tls: system, interval: 1s}
            """
                .formatted(ca, certificate, key));

    assertThat(settings.gnmi().getFirst())
        .isEqualTo(
            new GnmiTarget(
                "leaf1",
                Role.LEAF,
                "leaf1.mgmt",
                6030,
                "sonic",
                Duration.ofSeconds(5),
                Duration.ofSeconds(3),
                new GnmiTarget.Tls(
                    ca.toString(), certificate.toString(), key.toString(), "leaf1.example"),
                new GnmiTarget.User("admin", "hunter2")));
    assertThat(settings.gnmi().get(1).tls()).isEqualTo(new GnmiTarget.Tls(null, null, null, null));
    assertThat(settings.gnmi().get(1).interval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(settings.toString()).doesNotContain("hunter2");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          an unknown bundle      | tls: swiches                       | did you mean 'switches'
          a missing file         | tls: switches                      | truststore.certificate names no file
          a name without TLS     | server-name: leaf1                 | stands without 'tls'
          a password alone       | password: hunter2                  | a password and no 'user'
          a user alone           | user: admin                        | 'password' is missing
          a port out of range    | port: 0                            | 1 to 65535
          an unknown profile     | profile: sonik                     | did you mean 'sonic'
          a line in a name       | profile: "a\\nb"                   | a control character
          a line in a password   | {user: a, password: "hunter2\\n2"} | a control character
          """)
  void a_gnmi_target_is_refused_for(String what, String written, String said) {
    String keys = written.startsWith("{") ? written.substring(1, written.length() - 1) : written;
    SettingsProblem problem =
        onlyProblem(
            """
            spring.ssl.bundle.pem.switches.truststore.certificate: "file:no-such.pem"
            fabric-health: {collect: {gnmi: {targets: [{device: l, address: a, %s}]}}}
            """
                .formatted(keys));

    assertThat(problem.line()).isEqualTo(2);
    assertThat(problem.toString()).contains(said).doesNotContain("hunter2");
  }

  @Test
  void a_key_that_stands_in_a_bundle_itself_is_refused_and_not_repeated() {
    assertThat(
            onlyProblem(
                    """
                    spring.ssl.bundle.pem.b.truststore.certificate: |
                      -----BEGIN CERTIFICATE-----
                      hunter2
                    fabric-health: {collect: {gnmi: {targets: [{device: l, address: a, tls: b}]}}}
                    """)
                .toString())
        .contains("names no file")
        .doesNotContain("hunter2");
  }

  @Test
  void a_subnet_is_read_by_tools_or_by_their_saved_output() {
    Settings settings =
        load(
            """
            fabric-health:
              collect:
                infiniband:
                  topology-interval: 2h
                  targets:
                    - {name: here}
                    - {name: there, interval: 5s, tools: {command: [ssh, ufm-1], ca: mlx5_2, ca-port: 2}}
                    - {name: saved, saved: {discover: ib/net.txt, counters: ["ib/perf-*.txt"]}}
            """);

    assertThat(settings.infiniband())
        .containsExactly(
            new InfinibandTarget(
                "here",
                Duration.ofSeconds(30),
                Duration.ofHours(2),
                Duration.ofSeconds(20),
                new InfinibandTarget.Tools(List.of(), null, 0)),
            new InfinibandTarget(
                "there",
                Duration.ofSeconds(5),
                Duration.ofHours(2),
                Duration.ofSeconds(5),
                new InfinibandTarget.Tools(List.of("ssh", "ufm-1"), "mlx5_2", 2)),
            new InfinibandTarget(
                "saved",
                Duration.ofSeconds(30),
                Duration.ofHours(2),
                Duration.ofSeconds(20),
                new InfinibandTarget.Saved(
                    folder.resolve("ib/net.txt"), List.of(folder.resolve("ib/perf-*.txt")))));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          both ways         | saved: {discover: a}, tools: {ca: mlx5_0} | one of the two
          no discovery      | saved: {counters: [a]}                    | 'discover' is missing
          a port of zero    | tools: {ca-port: 0}                       | 1 to 254
          no text           | saved: {discover: [a]}                    | one plain value
          """)
  void a_subnet_is_refused_for(String what, String keys, String said) {
    assertThat(
            onlyProblem(
                    "fabric-health: {collect: {infiniband: {targets: [{name: n, " + keys + "}]}}}")
                .toString())
        .contains(said);
  }

  @Test
  void a_database_is_asked_for_what_its_matchers_say() {
    Settings settings =
        load(
            """
            fabric-health:
              collect:
                prometheus-query:
                  targets:
                    - {name: main, url: "http://prom:9090", match: ["job=node", "rack_row = a=b"]}
                    - {name: other, url: "https://vm/select/0/prometheus", device-label: host,
                       device-pattern: "(gpu-[0-9]+).*", role: switch, bearer-token: hunter2}
            """);

    QueryTarget main = settings.queries().getFirst();
    assertThat(main.match()).isEqualTo(Map.of("job", "node", "rack_row", "a=b"));
    assertThat(main.deviceLabel()).isEqualTo("instance");
    assertThat(main.role()).isEqualTo(Role.HOST);
    assertThat(main.interval()).isEqualTo(Duration.ofSeconds(15));
    assertThat(settings.queries().get(1))
        .isEqualTo(
            new QueryTarget(
                "other",
                URI.create("https://vm/select/0/prometheus"),
                Map.of(),
                "host",
                "(gpu-[0-9]+).*",
                Role.SWITCH,
                Duration.ofSeconds(15),
                Duration.ofSeconds(5),
                "hunter2",
                null,
                null));
    assertThat(settings.toString()).doesNotContain("hunter2");
  }

  @ParameterizedTest
  @CsvSource({
    "gpu-001:9100, gpu-001",
    "gpu-001, gpu-001",
    "gpu-001.example:80, gpu-001.example",
    "[2001:db8::1]:9100, 2001:db8::1"
  })
  void without_a_pattern_the_device_is_what_stands_before_the_port(String label, String device) {
    Settings settings =
        load(
            "fabric-health: {collect: {prometheus-query: {targets: [{name: n, url: 'http://p'}]}}}");

    Matcher name = Pattern.compile(settings.queries().getFirst().devicePattern()).matcher(label);

    assertThat(name.matches()).isTrue();
    assertThat(name.group(1)).isEqualTo(device);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no matcher        | match: [node]                | 'node' is no matcher
          no label          | match: ["9job=node"]         | is no matcher
          no group          | device-pattern: "gpu-.*"     | has no group
          no expression     | device-pattern: "(gpu"       | is no regular expression
          no name           | device-label: a-b            | is no name of a label
          a long timeout    | timeout: 20s                 | longer than the interval
          """)
  void a_database_is_refused_for(String what, String keys, String said) {
    assertThat(
            onlyProblem(
                    "fabric-health: {collect: {prometheus-query: {targets: [{name: n,"
                        + " url: 'http://p', "
                        + keys
                        + "}]}}}")
                .toString())
        .contains(said);
  }

  @Test
  void a_name_twice_in_one_collector_is_refused() {
    assertThat(
            onlyProblem("fabric-health: {collect: {infiniband: {targets: [{name: a}, {name: a}]}}}")
                .toString())
        .contains("'a' stands here a second time");
  }

  @Test
  void a_subnet_and_a_database_are_targets_and_no_devices() {
    Settings settings =
        load(
            """
            fabric-health: {collect: {
              gnmi: {targets: [{device: leaf1, address: a}]},
              infiniband: {targets: [{name: ib0}]},
              prometheus-query: {targets: [{name: prom, url: "http://p"}]}}}
            """);

    assertThat(settings.devices()).containsOnlyKeys("leaf1");
    assertThat(settings.targetKeys())
        .containsExactlyInAnyOrder("gnmi leaf1", "infiniband ib0", "prometheus-query prom");
  }
}
