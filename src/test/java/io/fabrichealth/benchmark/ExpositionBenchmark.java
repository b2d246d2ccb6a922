package io.fabrichealth.benchmark;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.prometheus.MetricMapping;
import io.fabrichealth.collect.prometheus.Page;
import io.fabrichealth.collect.prometheus.PageReader;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.DeviceSignals;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Role;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * What a page of 64 ports costs from its bytes to batch and growth. docs/reference/benchmarks.md
 * has the command and the figures.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class ExpositionBenchmark {
  private static final int PORTS = 64;
  private static final int METRICS = 48;
  private static final int SAMPLES = PORTS * METRICS;
  private static final int PAGES = 8;
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private final List<byte[]> pages = new ArrayList<>();
  private Page page;
  private PageReader reader;
  private DeviceSignals signals;
  private int pass;
  private int passesBefore;
  private long cpuNanosBefore;

  public static void main(String[] arguments) throws RunnerException {
    new Runner(
            new OptionsBuilder()
                .include(ExpositionBenchmark.class.getSimpleName())
                .addProfiler("gc")
                .build())
        .run();
  }

  @Setup
  public void prepare() {
    SignalDictionary dictionary = SignalCatalogue.load();
    MetricMapping mapping = MetricMapping.load(dictionary);
    page = new Page(mapping);
    reader = new PageReader("leaf1", Role.LEAF, mapping);
    signals = new DeviceSignals("leaf1", PageReader.NAME, dictionary);
    Random random = new Random(1);
    long[] counters = new long[SAMPLES];
    for (int index = 0; index < PAGES; index++) {
      pages.add(page(counters, random).getBytes(StandardCharsets.UTF_8));
    }
    System.out.printf("page: samples=%d bytes=%d%n", SAMPLES, pages.getFirst().length);
  }

  @Setup(Level.Iteration)
  public void begin() {
    passesBefore = pass;
    cpuNanosBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** By the thread's own time, so that a busy machine does not change the figure. */
  @TearDown(Level.Iteration)
  public void end() {
    long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuNanosBefore;
    double samples = (double) SAMPLES * (pass - passesBefore);
    System.out.printf("samples_per_cpu_second=%.2e ", samples / nanos * 1e9);
  }

  /** A page with its metrics in groups, as exporters write them; every counter has grown. */
  private static String page(long[] counters, Random random) {
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
    for (int lane = 0; lane < 4; lane++) {
      metrics.add("node_ethtool_received_err_lane_" + lane + "_phy");
    }
    metrics.add("node_network_receive_errs_total");
    metrics.add("node_network_transmit_errs_total");
    metrics.add("node_network_carrier");
    metrics.add("node_network_speed_bytes");
    metrics.add("node_network_mtu_bytes");
    metrics.add("node_network_carrier_down_changes_total");
    StringBuilder text = new StringBuilder();
    for (int metric = 0; metric < METRICS; metric++) {
      for (int port = 1; port <= PORTS; port++) {
        int counter = metric * PORTS + port - 1;
        counters[counter] += random.nextLong(1L << 36);
        text.append(metrics.get(metric)).append("{device=\"swp").append(port).append("\"} ");
        text.append(
                switch (metrics.get(metric)) {
                  case "node_network_carrier" -> "1";
                  case "node_network_speed_bytes" -> "1e+11";
                  case "node_network_mtu_bytes" -> "9216";
                  default -> Long.toString(counters[counter]);
                })
            .append('\n');
      }
    }
    return text.toString();
  }

  @Benchmark
  @OperationsPerInvocation(SAMPLES)
  public CollectOutcome parse() throws IOException {
    page.read(new ByteArrayInputStream(pages.get(pass++ % PAGES)));
    return reader.outcome(page, START, null);
  }

  @Benchmark
  @OperationsPerInvocation(SAMPLES)
  public DeviceSignals.Outcome parseAndDelta() throws IOException {
    page.read(new ByteArrayInputStream(pages.get(pass % PAGES)));
    CollectOutcome outcome = reader.outcome(page, START.plusSeconds(10L * pass), null);
    pass++;
    return signals.apply(outcome.batch(), null);
  }
}
