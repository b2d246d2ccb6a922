package io.fabrichealth.collect.wiring;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import io.fabrichealth.topology.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A recorded case of the fabric lab: what LLDP, SNMP agents and exporters said, and the plan by
 * which it was wired.
 */
final class RecordedLab {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Pattern MTU =
      Pattern.compile("1\\.3\\.6\\.1\\.2\\.1\\.2\\.2\\.1\\.4\\.(\\d+)\\|2\\|(\\d+)");
  private static final Pattern NAME =
      Pattern.compile("1\\.3\\.6\\.1\\.2\\.1\\.31\\.1\\.1\\.1\\.1\\.(\\d+)\\|4\\|(\\S+)");
  private static final Pattern HOST_MTU =
      Pattern.compile("node_network_mtu_bytes\\{device=\"rail0\"} (\\d+)");

  private final Path folder;
  private final JsonNode truth;

  private RecordedLab(Path folder, JsonNode truth) {
    this.folder = folder;
    this.truth = truth;
  }

  static RecordedLab of(String name) throws IOException {
    Path folder = Path.of("../shared/fixtures/lab", name);
    assumeTrue(Files.isDirectory(folder), "skipped: no recordings of the fabric lab here");
    return new RecordedLab(folder, JSON.readTree(Files.readString(folder.resolve("truth.json"))));
  }

  /** As it was wired before anything was done to it. */
  Fabric plan() {
    Fabric.Builder plan = Fabric.builder();
    for (JsonNode device : truth.get("devices")) {
      String name = device.get("name").asString();
      plan.device(Device.of(name, role(device)));
      for (JsonNode port : device.get("ports")) {
        plan.port(
            new Port(
                new PortId(name, port.get("name").asString()),
                10_000_000_000L,
                0,
                FecMode.UNKNOWN,
                Media.UNKNOWN,
                null,
                role(device) == Role.HOST ? 9000 : 9216,
                true,
                List.of()));
      }
    }
    for (JsonNode wire : truth.get("planned_wires")) {
      plan.link(Link.between(end(wire.get("a")), end(wire.get("b")), Tier.OTHER, null));
    }
    return plan.build();
  }

  private static PortId end(JsonNode end) {
    return new PortId(end.get("device").asString(), end.get("port").asString());
  }

  private static Role role(JsonNode device) {
    return Role.valueOf(device.get("role").asString().toUpperCase(Locale.ROOT));
  }

  /** What was said at one of the polls 1 and 3, by each source apart. */
  List<Sighting> sightings(int poll) throws IOException, WiringFormatException {
    List<Sighting> all = new ArrayList<>();
    for (JsonNode device : truth.get("devices")) {
      String name = device.get("name").asString();
      Role role = role(device);
      String lldp = Files.readString(folder.resolve("lldp/%s.%d.json".formatted(name, poll)));
      all.add(LldpcliReader.read(name, role, lldp).sighting());
      List<SeenPort> ports = new ArrayList<>();
      Map<String, Integer> mtus = mtus(name, role, poll);
      for (JsonNode port : device.get("ports")) {
        String portName = port.get("name").asString();
        ports.add(
            new SeenPort(
                portName,
                10_000_000_000L,
                mtus.getOrDefault(portName, 0),
                true,
                List.of(port.get("mac").asString())));
      }
      all.add(new Sighting(name, role, name, null, List.of(), ports, List.of(), false));
    }
    return all;
  }

  private Map<String, Integer> mtus(String device, Role role, int poll) throws IOException {
    Map<String, Integer> mtus = new HashMap<>();
    if (role == Role.HOST) {
      String page = Files.readString(folder.resolve("exporter/%s.%d.prom".formatted(device, poll)));
      Matcher mtu = HOST_MTU.matcher(page);
      if (mtu.find()) {
        mtus.put("rail0", Integer.valueOf(mtu.group(1)));
      }
      return mtus;
    }
    String agent = Files.readString(folder.resolve("snmp/%s.%d.snmprec".formatted(device, poll)));
    Map<String, String> names = new HashMap<>();
    NAME.matcher(agent).results().forEach(row -> names.put(row.group(1), row.group(2)));
    MTU.matcher(agent)
        .results()
        .forEach(row -> mtus.put(names.get(row.group(1)), Integer.valueOf(row.group(2))));
    return mtus;
  }
}
