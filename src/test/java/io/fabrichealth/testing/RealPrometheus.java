package io.fabrichealth.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/**
 * A Prometheus server of Debian's on a free port of the loopback, with the rules of the repository
 * and a scrape each second. The test is skipped with a message where it is not installed.
 */
public final class RealPrometheus implements AutoCloseable {
  private final Process process;
  private final Path log;
  private final int port;
  private final Http http;

  private RealPrometheus(Process process, Path log, int port) {
    this.process = process;
    this.log = log;
    this.port = port;
    http = new Http(port);
  }

  /**
   * What to scrape.
   *
   * @param job name of the scrape job; the rules expect {@code fabric} for {@code /metrics/fabric}
   */
  public record Target(String job, int port, String path) {}

  /** A series and its newest value. */
  public record Sample(Map<String, String> labels, double value) {}

  /** An alert that is pending or firing. */
  public record Alert(String name, String state, Map<String, String> labels) {}

  /**
   * Starts it and waits until it answers.
   *
   * @param folder an empty one, for its data, configuration and log
   * @param rules files of rules
   */
  public static RealPrometheus start(Path folder, List<Path> rules, List<Target> targets) {
    return start(folder, rules, targets, List.of());
  }

  /**
   * The same, which also writes all it scrapes elsewhere.
   *
   * @param remoteWrites URLs to write to
   */
  public static RealPrometheus start(
      Path folder, List<Path> rules, List<Target> targets, List<String> remoteWrites) {
    Tool prometheus = Tool.require("prometheus");
    int port = freePort();
    Path log = folder.resolve("prometheus.log");
    try {
      Path configuration = folder.resolve("prometheus.yaml");
      Files.writeString(configuration, configuration(rules, targets, remoteWrites));
      Process process =
          new ProcessBuilder(
                  prometheus.name(),
                  "--config.file=" + configuration,
                  "--storage.tsdb.path=" + folder.resolve("data"),
                  "--web.listen-address=127.0.0.1:" + port,
                  "--log.level=warn")
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      RealPrometheus started = new RealPrometheus(process, log, port);
      started.await(Duration.ofSeconds(30), started::isReady);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String configuration(
      List<Path> rules, List<Target> targets, List<String> remoteWrites) {
    StringBuilder yaml =
        new StringBuilder(
            "global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}\n");
    yaml.append("rule_files:\n");
    rules.forEach(file -> yaml.append("  - \"" + file.toAbsolutePath() + "\"\n"));
    yaml.append("scrape_configs:\n");
    for (Target target : targets) {
      yaml.append(
          """
            - job_name: %s
              metrics_path: %s
              static_configs: [{targets: ["127.0.0.1:%d"]}]
          """
              .formatted(target.job(), target.path(), target.port()));
    }
    if (!remoteWrites.isEmpty()) {
      yaml.append("remote_write:\n");
      remoteWrites.forEach(url -> yaml.append("  - url: " + url + "\n"));
    }
    return yaml.toString();
  }

  /** Where its API is. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + port);
  }

  private boolean isReady() {
    if (!process.isAlive()) {
      throw new IllegalStateException("prometheus ended:\n" + log());
    }
    try {
      return http.get("/-/ready").status() == 200;
    } catch (UncheckedIOException notYet) {
      return false;
    }
  }

  /** The newest value of each series of an expression. */
  public List<Sample> query(String promql) {
    JsonNode answer = http.get("/api/v1/query?query=" + Http.segment(promql)).json();
    if (!answer.get("status").asString().equals("success")) {
      throw new IllegalArgumentException(promql + ": " + answer.path("error").asString());
    }
    List<Sample> samples = new ArrayList<>();
    for (JsonNode each : answer.at("/data/result")) {
      samples.add(
          new Sample(
              strings(each.get("metric")), Double.parseDouble(each.at("/value/1").asString())));
    }
    return samples;
  }

  /** All alerts that are pending or firing. */
  public List<Alert> alerts() {
    List<Alert> alerts = new ArrayList<>();
    for (JsonNode each : http.get("/api/v1/alerts").json().at("/data/alerts")) {
      Map<String, String> labels = strings(each.get("labels"));
      alerts.add(new Alert(labels.get("alertname"), each.get("state").asString(), labels));
    }
    return alerts;
  }

  /** Those of that name that are firing. */
  public List<Alert> firing(String name) {
    return alerts().stream()
        .filter(alert -> alert.name().equals(name) && alert.state().equals("firing"))
        .toList();
  }

  /** Waits until it is so. */
  public void await(Duration within, BooleanSupplier wanted) {
    long end = System.nanoTime() + within.toNanos();
    while (!wanted.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + within + "; the log of prometheus:\n" + log());
      }
      try {
        Thread.sleep(200);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  private String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> strings(JsonNode object) {
    Map<String, String> values = new TreeMap<>();
    object.properties().forEach(each -> values.put(each.getKey(), each.getValue().asString()));
    return values;
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
