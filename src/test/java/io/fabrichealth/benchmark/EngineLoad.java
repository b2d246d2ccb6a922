package io.fabrichealth.benchmark;

import com.sun.management.OperatingSystemMXBean;
import io.fabrichealth.detect.Detectors;
import io.fabrichealth.engine.Engine;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.engine.EngineState;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Processor time of the engine alone, from batches that lie in memory: links with 40 readings each
 * (20 a port), under load, with a few bit errors on every lane, polled every 10 s.
 *
 * <pre>
 * mvn -q test-compile exec:exec -Dexec.executable=java -Dexec.classpathScope=test \
 *   -Dexec.args="-Xmx4g -cp %classpath io.fabrichealth.benchmark.EngineLoad 10000 60"
 * </pre>
 *
 * Arguments: links, polls that are measured.
 */
public final class EngineLoad {
  private static final int PORTS_OF_A_LEAF = 64;
  private static final int WARM_UP = 20;
  private static final long SPEED = 400_000_000_000L;
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private final SignalDictionary dictionary = SignalCatalogue.load();
  private final Engine engine =
      new Engine(dictionary, Detectors.standard(dictionary, ThresholdCatalogue.load()));
  private final EngineState state = engine.initial();
  private final SplittableRandom random = new SplittableRandom(7);
  private final int links;
  private final Map<String, long[]> counters = new LinkedHashMap<>();
  private long readings;
  private long verdicts;

  private EngineLoad(int links) {
    this.links = links;
  }

  public static void main(String[] arguments) {
    EngineLoad load = new EngineLoad(Integer.parseInt(arguments[0]));
    int polls = Integer.parseInt(arguments[1]);
    load.wire();
    for (int poll = 0; poll < WARM_UP; poll++) {
      load.step(load.batches(poll));
    }
    long read = load.readings;
    long cpu = 0;
    long longest = 0;
    for (int poll = WARM_UP; poll < WARM_UP + polls; poll++) {
      List<EngineInput> batches = load.batches(poll);
      long before = cpuNanos();
      load.step(batches);
      long took = cpuNanos() - before;
      cpu += took;
      longest = Math.max(longest, took);
    }
    read = load.readings - read;
    System.out.printf(
        "links=%d readings=%d cpu_seconds=%.2f readings_per_cpu_second=%.0f"
            + " longest_poll_cpu_seconds=%.3f cores_at_10s=%.3f heap_megabytes=%.0f verdicts=%d%n",
        load.links,
        read,
        cpu / 1e9,
        read / (cpu / 1e9),
        longest / 1e9,
        cpu / 1e9 / polls / 10,
        usedHeap() / 1e6,
        load.verdicts);
  }

  private void wire() {
    Fabric.Builder fabric = Fabric.builder();
    for (int link = 0; link < links; link++) {
      PortId leaf = leaf(link);
      PortId host = host(link);
      fabric
          .device(Device.of(leaf.device(), Role.LEAF))
          .device(Device.of(host.device(), Role.HOST));
      fabric.port(port(leaf)).port(port(host));
      fabric.link(Link.between(leaf, host, Tier.HOST_LEAF, link % 8));
    }
    engine.step(state, new EngineInput.Topology(START, fabric.build()));
  }

  private static Port port(PortId id) {
    return new Port(
        id,
        SPEED,
        4,
        FecMode.RS544,
        Media.OPTICAL,
        "part-" + id.port().length(),
        9216,
        true,
        List.of());
  }

  private List<EngineInput> batches(int poll) {
    Map<String, PollBatch.Builder> batches = new LinkedHashMap<>();
    Instant at = START.plusSeconds(10L * (poll + 1));
    for (int link = 0; link < links; link++) {
      fill(batches, leaf(link), "snmp", at);
      fill(batches, host(link), "prometheus", at);
    }
    List<EngineInput> inputs = new ArrayList<>(batches.size());
    Collection<PollBatch.Builder> all = batches.values();
    all.forEach(batch -> inputs.add(new EngineInput.Poll(batch.build(true))));
    return inputs;
  }

  private void fill(Map<String, PollBatch.Builder> batches, PortId id, String by, Instant at) {
    PollBatch.Builder batch =
        batches.computeIfAbsent(id.device(), name -> PollBatch.builder(name, by, at));
    int port = batch.port(id.port());
    value(batch, port, "port.oper_up", 1);
    value(batch, port, "port.admin_up", 1);
    value(batch, port, "port.speed_bits_per_second", SPEED);
    value(batch, port, "port.mtu_bytes", 9216);
    value(batch, port, "optics.module_temperature_celsius", 45);
    long[] counts = counters.computeIfAbsent(id.id(), name -> new long[15]);
    long packets = 55_000_000L + random.nextInt(10_000_000);
    grow(batch, port, "port.in_octets", 0, counts, 0, packets * 4096);
    grow(batch, port, "port.out_octets", 0, counts, 1, packets * 4096);
    grow(batch, port, "port.in_packets", 0, counts, 2, packets);
    grow(batch, port, "port.out_packets", 0, counts, 3, packets);
    grow(batch, port, "port.in_errors", 0, counts, 4, 0);
    grow(batch, port, "port.out_errors", 0, counts, 5, 0);
    grow(batch, port, "port.in_discards", 0, counts, 6, random.nextInt(500) == 0 ? 1 : 0);
    grow(batch, port, "port.out_discards", 0, counts, 7, 0);
    grow(batch, port, "port.link_downed", 0, counts, 8, 0);
    grow(batch, port, "fec.uncorrectable_codewords", 0, counts, 9, 0);
    for (int lane = 0; lane < 4; lane++) {
      grow(batch, port, "fec.corrected_bits", lane, counts, 10 + lane, 900 + random.nextInt(200));
    }
    grow(batch, port, "pfc.rx_pause_microseconds", 0, counts, 14, random.nextInt(100));
  }

  private void value(PollBatch.Builder batch, int port, String signal, double value) {
    batch.value(port, dictionary.ordinal(signal), 0, value);
  }

  private void grow(
      PollBatch.Builder batch,
      int port,
      String signal,
      int element,
      long[] counts,
      int index,
      long by) {
    counts[index] += by;
    batch.counter(port, dictionary.ordinal(signal), element, counts[index]);
  }

  private void step(List<EngineInput> inputs) {
    for (EngineInput input : inputs) {
      if (input instanceof EngineInput.Poll poll) {
        readings += poll.batch().size();
      }
    }
    verdicts += engine.step(state, inputs).size();
  }

  private static PortId leaf(int link) {
    return new PortId("leaf" + link / PORTS_OF_A_LEAF, "Ethernet" + (link % PORTS_OF_A_LEAF + 1));
  }

  private static PortId host(int link) {
    return new PortId("gpu-" + link / 8, "mlx5_" + link % 8 + "/1");
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
