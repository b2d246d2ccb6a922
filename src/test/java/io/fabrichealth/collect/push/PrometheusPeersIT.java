package io.fabrichealth.collect.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.prometheus.PrometheusCollectors;
import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.collect.query.QueryCollectors;
import io.fabrichealth.collect.query.QueryTarget;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.testing.Batches;
import io.fabrichealth.testing.RealPrometheus;
import io.fabrichealth.testing.ServiceProcess;
import io.fabrichealth.testing.Tool;
import io.fabrichealth.topology.Role;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real node_exporter that shows a recorded /sys is scraped by a real Prometheus, which writes to
 * the receiver and to a real VictoriaMetrics: whichever way the samples come, the readings are
 * those of scraping the exporter.
 */
class PrometheusPeersIT {
  private static final Path SYSFS = Path.of("../shared/fixtures/sysfs");
  private static final Clock CLOCK = Clock.systemUTC();
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir private static Path folder;
  private static final List<Process> PROCESSES = new ArrayList<>();
  private static final Queue<CollectOutcome> PUSHED = new ConcurrentLinkedQueue<>();
  private static PushReceiver receiver;
  private static HttpServer endpoint;
  private static RealPrometheus prometheus;
  private static QueryCollectors queries;
  private static int exporterPort;
  private static URI victoria;

  @BeforeAll
  static void start() throws IOException {
    Tool.require("prometheus");
    Tool.require("prometheus-node-exporter");
    Tool.require("victoria-metrics");
    assumeTrue(Files.isDirectory(SYSFS), "skipped: " + SYSFS + " is not there");
    exporterPort = ServiceProcess.freePort();
    run(
        "prometheus-node-exporter",
        "--path.sysfs=" + SYSFS.toRealPath(),
        "--collector.disable-defaults",
        "--collector.infiniband",
        "--collector.stat",
        "--collector.uname",
        "--web.listen-address=127.0.0.1:" + exporterPort);
    int victoriaPort = ServiceProcess.freePort();
    victoria = URI.create("http://127.0.0.1:" + victoriaPort);
    run(
        "victoria-metrics",
        "-storageDataPath=" + folder.resolve("victoria"),
        "-httpListenAddr=127.0.0.1:" + victoriaPort);
    receiver = new PushReceiver(DICTIONARY, CLOCK, PUSHED::add, new SimpleMeterRegistry());
    endpoint = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    endpoint.createContext("/api/v1/write", PrometheusPeersIT::take);
    endpoint.start();
    Path data = Files.createDirectory(folder.resolve("prometheus"));
    prometheus =
        RealPrometheus.start(
            data,
            List.of(),
            List.of(new RealPrometheus.Target("node", exporterPort, "/metrics")),
            List.of(
                "http://127.0.0.1:" + endpoint.getAddress().getPort() + "/api/v1/write",
                victoria + "/api/v1/write"));
    queries = QueryCollectors.shipped(DICTIONARY, CLOCK);
  }

  private static void run(String... command) throws IOException {
    PROCESSES.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  private static void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      receiver.remoteWrite(
          exchange.getRequestHeaders().getFirst("Content-Type"),
          exchange.getRequestHeaders().getFirst("Content-Encoding"),
          exchange.getRequestBody());
      exchange.sendResponseHeaders(204, -1);
    } catch (PushException e) {
      byte[] why = (e.code() + " " + e.getMessage()).getBytes();
      exchange.sendResponseHeaders(400, why.length);
      try (OutputStream body = exchange.getResponseBody()) {
        body.write(why);
      }
    }
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (prometheus != null) {
      prometheus.close();
      endpoint.stop(0);
      receiver.close();
      queries.close();
    }
    PROCESSES.forEach(Process::destroy);
    for (Process process : PROCESSES) {
      // It writes into the folder up to its end.
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
  }

  /** What scraping the exporter itself brings. */
  private static CollectOutcome scraped() throws InterruptedException {
    PrometheusTarget target =
        new PrometheusTarget(
            "gpu-001",
            Role.HOST,
            URI.create("http://127.0.0.1:" + exporterPort + "/metrics"),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10),
            10 << 20,
            null,
            null,
            null);
    try (PrometheusCollectors collectors = PrometheusCollectors.shipped(DICTIONARY, CLOCK)) {
      return collectors.collector(target).collect(CLOCK.instant().plusSeconds(10));
    }
  }

  private static void assertAsScraped(CollectOutcome outcome) throws InterruptedException {
    CollectOutcome scraped = scraped();
    assertThat(outcome.problems()).isEmpty();
    assertThat(outcome.batch().complete()).isTrue();
    assertThat(Batches.lines(outcome.batch(), DICTIONARY))
        .isEqualTo(Batches.lines(scraped.batch(), DICTIONARY))
        .hasSizeGreaterThan(100)
        .contains("mlx5_0/1 port.out_octets[0] 11523046035392 OK");
    assertThat(outcome.batch().boot()).isEqualTo(scraped.batch().boot());
  }

  @Test
  void what_prometheus_writes_gives_the_readings_of_scraping() throws InterruptedException {
    prometheus.await(PATIENCE, () -> PUSHED.size() >= 3);
    List<CollectOutcome> outcomes = List.copyOf(PUSHED);

    // The first scrape may have begun before the exporter answered.
    CollectOutcome last = outcomes.getLast();
    assertAsScraped(last);
    assertThat(last.batch().collector()).isEqualTo("remote-write");
    assertThat(Duration.between(last.batch().at(), CLOCK.instant())).isLessThan(PATIENCE);
    assertThat(last.batch().device()).isEqualTo(scraped().sighting().systemName());
    for (int index = 1; index < outcomes.size(); index++) {
      assertThat(outcomes.get(index).batch().at()).isAfter(outcomes.get(index - 1).batch().at());
    }
  }

  @Test
  void what_prometheus_is_asked_for_gives_the_readings_of_scraping() throws InterruptedException {
    assertAsked(prometheus.url());
  }

  @Test
  void what_victoria_metrics_is_asked_for_gives_the_readings_of_scraping()
      throws InterruptedException {
    assertAsked(victoria);
  }

  private static void assertAsked(URI url) throws InterruptedException {
    Collector collector =
        queries.collector(
            new QueryTarget(
                "metrics",
                url,
                Map.of("job", "node"),
                "instance",
                "^([^:]+)",
                Role.HOST,
                Duration.ofSeconds(2),
                Duration.ofSeconds(10),
                null,
                null,
                null));
    CollectOutcome[] outcome = new CollectOutcome[1];
    prometheus.await(
        PATIENCE,
        () -> {
          try {
            outcome[0] = collector.collect(CLOCK.instant().plusSeconds(10));
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return outcome[0].readings() > 0 && outcome[0].problems().isEmpty();
        });

    assertAsScraped(outcome[0]);
    assertThat(outcome[0].batch().device()).isEqualTo("127.0.0.1");
    assertThat(outcome[0].batch().collector()).isEqualTo("prometheus-query");
    assertThat(Duration.between(outcome[0].batch().at(), CLOCK.instant())).isLessThan(PATIENCE);
  }
}
