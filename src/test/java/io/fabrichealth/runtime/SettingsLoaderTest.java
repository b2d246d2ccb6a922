package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.collect.snmp.SnmpTarget;
import io.fabrichealth.topology.Role;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsLoaderTest extends WrittenSettings {
  @Test
  void an_empty_configuration_has_the_defaults_and_no_target() {
    Settings settings = load("fabric-health: {}");

    assertThat(settings.dataDir()).isEqualTo(Path.of("./data"));
    assertThat(settings.plan()).isNull();
    assertThat(settings.snmp()).isEmpty();
    assertThat(settings.prometheus()).isEmpty();
  }

  @Test
  void defaults_of_a_target_are_filled_in() {
    Settings settings =
        load(
            """
            fabric-health:
              collect:
                snmp: {targets: [{device: leaf1, address: 198.18.0.11, v2c: {community: public}}]}
                prometheus: {targets: [{device: host1, url: "http://198.18.0.17:9100/metrics"}]}
            """);

    assertThat(settings.snmp())
        .containsExactly(
            new SnmpTarget(
                "leaf1",
                Role.SWITCH,
                "198.18.0.11",
                161,
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                new SnmpTarget.Community("public"),
                null));
    assertThat(settings.prometheus())
        .containsExactly(
            new PrometheusTarget(
                "host1",
                Role.HOST,
                URI.create("http://198.18.0.17:9100/metrics"),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                32L << 20,
                null,
                null,
                null));
  }

  @Test
  void every_value_can_be_set() {
    write("token", "t0ken\n");
    write("ca.pem", "-----BEGIN CERTIFICATE-----");
    Settings settings =
        load(
            """
            fabric-health:
              data-dir: /var/lib/fabric-health
              collect:
                snmp:
                  interval: 30s
                  timeout: 3s
                  targets:
                    - device: leaf1
                      role: leaf
                      address: leaf1.mgmt
                      port: 1161
                      interval: 5s
                      timeout: 700ms
                      v3:
                        user: monitor
                        auth-protocol: SHA-256
                        auth-password: auth-secret
                        priv-protocol: aes256
                        priv-password: priv-secret
                        level: authPriv
                    - {device: leaf2, role: leaf, address: leaf2.mgmt, v2c: {community: c}}
                prometheus:
                  interval: 15s
                  timeout: 4s
                  max-bytes: 8MB
                  targets:
                    - {device: h1, role: host, url: "https://h1/metrics", bearer-token-file: token,
                       ca-file: ca.pem, interval: 1s, timeout: 900ms, max-bytes: 1MB}
                    - {device: h2, url: "http://h2/metrics", basic: {user: u, password: p}}
            """);

    assertThat(settings.dataDir()).isEqualTo(Path.of("/var/lib/fabric-health"));
    SnmpTarget leaf1 = settings.snmp().get(0);
    assertThat(leaf1.role()).isEqualTo(Role.LEAF);
    assertThat(leaf1.port()).isEqualTo(1161);
    assertThat(leaf1.interval()).isEqualTo(Duration.ofSeconds(5));
    assertThat(leaf1.timeout()).isEqualTo(Duration.ofMillis(700));
    assertThat(leaf1.v3())
        .isEqualTo(
            new SnmpTarget.User("monitor", "SHA256", "auth-secret", "AES256", "priv-secret"));
    SnmpTarget leaf2 = settings.snmp().get(1);
    assertThat(leaf2.interval()).isEqualTo(Duration.ofSeconds(30));
    assertThat(leaf2.timeout()).isEqualTo(Duration.ofSeconds(3));
    PrometheusTarget h1 = settings.prometheus().get(0);
    assertThat(h1.bearerToken()).isEqualTo("t0ken");
    assertThat(h1.caFile()).isEqualTo(folder.resolve("ca.pem").toString());
    assertThat(h1.interval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(h1.maxBytes()).isEqualTo(1L << 20);
    PrometheusTarget h2 = settings.prometheus().get(1);
    assertThat(h2.basic()).isEqualTo(new PrometheusTarget.Basic("u", "p"));
    assertThat(h2.timeout()).isEqualTo(Duration.ofSeconds(4));
    assertThat(h2.maxBytes()).isEqualTo(8L << 20);
  }

  @Test
  void a_default_timeout_gives_way_to_a_short_interval() {
    Settings settings =
        load(
            """
            fabric-health: {collect: {prometheus: {interval: 1s, targets: [
              {device: h, url: "http://h/"}]}}}
            """);

    assertThat(settings.prometheus().getFirst().timeout()).isEqualTo(Duration.ofSeconds(1));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          an unknown key         | intervall: 5s         | 6 | intervall   | did you mean 'interval'
          a negative interval    | interval: -5s         | 6 | interval    | 100ms to 1h
          an interval of zero    | interval: 0           | 6 | interval    | 100ms to 1h
          no duration            | interval: soon        | 6 | interval    | a duration such as
          a long timeout         | timeout: 20s          | 6 | timeout     | up to 10s
          an unknown role        | role: leef            | 6 | role        | did you mean 'leaf'
          a port out of range    | port: 70000           | 6 | port        | 1 to 65535
          no number              | port: snmp            | 6 | port        | a whole number
          keys for a value       | port: {number: 1}     | 6 | port        | more than one value
          a value for keys       | v3: monitor           | 6 | v3          | the keys user
          """)
  void is_refused_with_line_and_what_is_allowed(
      String what, String line, int lineNumber, String key, String said) {
    SettingsProblem problem =
        onlyProblem(
            """
            fabric-health:
              collect:
                snmp:
                  targets:
                    - {device: leaf1, address: 198.18.0.11, v2c: {community: public},
                       %s}
            """
                .formatted(line));

    assertThat(problem.file()).endsWith("fabric-health.yaml");
    assertThat(problem.line()).isEqualTo(lineNumber);
    assertThat(problem.key()).isEqualTo("fabric-health.collect.snmp.targets[0]." + key);
    assertThat(problem.toString()).contains(said);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          another scheme        | url: "ftp://h/metrics"                       | http://host
          a port too large      | url: "http://h:99999/"                       | 1 to 65535
          no URL at all         | url: "ht tp:"                                | is no URL
          credentials in a URL  | url: "http://u:hunter2@h/"                   | holds credentials
          two secrets           | {url: "http://h", bearer-token: a, bearer-token-file: b} | one of the two
          two ways to sign in   | {url: "http://h", bearer-token: a, basic: {user: u, password: p}} | one of the two
          a missing password    | {url: "http://h", basic: {user: u}}          | 'password' is missing
          a missing URL         | role: host                                   | 'url' is missing
          a missing file        | {url: "http://h", ca-file: none.pem}         | there is no file
          a huge answer         | {url: "http://h", max-bytes: 20GB}           | 1KB to 1GB
          """)
  void an_exporter_is_refused_for(String what, String written, String said) {
    String keys = written.startsWith("{") ? written.substring(1, written.length() - 1) : written;
    SettingsProblem problem =
        onlyProblem(
            "fabric-health: {collect: {prometheus: {targets: [{device: h, " + keys + "}]}}}");

    assertThat(problem.line()).isEqualTo(1);
    assertThat(problem.toString()).contains(said).doesNotContain("hunter2");
  }

  @Test
  void a_reference_that_is_not_set_is_named() {
    assertThat(
            onlyProblem(
                    """
                    fabric-health: {collect: {snmp: {targets: [
                      {device: a, address: b, v2c: {community: "${NO_SUCH_VARIABLE}"}}]}}}
                    """)
                .toString())
        .contains(":2:", "${NO_SUCH_VARIABLE} is not set");
  }

  @Test
  void a_reference_is_resolved() {
    System.setProperty("settings.test.community", "from-elsewhere");
    try {
      Settings settings =
          load(
              """
              fabric-health: {collect: {snmp: {targets: [
                {device: a, address: b, v2c: {community: "${settings.test.community}"}}]}}}
              """);

      assertThat(settings.snmp().getFirst().v2c())
          .isEqualTo(new SnmpTarget.Community("from-elsewhere"));
    } finally {
      System.clearProperty("settings.test.community");
    }
  }

  @Test
  void a_device_twice_in_one_collector_is_refused_with_both_places() {
    assertThat(
            onlyProblem(
                    """
                    fabric-health:
                      collect:
                        snmp:
                          targets:
                            - {device: a, address: x, v2c: {community: c}}
                            - {device: b, address: y, v2c: {community: c}}
                            - {device: a, address: z, v2c: {community: c}}
                    """)
                .toString())
        .contains(":7:", "the first is at", ":5:");
  }

  @Test
  void one_device_may_be_read_by_two_collectors() {
    Settings settings =
        load(
            """
            fabric-health: {collect: {
              snmp: {targets: [{device: a, address: x, v2c: {community: c}}]},
              prometheus: {targets: [{device: a, url: "http://x/"}]}}}
            """);

    assertThat(settings.snmp().getFirst().device()).isEqualTo("a");
    assertThat(settings.prometheus().getFirst().device()).isEqualTo("a");
  }

  @Test
  void all_problems_are_told_at_once_in_the_order_of_lines() {
    List<SettingsProblem> problems =
        problems(
            """
            fabric-health:
              topolgy: x.yaml
              collect:
                snmp:
                  interval: -1s
                  targets:
                    - {device: a, role: x, address: b, v2c: {community: c}}
            """);

    assertThat(problems).extracting(SettingsProblem::line).containsExactly(2, 5, 7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "", "[a]", "{port: x}", "{device: [a]}"})
  void a_malformed_element_of_a_list_does_not_hide_what_is_wrong_with_the_others(String element) {
    List<SettingsProblem> problems =
        problems(
            """
            fabric-health:
              collect:
                snmp:
                  targets:
                    - %s
                    - {device: b, role: leef, address: b, v2c: {community: c}}
                    - {device: c, address: b, v2c: {comunity: c}}
            """
                .formatted(element));

    assertThat(problems).extracting(SettingsProblem::line).contains(5, 6, 7);
    assertThat(problems.toString())
        .contains("did you mean 'leaf'", "did you mean 'community'")
        .doesNotContain("targets: not of the kind");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fabric-heath:\n",
        "fabric-heath: {}",
        "fabric-heath: []",
        "x: {}\n---\nfabric-health: {}"
      })
  void a_misspelt_first_key_with_nothing_below_it_is_refused(String yaml) {
    assertThat(onlyProblem(yaml).toString()).contains("unknown key", ":1:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"snmpp: {}", "snmpp:", "gnmi: {tagets: []}", "prometheus: {targets: [{x: {}}]}"})
  void a_misspelt_key_with_nothing_below_it_is_refused(String keys) {
    assertThat(problems("fabric-health:\n  collect:\n    " + keys).toString())
        .contains("fabric-health.yaml:", "unknown key")
        .doesNotContain("Config resource");
  }

  @ParameterizedTest
  @ValueSource(strings = {"device: \"a\\nb\"", "bearer-token: \"hunter2\\u0007\""})
  void a_control_character_is_refused(String keys) {
    assertThat(
            problems(
                    "fabric-health: {collect: {prometheus: {targets: [{url: 'http://h', "
                        + keys
                        + "}]}}}")
                .toString())
        .contains("holds a control character")
        .doesNotContain("hunter2");
  }

  @Test
  void a_misspelt_first_key_does_not_hide_all_below_it() {
    assertThat(onlyProblem("fabric-heath: {data-dir: x}").toString())
        .contains("did you mean 'fabric-health'");
  }

  @Test
  void malformed_yaml_is_refused_with_its_line() {
    SettingsProblem problem = onlyProblem("fabric-health:\n  collect: {snmp: [\n");

    assertThat(problem.line()).isEqualTo(2);
    assertThat(problem.problem()).contains("not well-formed YAML");
  }

  @Test
  void a_key_twice_is_refused_with_its_line() {
    SettingsProblem problem = onlyProblem("fabric-health:\n  data-dir: a\n  data-dir: b\n");

    assertThat(problem.line()).isEqualTo(3);
    assertThat(problem.problem()).containsIgnoringCase("duplicate");
  }

  @Test
  void secrets_stand_in_no_message_and_no_text_form() {
    String secret = "hunter2hunter2";
    write("short", "hunter2");
    List<SettingsProblem> problems =
        problems(
            """
            fabric-health:
              collect:
                snmp:
                  targets:
                    - {device: a, address: x, v2c: hunter2hunter2}
                    - {device: b, address: x, v3: {user: u, auth-password-file: short,
                       priv-password: hunter2, auth-protocol: none}}
                    - {device: c, address: x, v2c: {community: {nested: hunter2hunter2}}}
            """);
    assertThat(problems).hasSizeGreaterThan(3);
    assertThat(problems.toString()).doesNotContain("hunter2");

    Settings settings =
        load(
            """
            fabric-health:
              collect:
                snmp: {targets: [{device: a, address: x, v2c: {community: %1$s},
                  v3: {user: u, auth-password: %1$s, priv-password: %1$s}}]}
                prometheus: {targets: [{device: a, url: "http://x/", bearer-token: %1$s},
                  {device: b, url: "http://x/", basic: {user: u, password: %1$s}}]}
            """
                .formatted(secret));
    assertThat(settings.toString()).doesNotContain("hunter2");
  }
}
