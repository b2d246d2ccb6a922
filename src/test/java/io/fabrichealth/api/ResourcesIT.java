package io.fabrichealth.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.testing.FakeIncidents;
import io.fabrichealth.testing.Http;
import io.fabrichealth.testing.SampleFabric;
import io.fabrichealth.testing.WebSlice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Incidents, devices, topology, targets, and what is served beside the API. */
@SpringBootTest(
    classes = WebSlice.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = "management.server.port=0")
class ResourcesIT {
  private static final String INCIDENTS = "/api/v1/incidents";

  @LocalServerPort private int port;
  @Autowired private FakeIncidents incidents;
  private Http http;

  @BeforeEach
  void connect() {
    http = new Http(port);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          state=OPEN                                       | 4
          state=RESOLVED                                   | 0
          severity=CRITICAL                                | 2
          severity=CRITICAL&severity=WARNING               | 4
          cause=SLOW_RECEIVER                              | 1
          subject=host:gpu-002                             | 1
          subject=gpu-002                                  | 1
          subject=link:gpu-001:mlx5_1%2F1--leaf2:Ethernet1%2F1 | 1
          subject=gpu-001:mlx5_1/1--leaf2:Ethernet1/1      | 1
          subject=leaf1:Ethernet1/2                        | 0
          subject=leaf1                                    | 0
          since=2026-03-01T12:00:01Z                       | 0
          since=%2B999999999-01-01T00:00:00Z               | 0
          since=-999999999-01-01T00:00:00Z                 | 4
          since=2026-03-01T12:00:00%2B01:00                | 4
          """)
  void incidents_are_filtered(String query, int expected) {
    assertThat(http.get(INCIDENTS + "?" + query).json().get("items")).hasSize(expected);
  }

  @Test
  void incidents_come_newest_first_page_by_page() {
    JsonNode first = http.get(INCIDENTS + "?limit=3").json();
    JsonNode second =
        http.get(INCIDENTS + "?limit=3&cursor=" + first.get("nextCursor").asString()).json();

    List<String> times = new ArrayList<>();
    first.get("items").forEach(each -> times.add(each.get("openedAt").asString()));
    second.get("items").forEach(each -> times.add(each.get("openedAt").asString()));
    assertThat(times).hasSize(4).doesNotHaveDuplicates();
    assertThat(times.reversed()).isSorted();
    assertThat(second.get("nextCursor").isNull()).isTrue();
  }

  @Test
  void an_explanation_has_the_paragraph_and_the_numbers() {
    JsonNode explanation =
        http.get(INCIDENTS + "/00000000-0000-0000-0000-000000000001/explanation").json();

    assertThat(explanation.get("text").asString())
        .contains("What to do:", "Check first:", explanation.get("effect").asString());
    assertThat(explanation.get("checks")).isNotEmpty();
    assertThat(http.get(INCIDENTS + "/x/explanation").status()).isEqualTo(404);
  }

  @Test
  void an_incident_says_what_to_do_and_is_not_sent_twice() {
    String path = INCIDENTS + "/00000000-0000-0000-0000-000000000004";
    Http.Answer answer = http.get(path);
    JsonNode incident = answer.json();

    assertThat(incident.propertyNames())
        .containsExactlyInAnyOrder(
            "id",
            "subject",
            "cause",
            "severity",
            "state",
            "resolution",
            "repeats",
            "changes",
            "probability",
            "openedAt",
            "updatedAt",
            "resolvedAt",
            "summary",
            "recommendedAction",
            "suppressedBy",
            "impact",
            "members",
            "evidence");
    assertThat(incident.at("/subject/type").asString()).isEqualTo("host");
    assertThat(incident.at("/subject/id").asString()).isEqualTo("gpu-002");
    assertThat(incident.get("recommendedAction").asString()).startsWith("Drain the host");
    assertThat(incident.get("resolvedAt").isNull()).isTrue();
    assertThat(http.get(path, "If-None-Match", answer.header("ETag")).status()).isEqualTo(304);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /api/v1/incidents?severity=critical      | 400 | invalid-parameter
          /api/v1/incidents?since=yesterday        | 400 | invalid-parameter
          /api/v1/incidents?subject=nobody         | 400 | invalid-parameter
          /api/v1/incidents?limit=-1               | 400 | invalid-parameter
          /api/v1/incidents?cursor=x               | 400 | invalid-cursor
          /api/v1/incidents?q=x                    | 400 | invalid-parameter
          /api/v1/incidents/4711                   | 404 | unknown-id
          /api/v1/incidents/00000000-0000-0000-0000-00000000dead | 404 | unknown-id
          /api/v1/devices?role=LEAF                | 400 | invalid-parameter
          /api/v1/devices?cursor=x                 | 400 | invalid-cursor
          /api/v1/devices/nobody                   | 404 | unknown-id
          /api/v1/topology?device=leaf1            | 400 | invalid-parameter
          /api/v1/targets?failure=SLEEPY           | 400 | invalid-parameter
          """)
  void bad_requests_are_problems(String path, int status, String code) {
    Http.Answer answer = http.get(path);

    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.json().get("code").asString()).isEqualTo(code);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        INCIDENTS,
        INCIDENTS + "?state=OPEN&state=RESOLVED",
        INCIDENTS + "/00000000-0000-0000-0000-00000000dead"
      })
  void what_needs_the_database_says_when_to_ask_again_while_it_is_away(String path) {
    incidents.setDatabaseAway(true);
    try {
      Http.Answer answer = http.get(path);

      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
      assertThat(answer.header("Retry-After")).isEqualTo("10");
      assertThat(answer.json().get("code").asString()).isEqualTo("database-unavailable");
      assertThat(answer.json().get("type").asString()).endsWith("/problems/database-unavailable");
      assertThat(answer.text()).doesNotContain("java.", "refused");
    } finally {
      incidents.setDatabaseAway(false);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        INCIDENTS + "?state=OPEN",
        INCIDENTS + "/00000000-0000-0000-0000-000000000004",
        "/api/v1/links"
      })
  void what_is_not_resolved_is_told_while_the_database_is_away(String path) {
    incidents.setDatabaseAway(true);
    try {
      assertThat(http.get(path).status()).isEqualTo(200);
    } finally {
      incidents.setDatabaseAway(false);
    }
  }

  @Test
  void a_device_tells_which_signals_are_read_and_which_are_not() {
    JsonNode leaf = http.get("/api/v1/devices/leaf1").json();
    JsonNode host = http.get("/api/v1/devices/gpu-001").json();

    assertThat(leaf.get("role").asString()).isEqualTo("leaf");
    assertThat(leaf.get("ports").asInt()).isEqualTo(3);
    assertThat(leaf.get("links").asInt()).isEqualTo(3);
    assertThat(leaf.at("/coverage/read").toString()).contains("\"optics.rx_power_dbm\"");
    assertThat(host.at("/coverage/read").toString()).contains("\"roce.cnp_sent\"");
    assertThat(host.at("/coverage/unsupported").toString()).contains("\"optics.rx_power_dbm\"");
  }

  @Test
  void signals_of_a_device_that_fell_silent_are_stale() {
    JsonNode coverage = http.get("/api/v1/devices/" + SampleFabric.SILENT).json().get("coverage");

    assertThat(coverage.get("read")).isEmpty();
    assertThat(coverage.get("stale").toString()).contains("\"roce.cnp_sent\"", "port.in_octets");
    assertThat(coverage.get("unsupported").toString())
        .contains("\"optics.rx_power_dbm\"")
        .doesNotContain("roce.cnp_sent");
  }

  @Test
  void devices_are_paged_by_name_and_filtered_by_role() {
    JsonNode leaves = http.get("/api/v1/devices?role=leaf&role=spine&limit=2").json();

    assertThat(leaves.at("/items/0/name").asString()).isEqualTo("leaf1");
    assertThat(leaves.at("/items/1/name").asString()).isEqualTo("leaf2");
    String cursor = leaves.get("nextCursor").asString();
    assertThat(
            http.get("/api/v1/devices?role=leaf&role=spine&limit=2&cursor=" + cursor)
                .json()
                .at("/items/0/name")
                .asString())
        .isEqualTo("spine1");
  }

  @Test
  void the_topology_is_the_record_of_a_capture_and_leaves_out_what_is_unknown() {
    JsonNode topology = http.get("/api/v1/topology").json();

    assertThat(topology.get("devices")).hasSize(5);
    assertThat(topology.get("links")).hasSize(6);
    JsonNode described = null;
    JsonNode bare = null;
    for (JsonNode each : topology.get("ports")) {
      String name = each.get("device").asString() + ":" + each.get("name").asString();
      described = name.equals("leaf1:Ethernet1/2") ? each : described;
      bare = name.equals("leaf2:Ethernet1/2") ? each : bare;
    }
    assertThat(described.get("media").asString()).isEqualTo("optical");
    assertThat(described.get("fec").asString()).isEqualTo("RS544");
    assertThat(described.get("admin").asString()).isEqualTo("up");
    assertThat(bare.propertyNames()).containsExactlyInAnyOrder("device", "name", "admin");
  }

  @Test
  void a_target_shows_failure_and_age() {
    JsonNode failed = http.get("/api/v1/targets?failure=TIMEOUT").json().get("items");
    JsonNode never = http.get("/api/v1/targets?device=gpu-003").json().at("/items/0");

    assertThat(failed).hasSize(1);
    assertThat(failed.at("/0/device").asString()).isEqualTo("gpu-002");
    assertThat(failed.at("/0/failure").asString()).isEqualTo("TIMEOUT");
    assertThat(failed.at("/0/ageSeconds").asDouble()).isEqualTo(123);
    assertThat(failed.at("/0/failures/TIMEOUT").asInt()).isEqualTo(3);
    assertThat(never.get("lastSuccess").isNull()).isTrue();
    assertThat(never.get("ageSeconds").isNull()).isTrue();
    assertThat(never.get("failure").isNull()).isTrue();
    assertThat(http.get("/api/v1/targets?collector=snmp").json().get("items")).hasSize(3);
  }

  @Test
  void remarks_on_a_target_stand_beside_its_failures() {
    JsonNode leaf = http.get("/api/v1/targets?device=leaf1").json().at("/items/0");

    assertThat(leaf.get("failure").isNull()).isTrue();
    assertThat(leaf.at("/remarks/0").asString()).isEqualTo("ifNumber is 70, ifTable has 66 rows");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/livez", "/readyz"})
  void probes_answer_on_the_main_port(String path) {
    assertThat(http.get(path).status()).isEqualTo(200);
  }

  @Test
  void management_is_not_on_the_main_port() {
    assertThat(http.get("/actuator/prometheus").status()).isEqualTo(404);
  }

  @Test
  void the_scrape_is_in_the_format_that_is_asked_for() {
    Http.Answer text = http.get("/metrics/fabric");
    Http.Answer open =
        http.get("/metrics/fabric", "Accept", "application/openmetrics-text;version=1.0.0");

    assertThat(text.header("Content-Type")).startsWith("text/plain");
    assertThat(text.text()).contains("fabric_link_info{", SampleFabric.FLAPPING);
    assertThat(open.header("Content-Type")).startsWith("application/openmetrics-text");
    assertThat(open.text()).endsWith("# EOF\n");
    assertThat(http.get("/metrics/fabric", "Accept-Encoding", "gzip").header("Content-Encoding"))
        .isEqualTo("gzip");
  }
}
