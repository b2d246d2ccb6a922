package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import io.fabrichealth.collect.gnmi.GnmiTarget;
import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.collect.snmp.SnmpTarget;
import io.fabrichealth.topology.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of targets as the service discovery of Prometheus has them. */
class TargetDiscoveryTest {
  @TempDir private Path folder;
  private final AtomicReference<HttpServer> server = new AtomicReference<>();

  @AfterEach
  void stop() {
    if (server.get() != null) {
      server.get().stop(0);
    }
  }

  @Test
  void exporters_of_a_file_are_scraped_where_its_labels_say() {
    write(
        "hosts.json",
        """
        [{"targets": ["gpu-001:9100", "gpu-002.example", "[2001:db8::3]:9100"],
          "labels": {"role": "host", "rack": "r1", "__meta_cmdb_id": "17"}},
         {"targets": ["192.0.2.9:9400"],
          "labels": {"device": "gpu-009", "__scheme__": "https", "__metrics_path__": "/gpu",
                     "__scrape_interval__": "30s", "__scrape_timeout__": "20s"}}]
        """);
    Settings settings = load(files("prometheus", "hosts.json"));

    assertThat(settings.prometheus())
        .extracting(PrometheusTarget::device, PrometheusTarget::url)
        .containsExactly(
            tuple("gpu-001", "http://gpu-001:9100/metrics"),
            tuple("gpu-002.example", "http://gpu-002.example/metrics"),
            tuple("2001:db8::3", "http://[2001:db8::3]:9100/metrics"),
            tuple("gpu-009", "https://192.0.2.9:9400/gpu"));
    PrometheusTarget last = settings.prometheus().getLast();
    assertThat(last.interval()).isEqualTo(Duration.ofSeconds(30));
    assertThat(last.timeout()).isEqualTo(Duration.ofSeconds(20));
    assertThat(settings.leftOut()).isEmpty();
  }

  private static org.assertj.core.groups.Tuple tuple(String device, String url) {
    return org.assertj.core.groups.Tuple.tuple(device, URI.create(url));
  }

  @Test
  void switches_take_credentials_port_and_profile_from_their_collector() {
    write(
        "sd/one.yaml",
        """
        - targets: [leaf1.mgmt, "198.51.100.2:1161"]
          labels: {role: leaf}
        """);
    write("sd/two.yaml", "- {targets: [spine1], labels: {device: s1, profile: sonic}}");
    Settings settings =
        load(
            """
            fabric-health:
              collect:
                snmp: {v2c: {community: all}, file-sd: [{files: ["sd/o*.yaml"]}]}
                gnmi: {tls: system, user: u, password: p, profile: sonic,
                       file-sd: [{files: ["sd/*.yaml"]}]}
            """);

    assertThat(settings.snmp())
        .extracting(SnmpTarget::device, SnmpTarget::port, SnmpTarget::role)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("leaf1.mgmt", 161, Role.LEAF),
            org.assertj.core.groups.Tuple.tuple("198.51.100.2", 1161, Role.LEAF));
    assertThat(settings.snmp())
        .allSatisfy(target -> assertThat(target.v2c()).isEqualTo(new SnmpTarget.Community("all")));
    assertThat(settings.gnmi())
        .extracting(GnmiTarget::device, GnmiTarget::profile, GnmiTarget::port)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("leaf1.mgmt", "sonic", 9339),
            org.assertj.core.groups.Tuple.tuple("198.51.100.2", "sonic", 1161),
            org.assertj.core.groups.Tuple.tuple("s1", "sonic", 9339));
    assertThat(settings.gnmi().getLast().user()).isEqualTo(new GnmiTarget.User("u", "p"));
    assertThat(settings.gnmi().getLast().tls())
        .isEqualTo(new GnmiTarget.Tls(null, null, null, null));
  }

  @Test
  void own_credentials_of_a_target_stand_instead_of_those_for_all() {
    Settings settings =
        load(
            """
            fabric-health:
              collect:
                snmp:
                  v3: {user: all, auth-password: 12345678, priv-password: 12345678}
                  targets:
                    - {device: a, address: a}
                    - {device: b, address: b, v2c: {community: own}}
                prometheus:
                  bearer-token: all
                  targets:
                    - {device: a, url: "http://a"}
                    - {device: b, url: "http://b", basic: {user: own, password: p}}
            """);

    assertThat(settings.snmp().get(0).v3()).isNotNull();
    assertThat(settings.snmp().get(1).v3()).isNull();
    assertThat(settings.prometheus().get(0).bearerToken()).isEqualTo("all");
    assertThat(settings.prometheus().get(1).bearerToken()).isNull();
    assertThat(settings.prometheus().get(1).basic()).isNotNull();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          no list           | {"targets": ["a"]}                              | not a list of targets
          no groups         | ["a:9100"]                                      | not a group of targets
          an unknown key    | [{"targts": ["a"]}]                             | did you mean 'targets'
          no addresses      | [{"targets": [{"a": 1}]}]                       | not an address
          one address       | [{"targets": "a"}]                              | 'targets' is not what it should be
          nested labels     | [{"targets": ["a"], "labels": {"role": [1]}}]   | not the value of a label
          a role            | [{"targets": ["a"], "labels": {"role": "leef"}}]| did you mean 'leaf'
          a port            | [{"targets": ["a:99999"]}]                      | 1 to 65535
          an address        | [{"targets": ["a:1:2:3"]}]                      | a whole number
          a path            | [{"targets": ["a/b"]}]                          | no address
          twice one device  | [{"targets": ["a", "a:1161"]}]                  | a second time
          a reference       | [{"targets": ["a"], "labels": {"role": "${PATH}"}}] | is not set
          no JSON           | [{"targets": [                                  | not well-formed JSON
          nothing           | ``                                              | is empty
          """)
  void a_list_that_is_wrong_from_the_start_is_refused_with_its_line(
      String what, String json, String said) {
    write("bad.json", json);

    List<SettingsProblem> problems =
        problems(
            """
            fabric-health: {collect: {snmp: {v2c: {community: c}, file-sd: [{files: [bad.json]}]}}}
            """);

    assertThat(problems).hasSize(1);
    assertThat(problems.getFirst().file()).endsWith("bad.json");
    assertThat(problems.getFirst().toString()).contains(said);
  }

  @Test
  void a_device_that_is_a_target_already_is_left_out_and_said() {
    write("a.json", "[{\"targets\": [\"h1:9100\", \"h2:9100\"]}]");
    Settings settings =
        load(
            """
            fabric-health: {collect: {prometheus: {targets: [{device: h1, url: "http://own"}],
              file-sd: [{files: [a.json]}]}}}
            """);

    assertThat(settings.prometheus())
        .extracting(PrometheusTarget::url)
        .containsExactly(URI.create("http://own"), URI.create("http://h2:9100/metrics"));
    assertThat(settings.leftOut()).hasSize(1);
    assertThat(settings.leftOut().getFirst().toString())
        .contains("a.json:1:", "'h1' is left out", "fabric-health.yaml:1:");
  }

  @Test
  void a_file_that_is_not_there_yet_is_said_and_stops_nothing() {
    Settings settings = load(files("prometheus", "later.json"));

    assertThat(settings.prometheus()).isEmpty();
    assertThat(settings.leftOut().toString()).contains("there is no file", "later.json");
  }

  @Test
  void five_thousand_targets_are_taken() {
    StringBuilder list = new StringBuilder("[");
    for (int i = 0; i < 5_000; i++) {
      list.append(i == 0 ? "" : ",").append("{\"targets\":[\"h").append(i).append(":9100\"]}");
    }
    write("many.json", list.append("]").toString());

    assertThat(load(files("prometheus", "many.json")).prometheus()).hasSize(5_000);
  }

  @Test
  void a_server_is_asked_for_its_list() throws IOException {
    serve(200, "[{\"targets\": [\"leaf1:161\"], \"labels\": {\"role\": \"leaf\"}}]");

    Settings settings = load(http("/targets?token=hunter2"));

    assertThat(settings.snmp()).extracting(SnmpTarget::device).containsExactly("leaf1");
    assertThat(settings.leftOut()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 401, 302})
  void a_server_that_gives_no_list_is_said_and_stops_nothing(int status) throws IOException {
    serve(status, "[]");

    Settings settings = load(http("/targets?token=hunter2"));

    assertThat(settings.snmp()).isEmpty();
    assertThat(settings.leftOut()).hasSize(1);
    assertThat(settings.leftOut().getFirst().toString())
        .contains("status " + status)
        .doesNotContain("hunter2");
  }

  @Test
  void an_answer_that_is_too_large_is_not_taken() throws IOException {
    serve(200, "[" + " ".repeat(2_000) + "]");

    Settings settings =
        load(http("/targets").replace("http-sd: [{", "http-sd: [{max-bytes: 1KB, "));

    assertThat(settings.leftOut().toString()).contains("larger than the limit");
  }

  @Test
  void an_answer_that_is_wrong_is_refused_with_its_place() throws IOException {
    serve(200, "[{\"targets\": 5}]");

    assertThat(problems(http("/targets")).getFirst().toString())
        .contains("/targets:1:", "'targets' is not what it should be");
  }

  private void serve(int status, String body) throws IOException {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.set(http);
    http.createContext(
        "/targets",
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    http.start();
  }

  private String http(String path) {
    int port = server.get().getAddress().getPort();
    return """
        fabric-health: {collect: {snmp: {v2c: {community: c},
          http-sd: [{url: "http://127.0.0.1:%d%s"}]}}}
        """
        .formatted(port, path);
  }

  private static String files(String collector, String name) {
    return "fabric-health: {collect: {" + collector + ": {file-sd: [{files: [" + name + "]}]}}}";
  }

  private Settings load(String yaml) {
    return SettingsLoader.read(write("fabric-health.yaml", yaml), true);
  }

  private List<SettingsProblem> problems(String yaml) {
    Path file = write("fabric-health.yaml", yaml);
    return catchThrowableOfType(SettingsException.class, () -> SettingsLoader.read(file, true))
        .problems();
  }

  private Path write(String name, String content) {
    try {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      return Files.writeString(file, content);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
