package io.fabrichealth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.metrics.AlertRules;
import io.fabrichealth.testing.Dashboard;
import io.fabrichealth.testing.RealPrometheus;
import io.fabrichealth.testing.ServiceProcess;
import io.fabrichealth.testing.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The demo as README's first command starts it: the jar, the embedded database, real protocols. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DemoIT {
  private static final Duration NINETY_SECONDS = Duration.ofSeconds(90);

  private static final String DIRTY = "gpu-003:mlx5_1/1--leaf2:Ethernet1/3";
  private static final String FLAPPING = "leaf3:Ethernet1/22--spine2:Ethernet1/10";

  @TempDir private static Path directory;
  private static ServiceProcess service;

  @BeforeAll
  static void start() {
    assumeTrue(ServiceProcess.isPackaged(), "skipped: target/fabric-health.jar is not packaged");
    service = startDemo();
  }

  private static ServiceProcess startDemo() {
    return ServiceProcess.start(List.of(), "127.0.0.1", directory, "--spring.profiles.active=demo");
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
  }

  @Test
  @Order(1)
  void exactly_the_dirty_lane_and_the_flapping_link_are_degraded_within_ninety_seconds() {
    // The flapping link is down before it flaps: its cause becomes clear with the second outage.
    JsonNode links =
        service.await(
            "/api/v1/links?state=DEGRADED",
            NINETY_SECONDS,
            answer -> causes(answer).equals(List.of("LINK_FLAP", "PHY_LANE")));

    assertThat(items(links))
        .extracting(link -> link.get("id").asString())
        .containsExactlyInAnyOrder(DIRTY, FLAPPING);
  }

  private static List<String> causes(JsonNode answer) {
    return items(answer).stream().map(link -> link.get("cause").asString()).sorted().toList();
  }

  @Test
  @Order(2)
  void the_slow_receiver_is_an_incident_on_its_host_whose_link_is_not_degraded() {
    JsonNode incidents =
        service.await(
            "/api/v1/incidents",
            NINETY_SECONDS,
            answer -> items(answer).stream().anyMatch(causedBy("SLOW_RECEIVER")));

    JsonNode slow =
        items(incidents).stream().filter(causedBy("SLOW_RECEIVER")).findFirst().orElseThrow();
    assertThat(slow.get("subject").get("type").asString()).isEqualTo("host");
    String host = slow.get("subject").get("id").asString();
    assertThat(items(service.get("/api/v1/links?device=" + host + "&state=DEGRADED"))).isEmpty();
  }

  @Test
  @Order(3)
  void the_congested_leaf_appears_nowhere() {
    ServiceProcess.sleep(Duration.ofSeconds(30));

    assertThat(items(service.get("/api/v1/incidents"))).hasSize(3);
    assertThat(items(service.get("/api/v1/links?state=DEGRADED&state=SUSPECT&state=DOWN")))
        .hasSize(2);
  }

  @Test
  @Order(4)
  void evidence_of_the_dirty_lane_adds_up_and_names_the_lane() {
    JsonNode link = items(service.get("/api/v1/links?cause=PHY_LANE")).getFirst();
    JsonNode evidence =
        service.get("/api/v1/links/" + encoded(link.get("id").asString()) + "/evidence");

    double sum = 0;
    for (JsonNode line : items(evidence)) {
      sum += line.get("nats").asDouble();
    }
    double p = link.get("probability").asDouble();
    assertThat(1 / (1 + Math.exp(-sum))).isCloseTo(p, org.assertj.core.data.Offset.offset(1e-6));
    assertThat(items(evidence).toString()).contains("#");
  }

  @Test
  @Order(5)
  void a_real_prometheus_fires_for_the_two_links_and_every_query_of_the_dashboards_is_answered() {
    Tool.require("prometheus");
    RealPrometheus.Target fabric =
        new RealPrometheus.Target("fabric", service.port(), "/metrics/fabric");
    RealPrometheus.Target self =
        new RealPrometheus.Target("self", service.managementPort(), "/actuator/prometheus");
    try (RealPrometheus prometheus =
        RealPrometheus.start(folder(), AlertRules.files(), List.of(fabric, self))) {
      prometheus.await(
          Duration.ofSeconds(60), () -> prometheus.firing("FabricLinkDegraded").size() == 2);

      assertThat(prometheus.firing("FabricLinkDegraded"))
          .extracting(alert -> alert.labels().get("cause"))
          .containsExactlyInAnyOrder("PHY_LANE", "LINK_FLAP");
      assertThat(prometheus.firing("FabricSlowReceiver")).hasSize(1);
      assertThat(prometheus.firing("FabricLinkDown")).isEmpty();
      for (Dashboard board : Dashboard.all()) {
        for (Dashboard.Query query : board.queries()) {
          prometheus.await(
              Duration.ofSeconds(30), () -> !prometheus.query(query.promql("30s")).isEmpty());
        }
      }
    }
  }

  private static Path folder() {
    try {
      return Files.createTempDirectory(directory, "prometheus");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @Order(6)
  void after_a_kill_in_the_middle_the_incidents_are_the_same_ones() {
    Map<String, String> before = openIncidents(service.get("/api/v1/incidents"));
    assertThat(before).hasSize(3);

    service.kill();
    service = startDemo();
    service.await("/api/v1/incidents", NINETY_SECONDS, answer -> !items(answer).isEmpty());
    assertThat(openIncidents(service.get("/api/v1/incidents"))).isEqualTo(before);

    ServiceProcess.sleep(Duration.ofSeconds(60));
    assertThat(openIncidents(service.get("/api/v1/incidents"))).isEqualTo(before);
  }

  private static Map<String, String> openIncidents(JsonNode answer) {
    Map<String, String> open = new TreeMap<>();
    for (JsonNode incident : items(answer)) {
      open.put(
          incident.get("id").asString(),
          incident.get("subject").get("id").asString() + " " + incident.get("state").asString());
    }
    return open;
  }

  private static Predicate<JsonNode> causedBy(String cause) {
    return incident -> incident.get("cause").asString().equals(cause);
  }

  private static List<JsonNode> items(JsonNode page) {
    List<JsonNode> items = new ArrayList<>();
    page.get("items").forEach(items::add);
    return items;
  }

  private static String encoded(String id) {
    return id.replace(":", "%3A").replace("/", "%2F");
  }
}
