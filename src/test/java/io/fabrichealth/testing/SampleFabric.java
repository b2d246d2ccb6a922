package io.fabrichealth.testing;

import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.TargetStatus;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Repeats;
import io.fabrichealth.incident.Severity;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.runtime.Snapshots;
import io.fabrichealth.signal.DeviceSignals;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.signal.Quality;
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
import io.fabrichealth.verdict.Coverage;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Verdict;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A small fabric in which something of everything is wrong, as answers and metrics should show it:
 * a dirty lane, a flapping link, one that is down, a half-link, a host that receives too slowly and
 * a host that does not answer.
 */
public final class SampleFabric implements Snapshots {
  public static final SignalDictionary DICTIONARY = SignalCatalogue.load();

  public static final String HEALTHY = "leaf1:Ethernet1/1--gpu-001:mlx5_0/1";
  public static final String DIRTY_LANE = "gpu-002:mlx5_0/1--leaf1:Ethernet1/2";
  public static final String FLAPPING = "gpu-001:mlx5_1/1--leaf2:Ethernet1/1";
  public static final String UPLINK = "leaf1:Ethernet1/49--spine1:Ethernet1";
  public static final String DOWN = "leaf2:Ethernet1/49--spine1:Ethernet2";
  public static final String HALF = "leaf2:Ethernet1/2";

  /** Answered until the last pass. */
  public static final String SILENT = "gpu-002";

  private static final long SPEED = 400_000_000_000L;

  private final Instant at;
  private final FabricSnapshot snapshot;

  public SampleFabric(Instant at) {
    this.at = at;
    Fabric fabric = fabric();
    snapshot =
        new FabricSnapshot(
            at,
            DICTIONARY,
            fabric,
            Fabric.EMPTY,
            verdicts(fabric),
            windows(),
            targets(),
            List.of());
  }

  @Override
  public FabricSnapshot current() {
    return snapshot;
  }

  /** The incidents that are open in this fabric. */
  public List<Incident> incidents() {
    return List.of(
        incident(1, linkSubject(DIRTY_LANE), Cause.PHY_LANE, Severity.WARNING, .9995),
        incident(2, linkSubject(FLAPPING), Cause.LINK_FLAP, Severity.CRITICAL, .999),
        incident(3, linkSubject(DOWN), Cause.LINK_DOWN, Severity.CRITICAL, .9999),
        incident(4, Subject.host("gpu-002"), Cause.SLOW_RECEIVER, Severity.WARNING, .98));
  }

  private static Fabric fabric() {
    Fabric.Builder builder =
        Fabric.builder()
            .device(new Device("leaf1", Role.LEAF, "Example", "LS-64", 0, null, Map.of()))
            .device(new Device("leaf2", Role.LEAF, "Example", "LS-64", 1, null, Map.of()))
            .device(new Device("spine1", Role.SPINE, "Example", "SP-64", null, 0, Map.of()))
            .device(Device.of("gpu-001", Role.HOST))
            .device(Device.of("gpu-002", Role.HOST));
    // Not in the order of the ends: ids are opaque, nothing may depend on how they are made.
    builder.link(
        new Link(
            new PortId("leaf1", "Ethernet1/1"),
            new PortId("gpu-001", "mlx5_0/1"),
            Tier.HOST_LEAF,
            0));
    builder.link(link("leaf1", "Ethernet1/2", "gpu-002", "mlx5_0/1", Tier.HOST_LEAF, 0));
    builder.link(link("leaf2", "Ethernet1/1", "gpu-001", "mlx5_1/1", Tier.HOST_LEAF, 1));
    builder.link(link("leaf1", "Ethernet1/49", "spine1", "Ethernet1", Tier.LEAF_SPINE, null));
    builder.link(link("leaf2", "Ethernet1/49", "spine1", "Ethernet2", Tier.LEAF_SPINE, null));
    builder.link(Link.half(new PortId("leaf2", "Ethernet1/2"), null));
    builder.port(
        new Port(
            new PortId("leaf1", "Ethernet1/2"),
            SPEED,
            8,
            FecMode.RS544,
            Media.OPTICAL,
            "EX-400",
            9216,
            true,
            List.of("to gpu-002")));
    return builder.build();
  }

  private static Link link(
      String a, String aPort, String b, String bPort, Tier tier, Integer rail) {
    return Link.between(new PortId(a, aPort), new PortId(b, bPort), tier, rail);
  }

  private Map<Subject, Verdict> verdicts(Fabric fabric) {
    Map<Subject, Verdict> verdicts = new LinkedHashMap<>();
    for (Link link : fabric.links()) {
      verdicts.put(Subject.of(link), verdict(link));
    }
    return verdicts;
  }

  private Verdict verdict(Link link) {
    return switch (link.id()) {
      case DIRTY_LANE -> bad(link, LinkState.DEGRADED, Cause.PHY_LANE, .9995);
      case FLAPPING -> bad(link, LinkState.DEGRADED, Cause.LINK_FLAP, .999);
      case DOWN -> bad(link, LinkState.DOWN, Cause.LINK_DOWN, .9999);
      case HALF ->
          new Verdict(
              Subject.of(link),
              LinkState.UNKNOWN,
              .001,
              null,
              at.minusSeconds(60),
              null,
              List.of(prior(link, .001)),
              List.of(),
              new Coverage(0, List.of(HALF + " port.oper_up not read for 3 polls")),
              "Not read.");
      default ->
          new Verdict(
              Subject.of(link),
              LinkState.HEALTHY,
              .001,
              null,
              at.minusSeconds(86_400),
              null,
              List.of(prior(link, .001)),
              List.of(),
              new Coverage(.75, List.of(link.a().id() + " optics.rx_power_dbm unsupported")),
              "Nothing speaks against it.");
    };
  }

  private Verdict bad(Link link, LinkState state, Cause cause, double probability) {
    double logit = Math.log(probability / (1 - probability));
    Evidence prior = prior(link, .001);
    return new Verdict(
        Subject.of(link),
        state,
        probability,
        cause,
        at.minusSeconds(300),
        at.minusSeconds(240),
        List.of(
            prior,
            new Evidence(
                Family.PHY,
                "fec.uncorrectable_codewords",
                Subject.of(link.a()),
                "120 codewords in 10 s",
                "at most 0.1",
                Reference.LIMIT,
                logit - prior.nats(),
                at.minusSeconds(10),
                at,
                "snmp " + link.a().device())),
        link.ends().stream().map(PortId::id).toList(),
        new Coverage(1, List.of()),
        cause + " on " + link.id() + ".");
  }

  private Evidence prior(Link link, double probability) {
    return new Evidence(
        Family.PRIOR,
        "prior",
        Subject.of(link),
        "nothing yet",
        "1 faulty link in 1000",
        Reference.HISTORY,
        Math.log(probability / (1 - probability)),
        at,
        at,
        "fabric-health");
  }

  private Incident incident(
      int number, Subject subject, Cause cause, Severity severity, double probability) {
    return new Incident(
        new UUID(0, number),
        subject.type() + " " + subject.id(),
        subject,
        cause,
        severity,
        Incident.State.OPEN,
        probability,
        at.minusSeconds(240 + number),
        at,
        null,
        cause + " on " + subject.id() + ".",
        List.of(subject.id()),
        List.of(),
        null,
        null,
        Repeats.NONE,
        List.of(),
        number);
  }

  private static Subject linkSubject(String id) {
    return new Subject(SubjectType.LINK, id);
  }

  // --- readings

  private Map<PortId, PortReadings> windows() {
    Map<PortId, PortReadings> windows = new LinkedHashMap<>();
    read(windows, "leaf1", "snmp", List.of("Ethernet1/1", "Ethernet1/2", "Ethernet1/49"));
    read(windows, "leaf2", "snmp", List.of("Ethernet1/1", "Ethernet1/2", "Ethernet1/49"));
    read(windows, "spine1", "snmp", List.of("Ethernet1", "Ethernet2"));
    read(windows, "gpu-001", "prometheus", List.of("mlx5_0/1", "mlx5_1/1"));
    read(windows, "gpu-002", "prometheus", List.of("mlx5_0/1"));
    return windows;
  }

  private void read(
      Map<PortId, PortReadings> windows, String device, String collector, List<String> ports) {
    DeviceSignals signals = new DeviceSignals(device, collector, DICTIONARY);
    for (int pass = 0; pass < 3; pass++) {
      Instant time = at.minusSeconds(20).plusSeconds(10L * pass);
      PollBatch.Builder batch = PollBatch.builder(device, collector, time);
      for (String port : ports) {
        fill(batch, device, port, pass);
      }
      boolean silent = device.equals(SILENT) && pass == 2;
      signals.apply(silent ? PollBatch.missed(device, collector, time) : batch.build(true), null);
    }
    for (String port : ports) {
      windows.put(new PortId(device, port), signals.snapshot(port));
    }
  }

  private static void fill(PollBatch.Builder batch, String device, String name, int pass) {
    int port = batch.port(name);
    boolean down = (device + ":" + name).equals("leaf2:Ethernet1/49");
    batch.value(port, ordinal("port.oper_up"), 0, down ? 0 : 1);
    batch.value(port, ordinal("port.speed_bits_per_second"), 0, SPEED);
    // Begins just below the end of what a signed long holds.
    batch.counter(port, ordinal("port.in_octets"), 0, Long.MAX_VALUE - 1_000 + pass * 1_000_000L);
    batch.counter(port, ordinal("port.out_octets"), 0, pass * 2_000_000L);
    batch.counter(port, ordinal("port.in_packets"), 0, pass * 1_000L);
    batch.counter(port, ordinal("port.out_packets"), 0, pass * 2_000L);
    for (String each : List.of("in_errors", "out_errors", "in_discards", "out_discards")) {
      batch.counter(port, ordinal("port." + each), 0, pass);
    }
    batch.counter(port, ordinal("port.link_downed"), 0, pass);
    for (int priority = 0; priority < 8; priority++) {
      for (String each : List.of("pfc.rx_pause_frames", "pfc.tx_pause_frames")) {
        batch.counter(port, ordinal(each), priority, pass * (priority == 3 ? 500L : 0));
      }
      for (String each : List.of("pfc.rx_pause_microseconds", "pfc.tx_pause_microseconds")) {
        batch.counter(port, ordinal(each), priority, pass * (priority == 3 ? 250_000L : 0));
      }
    }
    if (device.startsWith("gpu")) {
      fillHost(batch, port, pass);
    } else {
      fillSwitch(batch, port, pass);
    }
  }

  private static void fillHost(PollBatch.Builder batch, int port, int pass) {
    batch.counter(port, ordinal("ib.symbol_errors"), 0, pass);
    batch.counter(port, ordinal("roce.cnp_sent"), 0, pass * 7L);
    batch.counter(port, ordinal("roce.ecn_marked_packets"), 0, pass * 9L);
    batch.counter(port, ordinal("roce.out_of_sequence"), 0, pass);
  }

  private static void fillSwitch(PollBatch.Builder batch, int port, int pass) {
    batch.counter(port, ordinal("fec.uncorrectable_codewords"), 0, pass * 120L);
    batch.value(port, ordinal("fec.pre_fec_ber"), 0, 3e-5);
    batch.counter(port, ordinal("ecn.marked_packets"), 3, pass * 11L);
    batch.value(port, ordinal("optics.module_temperature_celsius"), 0, 51.5);
    for (int lane = 0; lane < 4; lane++) {
      batch.counter(port, ordinal("fec.symbol_errors"), lane, pass * 40L);
      batch.counter(port, ordinal("fec.corrected_bits"), lane, pass * 50L * (lane + 1));
      if (lane == 2) {
        batch.absent(port, ordinal("optics.rx_power_dbm"), lane, Quality.UNREADABLE, "no light");
      } else {
        batch.value(port, ordinal("optics.rx_power_dbm"), lane, -1.5 - lane);
      }
    }
  }

  private static int ordinal(String signal) {
    return DICTIONARY.ordinal(signal);
  }

  // --- targets

  private List<TargetStatus> targets() {
    return List.of(
        target("leaf1", "snmp", "198.51.100.1:161"),
        target("leaf2", "snmp", "198.51.100.2:161"),
        target("spine1", "snmp", "198.51.100.3:161"),
        target("gpu-001", "prometheus", "http://198.51.100.4:9100/metrics"),
        new TargetStatus(
            "gpu-002",
            "prometheus",
            "http://198.51.100.5:9100/metrics",
            at,
            at.minusSeconds(120),
            5,
            FailureCode.TIMEOUT,
            "no answer within 5 s",
            12,
            Map.of(FailureCode.TIMEOUT, 3L),
            1,
            1,
            20,
            0,
            0,
            0,
            0,
            false,
            Map.of(),
            List.of()),
        new TargetStatus(
            "gpu-003",
            "prometheus",
            "http://198.51.100.6:9100/metrics",
            null,
            null,
            0,
            null,
            null,
            0,
            Map.of(),
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            false,
            Map.of(),
            List.of()));
  }

  private TargetStatus target(String device, String collector, String address) {
    return new TargetStatus(
        device,
        collector,
        address,
        at,
        at,
        .25,
        null,
        null,
        12,
        Map.of(FailureCode.PARTIAL, 1L),
        1,
        3,
        60,
        0,
        0,
        0,
        0,
        true,
        Map.of("loopback", 1),
        device.equals("leaf1") ? List.of("ifNumber is 70, ifTable has 66 rows") : List.of());
  }
}
