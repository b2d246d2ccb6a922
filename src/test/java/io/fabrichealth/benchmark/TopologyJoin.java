package io.fabrichealth.benchmark;

import io.fabrichealth.detect.Detectors;
import io.fabrichealth.engine.Engine;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.engine.EngineState;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Neighbour.PortIdKind;
import io.fabrichealth.topology.PlanDiff;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import io.fabrichealth.topology.TopologyChange;
import io.fabrichealth.topology.Wiring;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How long it takes to join a fabric from what its devices say, first and again after one of them
 * said something else, and how much heap that takes: hosts of eight HCAs, leaves of 32 hosts' ports
 * and 32 uplinks, spines of 64 ports; each port has a MAC or GUID, a second name and a neighbour.
 *
 * <pre>
 * mvn -q test-compile exec:exec -Dexec.executable=java -Dexec.classpathScope=test \
 *   -Dexec.args="-Xmx400m -cp %classpath io.fabrichealth.benchmark.TopologyJoin 100000"
 * </pre>
 */
public final class TopologyJoin {
  private static final int RAILS = 8;
  private static final int LEAF_DOWN = 32;
  private static final int SPINE_PORTS = 64;

  /** What the engine keeps of more links has its own benchmark, {@link FabricMemory}. */
  private static final int MOST_OF_ENGINE = 20_000;

  private static final long SPEED = 400_000_000_000L;

  private final Map<String, List<SeenPort>> ports = new HashMap<>();
  private final Map<String, List<Neighbour>> neighbours = new HashMap<>();

  private TopologyJoin() {}

  /**
   * @param arguments the number of links; 100,000 where it is not given
   */
  public static void main(String[] arguments) {
    int links = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100_000;
    List<Sighting> sightings = new TopologyJoin().sightings(links);
    long before = usedHeap();
    long began = cpuNanos();
    Fabric fabric = Wiring.join(Fabric.EMPTY, Fabric.EMPTY, sightings);
    long first = cpuNanos() - began;
    long heap = usedHeap() - before;
    System.out.printf(
        "links=%d ports=%d half=%d first_join_cpu_seconds=%.2f heap_megabytes=%.0f%n",
        fabric.links().size(),
        fabric.ports().size(),
        fabric.links().stream().filter(link -> link.isHalf()).count(),
        first / 1e9,
        heap / 1e6);

    Engine engine = engine();
    EngineState state = engine.initial();
    if (links <= MOST_OF_ENGINE) {
      engine.step(state, new EngineInput.Topology(Instant.EPOCH, fabric));
    }
    for (int round = 1; round <= 20; round++) {
      List<Sighting> changed = new ArrayList<>(sightings);
      changed.set(round, withoutLastPort(changed.get(round)));
      began = cpuNanos();
      Fabric next = Wiring.join(fabric, fabric, changed);
      long join = cpuNanos() - began;
      began = cpuNanos();
      List<TopologyChange> changes = TopologyChange.between(fabric, next);
      long compare = cpuNanos() - began;
      began = cpuNanos();
      if (links <= MOST_OF_ENGINE) {
        engine.step(state, new EngineInput.Topology(Instant.EPOCH.plusSeconds(round), next));
      }
      System.out.printf(
          "again=%d join_ms=%d changes=%d compare_ms=%d engine_ms=%d%n",
          round,
          join / 1_000_000,
          changes.size(),
          compare / 1_000_000,
          (cpuNanos() - began) / 1_000_000);
      fabric = next;
    }
    began = cpuNanos();
    PlanDiff diff = PlanDiff.of(fabric, fabric);
    System.out.printf(
        "diff_ms=%d missing=%d%n", (cpuNanos() - began) / 1_000_000, diff.missing().size());
  }

  private static Engine engine() {
    SignalDictionary dictionary = SignalCatalogue.load();
    return new Engine(dictionary, Detectors.standard(dictionary, ThresholdCatalogue.load()));
  }

  private static Sighting withoutLastPort(Sighting sighting) {
    List<SeenPort> ports = sighting.ports().subList(0, sighting.ports().size() - 1);
    return new Sighting(
        sighting.device(),
        sighting.role(),
        sighting.systemName(),
        sighting.vendor(),
        sighting.chassisIds(),
        ports,
        sighting.neighbours().subList(0, ports.size()),
        true);
  }

  /** Half of the links go to hosts, the other half up. */
  private List<Sighting> sightings(int links) {
    int down = links / 2;
    for (int link = 0; link < down; link++) {
      int nic = link % RAILS;
      int host = link / RAILS;
      int leaf = host / LEAF_DOWN * RAILS + nic;
      wire("gpu-" + host, "mlx5_" + nic + "/1", "leaf" + leaf, "Ethernet" + host % LEAF_DOWN);
    }
    for (int link = 0; link < links - down; link++) {
      int leaf = link / LEAF_DOWN;
      int up = link % LEAF_DOWN;
      int spine = up + leaf / SPINE_PORTS * LEAF_DOWN;
      wire(
          "leaf" + leaf,
          "Ethernet" + (LEAF_DOWN + up),
          "spine" + spine,
          "Ethernet" + leaf % SPINE_PORTS);
    }
    List<Sighting> sightings = new ArrayList<>();
    ports.forEach(
        (device, own) ->
            sightings.add(
                new Sighting(
                    device,
                    device.startsWith("gpu") ? Role.HOST : Role.SWITCH,
                    device + ".example.net",
                    null,
                    List.of(),
                    own,
                    neighbours.getOrDefault(device, List.of()),
                    true)));
    return sightings;
  }

  private void wire(String a, String aPort, String b, String bPort) {
    String macOfA = mac(a, aPort);
    ports.computeIfAbsent(a, name -> new ArrayList<>()).add(port(aPort, macOfA));
    ports.computeIfAbsent(b, name -> new ArrayList<>()).add(port(bPort, mac(b, bPort)));
    neighbours
        .computeIfAbsent(a, name -> new ArrayList<>())
        .add(new Neighbour(aPort, b + ".example.net", b, bPort, PortIdKind.INTERFACE_NAME, null));
    neighbours
        .computeIfAbsent(b, name -> new ArrayList<>())
        .add(new Neighbour(bPort, a + ".example.net", a, macOfA, PortIdKind.MAC, "eth0"));
  }

  private static SeenPort port(String name, String mac) {
    return new SeenPort(name, SPEED, 9216, true, List.of(mac, "alias of " + name));
  }

  private int macs;

  private String mac(String device, String port) {
    int number = macs++;
    return "02:00:%02x:%02x:%02x:%02x"
        .formatted(number >> 24 & 255, number >> 16 & 255, number >> 8 & 255, number & 255);
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getThreadCpuTime(Thread.currentThread().threadId());
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    for (int round = 0; round < 3; round++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
