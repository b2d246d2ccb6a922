package io.fabrichealth.benchmark;

import io.fabrichealth.detect.Detectors;
import io.fabrichealth.engine.Engine;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.engine.EngineState;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import io.fabrichealth.verdict.Verdict;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much heap 10,000 links take, both ends polled, with what the live loop keeps for its readers;
 * and the processor time of a poll of all of them.
 *
 * <pre>
 * mvn -q test-compile exec:exec -Dexec.executable=java -Dexec.classpathScope=test \
 *   -Dexec.args="-Xmx1g -cp %classpath io.fabrichealth.benchmark.FabricMemory"
 * </pre>
 */
public final class FabricMemory {
  private static final int LINKS = 10_000;
  private static final int PORTS_OF_A_LEAF = 50;
  private static final int POLLS = 6;
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  /** What a well-equipped port has: {signal, elements}. */
  private static final Map<String, Integer> EQUIPMENT =
      Map.ofEntries(
          Map.entry("port.oper_up", 1),
          Map.entry("port.admin_up", 1),
          Map.entry("port.speed_bits_per_second", 1),
          Map.entry("port.mtu_bytes", 1),
          Map.entry("port.in_octets", 1),
          Map.entry("port.out_octets", 1),
          Map.entry("port.in_packets", 1),
          Map.entry("port.out_packets", 1),
          Map.entry("port.in_errors", 1),
          Map.entry("port.out_errors", 1),
          Map.entry("port.in_discards", 1),
          Map.entry("port.out_discards", 1),
          Map.entry("port.link_downed", 1),
          Map.entry("fec.codewords_by_symbol_errors", 16),
          Map.entry("fec.uncorrectable_codewords", 1),
          Map.entry("fec.corrected_bits", 4),
          Map.entry("optics.rx_power_dbm", 4),
          Map.entry("optics.tx_power_dbm", 4),
          Map.entry("optics.tx_bias_milliamperes", 4),
          Map.entry("optics.module_temperature_celsius", 1),
          Map.entry("pfc.rx_pause_frames", 8),
          Map.entry("pfc.tx_pause_frames", 8),
          Map.entry("pfc.rx_pause_microseconds", 8),
          Map.entry("pfc.tx_pause_microseconds", 8),
          Map.entry("ecn.marked_packets", 1));

  private final SignalDictionary dictionary = SignalCatalogue.load();
  private final Engine engine =
      new Engine(dictionary, Detectors.standard(dictionary, ThresholdCatalogue.load()));
  private final EngineState state = engine.initial();
  private final Map<Subject, Verdict> verdicts = new HashMap<>();
  private final Map<PortId, PortReadings> readings = new HashMap<>();
  private Map<Subject, Verdict> publishedVerdicts = Map.of();
  private Map<PortId, PortReadings> publishedReadings = Map.of();

  public static void main(String[] arguments) {
    long before = usedHeap();
    FabricMemory memory = new FabricMemory();
    memory.wire();
    long nanos = 0;
    for (int poll = 0; poll < POLLS; poll++) {
      long began = System.nanoTime();
      memory.poll(poll);
      nanos = System.nanoTime() - began;
    }
    System.out.printf(
        "links=%d ports=%d heap_megabytes=%.1f last_poll_of_all_seconds=%.2f verdicts=%d%n",
        LINKS,
        memory.publishedReadings.size(),
        (usedHeap() - before) / 1e6,
        nanos / 1e9,
        memory.publishedVerdicts.size());
  }

  private void wire() {
    Fabric.Builder fabric = Fabric.builder();
    for (int link = 0; link < LINKS; link++) {
      String leaf = leaf(link);
      String host = host(link);
      fabric.device(Device.of(leaf, Role.LEAF)).device(Device.of(host, Role.HOST));
      fabric.link(
          Link.between(
              new PortId(leaf, leafPort(link)),
              new PortId(host, hostPort(link)),
              Tier.HOST_LEAF,
              link % 8));
    }
    take(new EngineInput.Topology(START, fabric.build()));
  }

  private void poll(int poll) {
    Instant at = START.plusSeconds(10L * poll + 1);
    Map<String, PollBatch.Builder> batches = new HashMap<>();
    for (int link = 0; link < LINKS; link++) {
      fill(batches, leaf(link), "snmp", leafPort(link), at, poll);
      fill(batches, host(link), "prometheus", hostPort(link), at, poll);
    }
    for (PollBatch.Builder builder : batches.values()) {
      PollBatch batch = builder.build(true);
      take(new EngineInput.Poll(batch));
      for (String port : batch.ports()) {
        PortId id = new PortId(batch.device(), port);
        readings.put(id, state.snapshot(id, batch.collector()));
      }
    }
    publishedVerdicts = Map.copyOf(verdicts);
    publishedReadings = Map.copyOf(readings);
  }

  private void fill(
      Map<String, PollBatch.Builder> batches,
      String device,
      String collector,
      String port,
      Instant at,
      int poll) {
    PollBatch.Builder batch =
        batches.computeIfAbsent(device, name -> PollBatch.builder(name, collector, at));
    int index = batch.port(port);
    EQUIPMENT.forEach(
        (signal, elements) -> {
          int ordinal = dictionary.ordinal(signal);
          boolean counts = dictionary.signal(ordinal).kind() == Signal.Kind.COUNTER;
          for (int element = 0; element < elements; element++) {
            if (counts) {
              batch.counter(index, ordinal, element, healthy(signal, element, poll));
            } else {
              batch.value(index, ordinal, element, signal.endsWith("second") ? 400e9 : 1);
            }
          }
        });
  }

  /** A counter of a clean port under load. */
  private static long healthy(String signal, int element, int poll) {
    return switch (signal) {
      case "port.in_octets", "port.out_octets" -> poll * 250_000_000_000L;
      case "port.in_packets", "port.out_packets" -> poll * 61_000_000L;
      case "fec.codewords_by_symbol_errors" -> element == 0 ? poll * 781_000_000L : poll / 4;
      case "fec.corrected_bits" -> poll * 40L;
      default -> 0;
    };
  }

  private void take(EngineInput input) {
    List<Verdict> said = engine.step(state, input);
    said.forEach(verdict -> verdicts.put(verdict.subject(), verdict));
  }

  private static String leaf(int link) {
    return "leaf" + link / PORTS_OF_A_LEAF;
  }

  private static String leafPort(int link) {
    return "Ethernet" + (link % PORTS_OF_A_LEAF + 1);
  }

  private static String host(int link) {
    return "gpu-" + link / 8;
  }

  private static String hostPort(int link) {
    return "mlx5_" + link % 8 + "/1";
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    for (int round = 0; round < 3; round++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
