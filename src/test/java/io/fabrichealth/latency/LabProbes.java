package io.fabrichealth.latency;

import io.fabrichealth.latency.ProbeSample.Endpoint;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A recording of the fabric lab: its wiring, its probes with the way that each took, its faults.
 */
record LabProbes(Fabric fabric, List<Timed> probes, List<JsonNode> faults) {
  static final Path FOLDER = Path.of("../shared/fixtures/lab");
  private static final JsonMapper JSON = JsonMapper.shared();

  record Timed(Instant at, ProbeSample sample) {}

  static LabProbes read(String name) throws IOException {
    Path folder = FOLDER.resolve(name);
    JsonNode truth = JSON.readTree(Files.readString(folder.resolve("truth.json")));
    Fabric fabric = fabric(truth);
    Map<String, JsonNode> ways = new HashMap<>();
    for (String line : Files.readAllLines(folder.resolve("paths.jsonl"))) {
      JsonNode way = JSON.readTree(line);
      ways.put(flow(way), way);
    }
    List<Timed> probes = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("probe.jsonl"))) {
      JsonNode probe = JSON.readTree(line);
      probes.add(
          new Timed(
              Instant.parse(probe.get("at").asString()),
              sample(fabric, probe, ways.get(flow(probe)))));
    }
    List<JsonNode> faults = new ArrayList<>();
    truth.get("faults").forEach(faults::add);
    return new LabProbes(fabric, probes, faults);
  }

  private static String flow(JsonNode of) {
    return of.get("src_ip")
        + " "
        + of.get("dst_ip")
        + " "
        + of.get("sport")
        + " "
        + of.get("dport");
  }

  private static Fabric fabric(JsonNode truth) {
    Fabric.Builder fabric = Fabric.builder();
    Map<String, Role> roles = new HashMap<>();
    for (JsonNode device : truth.get("devices")) {
      Role role = Role.valueOf(device.get("role").asString().toUpperCase(Locale.ROOT));
      roles.put(device.get("name").asString(), role);
      fabric.device(Device.of(device.get("name").asString(), role));
    }
    for (JsonNode wire : truth.get("actual_wires")) {
      PortId a = port(wire.get("a"));
      PortId b = port(wire.get("b"));
      Tier tier = Tier.between(roles.get(a.device()), roles.get(b.device()));
      fabric.link(Link.between(a, b, tier, null));
    }
    return fabric.build();
  }

  private static PortId port(JsonNode end) {
    return new PortId(end.get("device").asString(), end.get("port").asString());
  }

  private static ProbeSample sample(Fabric fabric, JsonNode probe, JsonNode way) {
    String src = probe.get("src").asString();
    String dst = probe.get("dst").asString();
    String port = probe.get("rail").asString();
    return new ProbeSample(
        new Endpoint(src, port),
        new Endpoint(dst, port),
        "fabric-lab",
        probe.get("sport").asInt(),
        probe.get("size").asInt(),
        links(fabric, src, way.get("forward"), dst),
        List.of(),
        links(fabric, dst, way.get("return"), src),
        probe.get("sent").asLong(),
        probe.get("lost").asLong(),
        new ProbeSample.RoundTrip(
            probe.path("rtt_min_us").asDouble(Double.NaN),
            probe.path("rtt_avg_us").asDouble(Double.NaN),
            Double.NaN,
            probe.path("rtt_max_us").asDouble(Double.NaN)));
  }

  private static List<String> links(Fabric fabric, String from, JsonNode switches, String to) {
    List<String> links = new ArrayList<>();
    String at = from;
    for (JsonNode next : switches) {
      links.add(between(fabric, at, next.asString()));
      at = next.asString();
    }
    links.add(between(fabric, at, to));
    return links;
  }

  private static String between(Fabric fabric, String one, String other) {
    for (Link link : fabric.linksOf(one)) {
      if (link.ends().stream().anyMatch(end -> end.device().equals(other))) {
        return link.id();
      }
    }
    throw new IllegalStateException(one + " has no link to " + other);
  }
}
