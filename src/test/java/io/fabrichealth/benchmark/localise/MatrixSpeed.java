package io.fabrichealth.benchmark.localise;

import io.fabrichealth.latency.LatencyMatrix;
import io.fabrichealth.latency.PairBaselines;
import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.latency.ProbeSample.Endpoint;
import io.fabrichealth.topology.Fabric;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** A matrix of 1,024 hosts, of a million pairs and eight windows. */
public final class MatrixSpeed {
  private static final int HOSTS = 1_024;
  private static final int WINDOWS = 8;
  private static final int ROUNDS = 8;

  private MatrixSpeed() {}

  public static void main(String[] args) {
    Instant start = Instant.parse("2026-03-01T00:00:00Z");
    PairBaselines pairs = new PairBaselines(Duration.ofMinutes(10), WINDOWS, HOSTS * HOSTS);
    Endpoint[] hosts = new Endpoint[HOSTS];
    for (int host = 0; host < HOSTS; host++) {
      hosts[host] = new Endpoint("gpu-" + host, "mlx5_0/1");
    }
    for (int window = 0; window < WINDOWS; window++) {
      Instant at = start.plusSeconds(600L * window);
      ProbeSample.RoundTrip rtt = new ProbeSample.RoundTrip(8 + window % 3, 9, 10, 11);
      for (Endpoint src : hosts) {
        for (Endpoint dst : hosts) {
          if (src != dst) {
            pairs.add(at, new ProbeSample(src, dst, "p", 7, 64, List.of(), 10, 0, rtt));
          }
        }
      }
    }
    for (int round = 0; round < ROUNDS; round++) {
      long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      long wall = System.nanoTime();
      LatencyMatrix matrix = LatencyMatrix.of(pairs, Fabric.EMPTY, LatencyMatrix.Level.HOST);
      System.out.printf(
          Locale.ROOT,
          "%d x %d: %.0f ms of the thread, %.0f ms on the wall%n",
          matrix.names().size(),
          matrix.names().size(),
          (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1e6,
          (System.nanoTime() - wall) / 1e6);
    }
  }
}
