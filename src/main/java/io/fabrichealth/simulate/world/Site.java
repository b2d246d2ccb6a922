package io.fabrichealth.simulate.world;

import io.fabrichealth.simulate.Draws;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Builds the devices, ports and links of a shape, and the plan that names them. */
final class Site {
  private static final long HOST_SPEED = 400_000_000_000L;
  private static final long FABRIC_SPEED = 800_000_000_000L;
  private static final int LANES = 8;
  private static final int INFINIBAND_LANES = 4;
  private static final int MTU = 9216;
  private static final int INFINIBAND_MTU = 4096;
  private static final List<String> OPTICS =
      List.of("QDD-400G-DR4-S", "MMA4Z00-NS", "FTCC4512E2PLM", "T-DQ8CNT-N00");
  private static final List<String> CABLES = List.of("MCP4Y10-N001", "C-DQ8FNM001-N00");
  private static final double COPPER = .12;

  private final Shape shape;
  private final Scenario scenario;
  private final Draws draws;
  private final Map<String, DeviceModel> devices = new LinkedHashMap<>();
  private final List<LinkModel> links = new ArrayList<>();
  private final Map<String, Integer> usedPorts = new HashMap<>();
  private final List<PortModel> hostPorts = new ArrayList<>();
  private final Map<PortId, Port> replanned = new HashMap<>();
  private final Map<LinkModel, List<PortModel>> ends = new HashMap<>();
  private final Map<DeviceModel, List<PortModel>> uplinks = new HashMap<>();
  private final Map<DeviceModel, Map<DeviceModel, List<PortModel>>> towards = new HashMap<>();
  private final Map<DeviceModel, Integer> pods = new HashMap<>();
  private final Map<DeviceModel, Map<Integer, List<PortModel>>> towardsPods = new HashMap<>();

  Site(Scenario scenario, Draws draws) {
    this.scenario = scenario;
    this.draws = draws;
    shape = Shape.of(scenario.fabric());
    build();
  }

  private void build() {
    List<DeviceModel> cores = new ArrayList<>();
    for (int core = 1; core <= shape.cores(); core++) {
      cores.add(device("core" + core, Role.CORE, null, 0));
    }
    for (int pod = 0; pod < shape.pods(); pod++) {
      List<DeviceModel> leaves = new ArrayList<>();
      for (int leaf = 0; leaf < shape.leavesOfPod(); leaf++) {
        String name = "leaf" + (pod * shape.leavesOfPod() + leaf + 1);
        leaves.add(device(name, Role.LEAF, leaf / shape.leaves(), pod));
      }
      hosts(pod, leaves);
      for (int spine = 0; spine < shape.spines(); spine++) {
        DeviceModel model =
            device("spine" + (pod * shape.spines() + spine + 1), Role.SPINE, null, pod);
        for (DeviceModel leaf : leaves) {
          for (int link = 0; link < shape.parallel(); link++) {
            join(leaf, model, FABRIC_SPEED);
          }
        }
        cores.forEach(core -> join(model, core, FABRIC_SPEED));
      }
    }
  }

  private void hosts(int pod, List<DeviceModel> leaves) {
    int digits = shape.hostsOfAll() > 999 ? 4 : 3;
    for (int host = 0; host < shape.hosts(); host++) {
      String name =
          String.format(Locale.ROOT, "gpu-%0" + digits + "d", pod * shape.hosts() + host + 1);
      DeviceModel model = device(name, Role.HOST, null, pod);
      for (int rail = 0; rail < shape.rails(); rail++) {
        int leaf = rail * shape.leaves() + host * shape.leaves() / shape.hosts();
        hostPorts.add(join(model, leaves.get(leaf), HOST_SPEED));
      }
    }
  }

  private DeviceModel device(String name, Role role, @Nullable Integer rail, int pod) {
    Reporting reporting = reporting(role);
    Map<String, Integer> bits = new HashMap<>();
    if (reporting.declaresBits()) {
      reporting.bits().forEach((counter, width) -> bits.put(counter.signal(), width));
    }
    Instant boot =
        scenario.start().minus(Duration.ofMillis((long) (draws.uniform(10, 200) * 86_400e3)));
    DeviceModel model =
        new DeviceModel(
            new Device(name, role, reporting.vendor(), reporting.model(), rail, null, bits),
            reporting,
            boot,
            draws.uniform(-.05, .05),
            draws.uniform(.1, scenario.pollSeconds()));
    if (reporting.hasDeviceTime()) {
      model.setClockOffset(draws.happens(.05) ? draws.gaussian(0, 60) : draws.gaussian(0, .15));
    }
    devices.put(name, model);
    pods.put(model, pod);
    return model;
  }

  private Reporting reporting(Role role) {
    if (scenario.flavour() == Flavour.INFINIBAND) {
      return role == Role.HOST ? Reporting.QUANTUM.asHca() : Reporting.QUANTUM;
    }
    if (scenario.telemetry() == Telemetry.COUNTERS) {
      return Reporting.COUNTERS;
    }
    if (role == Role.HOST) {
      return draws.happens(.5) ? Reporting.HCA : Reporting.PLAIN_HCA;
    }
    return Reporting.SWITCHES.get(devices.size() % Reporting.SWITCHES.size());
  }

  /** Cables two devices; the lower one first. */
  private PortModel join(DeviceModel lower, DeviceModel upper, long speed) {
    Integer rail = lower.device().rail() == null ? upper.device().rail() : lower.device().rail();
    boolean isHost = !lower.isSwitch();
    boolean copper = isHost && draws.happens(COPPER);
    String part = draws.one(copper ? CABLES : OPTICS);
    Media media = copper ? Media.DAC : Media.OPTICAL;
    PortModel a = port(lower, speed, media, part);
    PortModel b = port(upper, speed, media, part);
    Tier tier = Tier.between(lower.device().role(), upper.device().role());
    LinkModel link =
        new LinkModel(
            Link.between(a.port().id(), b.port().id(), tier, isHost ? rail : null), media);
    Wire up = new Wire(link, a, b, speed);
    Wire down = new Wire(link, b, a, speed);
    a.wire(up, down);
    b.wire(down, up);
    links.add(link);
    ends.put(link, List.of(a, b));
    uplinks.computeIfAbsent(lower, device -> new ArrayList<>()).add(a);
    towards
        .computeIfAbsent(upper, device -> new HashMap<>())
        .computeIfAbsent(lower, device -> new ArrayList<>())
        .add(b);
    towardsPods
        .computeIfAbsent(upper, device -> new HashMap<>())
        .computeIfAbsent(pod(lower), pod -> new ArrayList<>())
        .add(b);
    return a;
  }

  private PortModel port(DeviceModel device, long speed, Media media, String part) {
    boolean infiniband = scenario.flavour() == Flavour.INFINIBAND;
    int lanes = infiniband ? INFINIBAND_LANES : LANES;
    int number = usedPorts.merge(device.name(), 1, Integer::sum);
    String name;
    if (!device.isSwitch()) {
      name = "mlx5_" + (number - 1) + "/1";
    } else {
      name = infiniband ? String.valueOf(number) : "Ethernet1/" + number;
    }
    Code code = Code.of(scenario.flavour());
    Port port =
        new Port(
            new PortId(device.name(), name),
            speed,
            lanes,
            infiniband ? FecMode.RS272 : FecMode.RS544,
            media,
            part,
            infiniband ? INFINIBAND_MTU : MTU,
            true,
            List.of());
    boolean optical = media == Media.OPTICAL;
    double decades =
        optical
            ? Math.clamp(draws.gaussian(-7.7, .35), -9, -6.7)
            : Math.clamp(draws.gaussian(-9.6, .4), -11, -8.6);
    double[] ratios = new double[lanes];
    for (int lane = 0; lane < lanes; lane++) {
      ratios[lane] = Math.pow(10, decades + draws.gaussian(0, .25));
    }
    Receiver receiver =
        new Receiver(
            code,
            speed,
            ratios,
            draws.gaussian(.02, .01),
            optical ? Math.pow(10, draws.uniform(-5, -2)) : 1e-6,
            draws);
    PortModel model =
        new PortModel(
            device,
            port,
            receiver,
            optical ? new Optics(lanes, draws) : null,
            scenario.flavour(),
            draws);
    device.add(model);
    return model;
  }

  /** The plan says something else of a port from now on. */
  void replan(Port port) {
    replanned.put(port.id(), port);
  }

  Fabric plan() {
    Fabric.Builder plan = Fabric.builder();
    devices.values().forEach(device -> plan.device(device.device()));
    for (DeviceModel device : devices.values()) {
      device.ports().forEach(p -> plan.port(replanned.getOrDefault(p.port().id(), p.port())));
    }
    links.forEach(link -> plan.link(link.link()));
    return plan.build();
  }

  Shape shape() {
    return shape;
  }

  Iterable<DeviceModel> devices() {
    return devices.values();
  }

  @Nullable DeviceModel device(String name) {
    return devices.get(name);
  }

  List<LinkModel> links() {
    return links;
  }

  /** Both ends of a link, the lower device's first. */
  List<PortModel> ends(LinkModel link) {
    return Objects.requireNonNull(ends.get(link));
  }

  /** Ports of hosts, rail by rail within a host. */
  List<PortModel> hostPorts() {
    return hostPorts;
  }

  PortModel hostPort(int host, int rail) {
    return hostPorts.get(host * shape.rails() + rail);
  }

  /** Ports of a switch towards the tier above. */
  List<PortModel> uplinks(DeviceModel device) {
    return uplinks.getOrDefault(device, List.of());
  }

  /** Ports of a switch towards a device of the tier below. */
  List<PortModel> towards(DeviceModel upper, DeviceModel lower) {
    return towards.getOrDefault(upper, Map.of()).getOrDefault(lower, List.of());
  }

  int pod(DeviceModel device) {
    return Objects.requireNonNull(pods.get(device));
  }

  /** Ports of a core towards the spines of a pod. */
  List<PortModel> towardsPod(DeviceModel core, int pod) {
    return towardsPods.getOrDefault(core, Map.of()).getOrDefault(pod, List.of());
  }
}
