package io.fabrichealth.benchmark;

import io.fabrichealth.collect.push.PushException;
import io.fabrichealth.collect.push.PushReceiver;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.testing.WriteRequest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
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

  /**
   * @param bodies of all hosts, as a queue of Prometheus sends them
   */
  private record Scrape(Instant at, List<byte[]> bodies) {}

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
    // All bodies first: scrapes are then ended by those that follow, in this thread, before they
    // have waited long enough, so that its time holds all.
    List<List<Scrape>> rounds = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      List<Scrape> scrapes = new ArrayList<>();
      for (int scrape = 0; scrape < SCRAPES; scrape++) {
        now = now.plusSeconds(SECONDS);
        scrapes.add(new Scrape(now, scrape(now.toEpochMilli(), round * SCRAPES + scrape)));
      }
      rounds.add(scrapes);
    }
    long[] readings = new long[1];
    try (PushReceiver receiver =
        new PushReceiver(
            SignalCatalogue.load(),
            () -> now,
            outcome -> {
              readings[0] += outcome.readings();
              return true;
            },
            new SimpleMeterRegistry())) {
      for (int round = 1; round <= ROUNDS; round++) {
        long bytes = 0;
        readings[0] = 0;
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (Scrape scrape : rounds.get(round - 1)) {
          now = scrape.at();
          for (byte[] body : scrape.bodies()) {
            bytes += body.length;
            receiver.remoteWrite(WriteRequest.MEDIA_TYPE, "snappy", new ByteArrayInputStream(body));
          }
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
