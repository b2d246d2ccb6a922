package io.fabrichealth.runtime;

import io.fabrichealth.runtime.SettingsDocument.Fields;
import io.fabrichealth.runtime.SettingsDocument.Items;
import io.fabrichealth.runtime.SettingsDocument.Node;
import io.fabrichealth.runtime.SettingsDocument.Text;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.ErrorBin;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a fabric in YAML or JSON, with the fields of the topology record of a capture: {@code
 * devices}, {@code ports}, {@code links}. All but names may be absent.
 */
public final class TopologyFile {
  private static final Set<String> ROOT = Set.of("type", "at", "devices", "ports", "links");
  private static final Set<String> DEVICE =
      Set.of("name", "role", "vendor", "model", "rail", "plane", "counterBits", "fecBins");
  private static final Pattern ERRORS = Pattern.compile("[0-9]{1,3}");
  private static final Set<String> PORT =
      Set.of(
          "device",
          "name",
          "speedBitsPerSecond",
          "lanes",
          "fec",
          "media",
          "partNumber",
          "mtu",
          "admin",
          "aliases");
  private static final Set<String> LINK = Set.of("a", "b", "tier", "rail");
  private static final Set<String> END = Set.of("device", "port");

  private final TopologyFields fields = new TopologyFields();
  private final Map<String, Device> devices = new LinkedHashMap<>();
  private final Map<String, SettingsPlace> devicePlaces = new HashMap<>();
  private final Map<PortId, SettingsPlace> portPlaces = new HashMap<>();
  private final Map<PortId, SettingsPlace> wired = new HashMap<>();
  private final Fabric.Builder fabric = Fabric.builder();

  private TopologyFile() {}

  /**
   * Reads the plan.
   *
   * @throws SettingsException with all that is wrong with it, each with its line
   */
  public static Fabric read(Path file) {
    return new TopologyFile().fabric(SettingsDocument.read(file));
  }

  /**
   * Reads a plan that someone sent.
   *
   * @param json whether it is JSON, else YAML
   * @throws SettingsException with all that is wrong with it, each with its line in the body
   */
  static Fabric read(byte[] body, boolean json) {
    return new TopologyFile()
        .fabric(
            json ? SettingsDocument.read(body, "body") : SettingsDocument.readYaml(body, "body"));
  }

  private Fabric fabric(Node root) {
    Fields plan = fields.fields(root, ROOT);
    if (plan != null) {
      String type = fields.text(plan, "type");
      if (type != null && !type.equals("topology")) {
        fields.reject(plan.values().get("type"), "'" + type + "' is no plan", "topology");
      }
      for (Fields device : elements(plan, "devices", DEVICE)) {
        addDevice(device);
      }
      for (Fields port : elements(plan, "ports", PORT)) {
        addPort(port);
      }
      for (Fields link : elements(plan, "links", LINK)) {
        addLink(link);
      }
    }
    fields.throwIfAny();
    return fabric.build();
  }

  private List<Fields> elements(Fields plan, String key, Set<String> known) {
    Node list = plan.values().get(key);
    if (list == null) {
      return List.of();
    }
    if (!(list instanceof Items items)) {
      fields.reject(list, "not a list", "a list of objects");
      return List.of();
    }
    List<Fields> elements = new ArrayList<>();
    for (Node item : items.values()) {
      Fields element = fields.fields(item, known);
      if (element != null) {
        elements.add(element);
      }
    }
    return elements;
  }

  private void addDevice(Fields written) {
    String name = fields.required(written, "name");
    Role role = fields.constant(written, "role", EnumSet.allOf(Role.class), Role.SWITCH);
    Device device =
        new Device(
            name,
            role,
            fields.text(written, "vendor"),
            fields.text(written, "model"),
            fields.index(written, "rail"),
            fields.index(written, "plane"),
            counterBits(written),
            fecBins(written));
    if (unique(devicePlaces, name, written, "device '" + name + "'")) {
      devices.put(name, device);
      fabric.device(device);
    }
  }

  private Map<String, Integer> counterBits(Fields written) {
    Node node = written.values().get("counterBits");
    if (node == null) {
      return Map.of();
    }
    if (!(node instanceof Fields widths)) {
      fields.reject(node, "not an object", "{\"port.in_errors\": 32}");
      return Map.of();
    }
    Map<String, Integer> bits = new HashMap<>();
    widths
        .values()
        .keySet()
        .forEach(
            signal -> {
              Long width = fields.number(widths, signal, 1, 64);
              if (width != null) {
                bits.put(signal, width.intValue());
              }
            });
    return bits;
  }

  private List<ErrorBin> fecBins(Fields written) {
    Node node = written.values().get("fecBins");
    if (node == null) {
      return List.of();
    }
    List<ErrorBin> bins = new ArrayList<>();
    boolean whole = node instanceof Items;
    if (node instanceof Items items) {
      for (Node item : items.values()) {
        ErrorBin bin = bin(item);
        whole &= bin != null;
        if (bin != null) {
          bins.add(bin);
        }
      }
    }
    if (!whole) {
      fields.reject(node, "a bin is not the least and the most errors in it", "[[0, 0], [1, 3]]");
    }
    return bins;
  }

  private static @Nullable ErrorBin bin(Node node) {
    if (node instanceof Items items
        && items.values().size() == 2
        && items.values().get(0) instanceof Text least
        && items.values().get(1) instanceof Text most) {
      Integer from = errors(least);
      Integer to = errors(most);
      return from == null || to == null || to < from ? null : new ErrorBin(from, to);
    }
    return null;
  }

  private static @Nullable Integer errors(Text text) {
    String value = text.value();
    return value != null && ERRORS.matcher(value).matches() ? Integer.valueOf(value) : null;
  }

  private void addPort(Fields written) {
    PortId id = portId(written, "device", "name");
    Port port =
        new Port(
            id,
            fields.number(written, "speedBitsPerSecond", 0, Long.MAX_VALUE, 0),
            (int) fields.number(written, "lanes", 0, 64, 0),
            fields.constant(
                written, "fec", EnumSet.complementOf(EnumSet.of(FecMode.UNKNOWN)), FecMode.UNKNOWN),
            fields.constant(
                written, "media", EnumSet.complementOf(EnumSet.of(Media.UNKNOWN)), Media.UNKNOWN),
            fields.text(written, "partNumber"),
            (int) fields.number(written, "mtu", 0, 1 << 20, 0),
            !"down".equals(fields.oneOf(written, "admin", List.of("up", "down"))),
            fields.texts(written, "aliases"));
    if (unique(portPlaces, id, written, "port '" + id + "'")) {
      fabric.port(port);
    }
  }

  private void addLink(Fields written) {
    Node nodeA = written.values().get("a");
    Node nodeB = written.values().get("b");
    if (nodeA == null) {
      fields.reject(written, "'a' is missing", "an end: {\"device\": ..., \"port\": ...}");
      return;
    }
    Integer rail = fields.index(written, "rail");
    PortId a = end(nodeA);
    if (nodeB == null || (nodeB instanceof SettingsDocument.Text text && text.value() == null)) {
      if (a != null) {
        fabric.link(Link.half(a, rail));
      }
      return;
    }
    PortId b = end(nodeB);
    if (a != null && b != null) {
      fabric.link(Link.between(a, b, tier(written, a, b), rail));
    }
  }

  private Tier tier(Fields written, PortId a, PortId b) {
    List<String> labels = Arrays.stream(Tier.values()).map(Tier::label).toList();
    String label = fields.oneOf(written, "tier", labels);
    for (Tier tier : Tier.values()) {
      if (tier.label().equals(label)) {
        return tier;
      }
    }
    Device deviceA = devices.get(a.device());
    Device deviceB = devices.get(b.device());
    return deviceA == null || deviceB == null
        ? Tier.OTHER
        : Tier.between(deviceA.role(), deviceB.role());
  }

  private @Nullable PortId end(Node node) {
    Fields written = fields.fields(node, END);
    if (written == null) {
      return null;
    }
    PortId port = portId(written, "device", "port");
    SettingsPlace before = wired.putIfAbsent(port, written.at());
    if (before != null) {
      fields.reject(
          written, "port '" + port + "' is also an end at " + before.where(), "one link a port");
      return null;
    }
    return port;
  }

  private PortId portId(Fields written, String deviceKey, String portKey) {
    String device = fields.required(written, deviceKey);
    String port = fields.required(written, portKey);
    if (!device.isEmpty() && !devicePlaces.containsKey(device) && !fields.isFull()) {
      fields.reject(
          written.values().get(deviceKey),
          SettingsNames.unknown("device", device, devicePlaces.keySet()),
          "a name that stands under 'devices'");
    }
    return new PortId(device, port);
  }

  private <K> boolean unique(Map<K, SettingsPlace> places, K id, Fields written, String name) {
    SettingsPlace before = places.putIfAbsent(id, written.at());
    if (before != null) {
      fields.reject(
          written, name + " stands here a second time, the first is at " + before.where(), null);
    }
    return before == null;
  }
}
