package io.fabrichealth.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.testing.Http;
import io.fabrichealth.testing.SampleFabric;
import io.fabrichealth.testing.WebSlice;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** What is read of devices and ports. */
@SpringBootTest(
    classes = WebSlice.class,
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = "management.server.port=0")
class CoverageIT {
  @LocalServerPort private int port;
  private Http http;

  @BeforeEach
  void connect() {
    http = new Http(port);
  }

  @Test
  void a_device_and_a_family_have_a_state_and_ports() {
    JsonNode fec = http.get("/api/v1/coverage?device=leaf1&family=fec").json().get("items");

    assertThat(fec).hasSize(1);
    assertThat(fec.get(0).get("state").asString()).isIn("READ", "PARTLY");
    JsonNode ports = fec.get(0).get("ports");
    assertThat(ports.get("read").asInt() + ports.get("partly").asInt()).isPositive();
    assertThat(ports.get("unread").asInt()).isZero();
  }

  @Test
  void a_device_that_fell_silent_is_stale_and_never_read() {
    JsonNode silent =
        http.get("/api/v1/coverage?device=" + SampleFabric.SILENT + "&state=STALE").json();

    assertThat(silent.get("items")).isNotEmpty();
    assertThat(
            http.get("/api/v1/coverage?device=" + SampleFabric.SILENT + "&state=READ")
                .json()
                .get("items"))
        .isEmpty();
  }

  @Test
  void the_list_is_paged_and_a_wrong_state_is_refused() {
    JsonNode first = http.get("/api/v1/coverage?limit=3").json();
    assertThat(first.get("items")).hasSize(3);
    JsonNode next =
        http.get("/api/v1/coverage?limit=3&cursor=" + first.get("nextCursor").asString()).json();
    assertThat(next.get("items").get(0)).isNotEqualTo(first.get("items").get(0));

    assertThat(http.get("/api/v1/coverage?state=FINE").status()).isEqualTo(400);
  }

  @Test
  void a_port_is_found_by_its_id_and_says_what_is_read_of_it() {
    JsonNode found = http.get("/api/v1/ports/leaf1:Ethernet1%2F1").json();

    assertThat(found.get("id").asString()).isEqualTo("leaf1:Ethernet1/1");
    assertThat(found.get("linkId").asString()).isEqualTo(SampleFabric.HEALTHY);
    assertThat(found.get("adminUp").asBoolean()).isTrue();
    assertThat(found.get("readAt").asString()).startsWith("2026-");
    assertThat(found.get("coverage").get("read").toString()).contains("port.oper_up");
    assertThat(http.get("/api/v1/ports/leaf1:none").status()).isEqualTo(404);
  }

  @Test
  void ports_are_listed_by_device() {
    JsonNode ports = http.get("/api/v1/ports?device=leaf2").json().get("items");

    assertThat(ports).hasSizeGreaterThan(1);
    assertThat(ports)
        .allSatisfy(each -> assertThat(each.get("device").asString()).isEqualTo("leaf2"));
  }
}
