package io.fabrichealth.collect.wiring;

import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Neighbour.PortIdKind;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads what {@code lldpcli -f json show neighbors} prints, and {@code -f json0}. The first prints
 * an object where there is one interface and an array where there are several, and leaves the level
 * of the neighbour's name out where it has none; the second always prints arrays.
 *
 * <p>Source: lldpcli(8); output of lldpd 1.0.16.
 */
public final class LldpcliReader {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Refusals refusals = new Refusals();
  private final List<Neighbour> neighbours = new ArrayList<>();

  private LldpcliReader() {}

  /**
   * What was read.
   *
   * @param sighting of the device on which lldpcli ran, with the ports that have neighbours
   */
  public record Read(Sighting sighting, List<ImportedWiring.Refused> refused) {
    public Read {
      refused = List.copyOf(refused);
    }
  }

  /**
   * @param device on which lldpcli ran; the output does not say it
   * @throws WiringFormatException where the document is not of this form
   */
  public static Read read(String device, Role role, String document) throws WiringFormatException {
    return new LldpcliReader().readAll(device, role, document);
  }

  private Read readAll(String device, Role role, String document) throws WiringFormatException {
    JsonNode root;
    try {
      root = JSON.readTree(document);
    } catch (JacksonException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw new WiringFormatException(Math.max(line, 0), "not well-formed JSON");
    }
    JsonNode lldp = root.get("lldp");
    if (lldp == null || !(lldp.isObject() || lldp.isArray() || lldp.isNull())) {
      throw new WiringFormatException(0, "no object 'lldp': not the output of lldpcli -f json");
    }
    for (JsonNode part : each(lldp)) {
      JsonNode interfaces = part.get("interface");
      if (interfaces != null) {
        each(interfaces).forEach(this::readInterfaces);
      }
    }
    Map<String, SeenPort> ports = new LinkedHashMap<>();
    for (Neighbour neighbour : neighbours) {
      String port = neighbour.localPort();
      ports.putIfAbsent(port, new SeenPort(port, 0, 0, true, List.of()));
    }
    return new Read(
        new Sighting(
            device,
            role,
            null,
            null,
            List.of(),
            List.copyOf(ports.values()),
            neighbours,
            refusals.list().isEmpty()),
        refusals.list());
  }

  private static Iterable<JsonNode> each(JsonNode node) {
    return node.isArray() ? node : List.of(node);
  }

  /** Either {@code {"eth0": {...}, ...}} or, as json0 has it, {@code {"name": "eth0", ...}}. */
  private void readInterfaces(JsonNode node) {
    JsonNode name = node.get("name");
    if (name != null && name.isString()) {
      add(name.asString(), node);
    } else if (node.isObject()) {
      node.properties()
          .forEach(named -> each(named.getValue()).forEach(one -> add(named.getKey(), one)));
    } else {
      refusals.add(0, "interface", "not an object");
    }
  }

  private void add(String local, JsonNode told) {
    JsonNode chassis = only(told.get("chassis"));
    JsonNode port = only(told.get("port"));
    if (local.isBlank() || chassis == null || port == null) {
      refusals.add(0, "interface." + local, "has no neighbour with chassis and port");
      return;
    }
    String systemName = text(chassis.get("name"));
    JsonNode chassisId = only(chassis.get("id"));
    if (chassisId == null || text(chassisId) == null) {
      // One level deeper, under the neighbour's name.
      if (chassis.size() != 1) {
        refusals.add(0, local + ".chassis", "has no id");
        return;
      }
      Map.Entry<String, JsonNode> named = chassis.properties().iterator().next();
      systemName = named.getKey();
      JsonNode below = only(named.getValue());
      chassisId = below == null ? null : only(below.get("id"));
    }
    JsonNode portId = only(port.get("id"));
    String portText = text(portId);
    if (portId == null || portText == null) {
      refusals.add(0, local + ".port", "has no id");
      return;
    }
    String chassisText = text(chassisId);
    if (chassisText == null && (systemName == null || systemName.isBlank())) {
      refusals.add(0, local + ".chassis", "has neither name nor id");
      return;
    }
    PortIdKind kind = kind(text(portId.get("type")));
    neighbours.add(
        new Neighbour(
            local,
            systemName == null || systemName.isBlank() ? null : systemName,
            chassisText == null ? "" : lowerIfMac(chassisText, type(chassisId)),
            lowerIfMac(portText, type(portId)),
            kind,
            text(port.get("descr"))));
  }

  private static @Nullable JsonNode only(@Nullable JsonNode node) {
    if (node == null || node.isNull()) {
      return null;
    }
    return node.isArray() ? (node.isEmpty() ? null : only(node.get(0))) : node;
  }

  /** A text, or the {@code value} of an object or of a list of one. */
  private static @Nullable String text(@Nullable JsonNode node) {
    JsonNode one = only(node);
    if (one != null && one.isObject()) {
      one = only(one.get("value"));
    }
    if (one == null || !one.isValueNode()) {
      return null;
    }
    String text = one.asString().strip();
    return text.isEmpty() ? null : text;
  }

  private static String type(@Nullable JsonNode id) {
    String type = id == null ? null : text(id.get("type"));
    return type == null ? "" : type;
  }

  private static String lowerIfMac(String id, String type) {
    return type.equals("mac") ? id.toLowerCase(Locale.ROOT) : id;
  }

  private static PortIdKind kind(@Nullable String type) {
    return switch (type == null ? "" : type) {
      case "ifname" -> PortIdKind.INTERFACE_NAME;
      case "ifalias" -> PortIdKind.INTERFACE_ALIAS;
      case "mac" -> PortIdKind.MAC;
      case "local" -> PortIdKind.LOCAL;
      default -> PortIdKind.OTHER;
    };
  }
}
