package io.fabrichealth.benchmark;

import io.fabrichealth.collect.push.PushException;
import io.fabrichealth.collect.push.PushReceiver;
import io.fabrichealth.collect.push.PushSettings;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.testing.WriteRequest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What a sample of remote-write costs from the packed body to the batch: unpacked, decoded, put to
 * its scrape, and the scrape to readings. docs/reference/benchmarks.md has the command and the
 * figures.
 */
public final class RemoteWriteLoad {
  private static final int HOSTS = 100;
  private static final int PORTS = 20;
  private static final int SAMPLES_A_REQUEST = 2_000;
  private static final int SCRAPES = 20;
  private static final int ROUNDS = 10;
  private static final int SECONDS = 10;
  private static final List<String> METRICS = metrics();

  private static Instant now = Instant.parse("2026-03-01T00:00:00Z");

  private RemoteWriteLoad() {}

  private static List<String> metrics() {
    List<String> metrics = new ArrayList<>();
    for (String direction : List.of("received", "transmitted")) {
      for (int priority = 0; priority < 8; priority++) {
        metrics.add("node_ethtool_" + direction + "_prio" + priority + "_pause");
        metrics.add("node_ethtool_" + direction + "_prio" + priority + "_pause_duration");
      }
      metrics.add("node_ethtool_" + direction + "_bytes_phy");
      metrics.add("node_ethtool_" + direction + "_packets_phy");
      metrics.add("node_ethtool_" + direction + "_discards_phy");
    }
    metrics.add("node_network_carrier");
    metrics.add("node_network_speed_bytes");
    metrics.add("node_network_mtu_bytes");
    return metrics;
  }

  public static void main(String[] arguments) throws PushException, IOException {
    PushSettings from = PushSettings.DEFAULT;
    // Scrapes are ended by those that follow, in this thread, so that its time holds all.
    PushSettings settings =
        new PushSettings(
            from.deviceLabel(),
            from.devicePattern(),
            from.hostNames(),
            from.role(),
            Duration.ofHours(1),
            from.maxBytes(),
            from.maxExporters(),
            from.maxWaiting());
    long[] readings = new long[1];
    try (PushReceiver receiver =
        new PushReceiver(
            settings,
            SignalCatalogue.load(),
            () -> now,
            outcome -> {
              readings[0] += outcome.readings();
              return true;
            },
            new SimpleMeterRegistry())) {
      for (int round = 1; round <= ROUNDS; round++) {
        List<byte[]> bodies = new ArrayList<>();
        for (int scrape = 0; scrape < SCRAPES; scrape++) {
          now = now.plusSeconds(SECONDS);
          bodies.addAll(scrape(now.toEpochMilli(), round * SCRAPES + scrape));
        }
        long bytes = bodies.stream().mapToLong(body -> body.length).sum();
        readings[0] = 0;
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (byte[] body : bodies) {
          receiver.remoteWrite(WriteRequest.MEDIA_TYPE, "snappy", new ByteArrayInputStream(body));
        }
        long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
        long samples = (long) SCRAPES * HOSTS * PORTS * METRICS.size();
        System.out.printf(
            "round=%d samples=%d packed_bytes_per_sample=%.1f readings=%d"
                + " samples_per_cpu_second=%.2e%n",
            round, samples, (double) bytes / samples, readings[0], samples * 1e9 / nanos);
      }
    }
  }

  /** One scrape of all hosts, as a queue of Prometheus sends it. */
  private static List<byte[]> scrape(long millis, int number) {
    List<byte[]> bodies = new ArrayList<>();
    WriteRequest request = new WriteRequest();
    int samples = 0;
    for (int host = 0; host < HOSTS; host++) {
      for (String metric : METRICS) {
        for (int port = 0; port < PORTS; port++) {
          request.sample(
              metric,
              millis,
              1e9 * (host + port) + number * 1e6,
              "cluster",
              "gpu-fabric-1",
              "device",
              "eth" + port,
              "instance",
              "gpu-%03d.example.com:9100".formatted(host),
              "job",
              "node");
          if (++samples == SAMPLES_A_REQUEST) {
            bodies.add(request.body());
            request = new WriteRequest();
            samples = 0;
          }
        }
      }
    }
    if (samples > 0) {
      bodies.add(request.body());
    }
    return bodies;
  }
}
