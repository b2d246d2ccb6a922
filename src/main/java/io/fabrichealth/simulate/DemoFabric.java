package io.fabrichealth.simulate;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGeneratorFactory;

/**
 * A small fabric on the loopback interface that speaks the real protocols: 4 leaves and 2 spines
 * answer SNMP v2c, 8 hosts of 8 HCAs show a node_exporter page. What they count follows the physics
 * of links and a script of faults.
 */
public final class DemoFabric implements AutoCloseable {
  static final String LOOPBACK = "127.0.0.1";

  private static final String COMMUNITY = "public";
  private static final String GENERATOR = "L64X128MixRandom";

  private final DemoScript script;
  private final SimulatedFabric fabric;
  private final List<SnmpAgent> agents = new ArrayList<>();
  private final List<Exporter> exporters = new ArrayList<>();

  private DemoFabric(DemoScript script, SimulatedFabric fabric) {
    this.script = script;
    this.fabric = fabric;
  }

  /**
   * Starts all agents and exporters; they answer when this returns. Each start is a reboot of all
   * devices.
   *
   * @param seed the same seed and clock give the same counters
   * @throws java.io.UncheckedIOException where a socket cannot be had
   */
  public static DemoFabric start(DemoScript script, long seed, InstantSource clock) {
    SimulatedFabric simulated =
        new SimulatedFabric(
            DemoPlan.fabric(), script, RandomGeneratorFactory.of(GENERATOR).create(seed), clock);
    DemoFabric demo = new DemoFabric(script, simulated);
    try {
      simulated.plan().devices().forEach(demo::open);
    } catch (RuntimeException e) {
      demo.close();
      throw e;
    }
    return demo;
  }

  private void open(Device device) {
    if (device.role().isSwitch()) {
      MibView view = SwitchMib.of(fabric, device);
      agents.add(SnmpAgent.start(device.name(), device.role(), COMMUNITY, fabric, view));
    } else {
      String host = device.name();
      exporters.add(Exporter.start(host, () -> fabric.read(() -> HostExposition.of(fabric, host))));
    }
  }

  /** The agents of the switches. */
  public List<SnmpAgent.Address> switches() {
    return agents.stream().map(SnmpAgent::address).toList();
  }

  /** The exporters of the hosts. */
  public List<Exporter.Address> hosts() {
    return exporters.stream().map(Exporter::address).toList();
  }

  /** How the fabric is wired, which its devices also tell. */
  public Fabric plan() {
    return fabric.plan();
  }

  public DemoScript script() {
    return script;
  }

  /** Frees all sockets and threads. */
  @Override
  public void close() {
    agents.forEach(SnmpAgent::close);
    exporters.forEach(Exporter::close);
  }
}
