package io.fabrichealth.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.sun.net.httpserver.HttpServer;
import io.fabrichealth.testing.Dashboard;
import io.fabrichealth.testing.FakeIncidents;
import io.fabrichealth.testing.RealPrometheus;
import io.fabrichealth.testing.SampleFabric;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A real Prometheus scrapes our metrics, evaluates our rules and answers our dashboards. */
class DashboardQueriesIT {
  @TempDir private static Path folder;

  private static HttpServer service;
  private static RealPrometheus prometheus;

  @BeforeAll
  static void start() throws IOException {
    SampleFabric fabric = new SampleFabric(Instant.now());
    PrometheusRegistry registry = new PrometheusRegistry();
    registry.register(new FabricMetrics(fabric, new FakeIncidents(fabric.incidents()), "1"));
    ExpositionFormats formats = ExpositionFormats.init();
    service = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    service.createContext(
        "/metrics/fabric",
        exchange -> {
          var writer = formats.findWriter(exchange.getRequestHeaders().getFirst("Accept"));
          exchange.getResponseHeaders().set("Content-Type", writer.getContentType());
          exchange.sendResponseHeaders(200, 0);
          try (var body = exchange.getResponseBody()) {
            writer.write(body, registry.scrape());
          }
        });
    service.start();
    prometheus =
        RealPrometheus.start(
            folder,
            AlertRules.files(),
            List.of(
                new RealPrometheus.Target(
                    "fabric", service.getAddress().getPort(), "/metrics/fabric")));
    // A rate needs two scrapes within its range.
    prometheus.await(
        Duration.ofSeconds(30),
        () ->
            !prometheus.query("rate(fabric_port_rx_bytes_total[10s])").isEmpty()
                && !prometheus.query("fabric:fabric_links_down:ratio").isEmpty());
  }

  @AfterAll
  static void stop() {
    if (prometheus != null) {
      prometheus.close();
    }
    if (service != null) {
      service.stop(0);
    }
  }

  static List<Dashboard.Query> queries() {
    return Dashboard.all().stream().flatMap(board -> board.queries().stream()).toList();
  }

  @ParameterizedTest
  @MethodSource("queries")
  void every_query_of_a_dashboard_has_an_answer(Dashboard.Query query) {
    assertThat(prometheus.query(query.promql("10s"))).isNotEmpty();
  }

  @Test
  void every_recording_rule_has_an_answer() {
    for (AlertRules.Rule rule : AlertRules.all()) {
      if (rule.alert().isEmpty()) {
        assertThat(prometheus.query(rule.text("expr"))).as(rule.toString()).isNotEmpty();
      }
    }
  }

  @Test
  void the_alerts_of_the_open_incidents_fire_and_no_other_of_a_link() {
    prometheus.await(
        Duration.ofSeconds(15), () -> prometheus.firing("FabricLinkDegraded").size() == 2);

    assertThat(prometheus.firing("FabricLinkDegraded"))
        .extracting(alert -> alert.labels().get("subject"), alert -> alert.labels().get("cause"))
        .containsExactlyInAnyOrder(
            tuple(SampleFabric.DIRTY_LANE, "PHY_LANE"), tuple(SampleFabric.FLAPPING, "LINK_FLAP"));
    assertThat(prometheus.alerts())
        .filteredOn(alert -> alert.name().equals("FabricLinkDown"))
        .as("has to hold for a minute")
        .extracting(alert -> alert.state(), alert -> alert.labels().get("subject"))
        .containsExactly(tuple("pending", SampleFabric.DOWN));
    assertThat(prometheus.firing("FabricSlowReceiver")).hasSize(1);
    assertThat(prometheus.firing("FabricWatchdog")).hasSize(1);
    assertThat(prometheus.firing("FabricIncidentOpen")).isEmpty();
  }

  @Test
  void labels_of_a_link_survive_the_scrape_as_they_are() {
    assertThat(prometheus.query("fabric_link_info{link=\"" + SampleFabric.HEALTHY + "\"}"))
        .hasSize(1)
        .first()
        .satisfies(link -> assertThat(link.labels()).containsEntry("peer_port", "mlx5_0/1"));
  }
}
