package io.fabrichealth.collect.gnmi;

import io.fabrichealth.collect.MacAddress;
import io.fabrichealth.collect.gnmi.PortJoin.Parts;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Neighbour.PortIdKind;
import io.fabrichealth.topology.SeenPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What the device says of its ports and of their other ends. */
final class Sightings {
  private static final int LARGEST_MTU = 1 << 20;

  private Sightings() {}

  /**
   * A port.
   *
   * @param gauge the value of a signal of the port by its id; NaN where there is none
   */
  static SeenPort port(String name, Parts parts, Lanes lanes, ToDoubleFunction<String> gauge) {
    double speed = gauge.applyAsDouble("port.speed_bits_per_second");
    double mtu = gauge.applyAsDouble("port.mtu_bytes");
    String lanesText = parts.fact(FactKind.LANES);
    int width = lanesText == null ? lanes.count() : lanesText.split(",").length;
    String fec = parts.fact(FactKind.FEC);
    Row module = lanes.module();
    return new SeenPort(
        name,
        number(parts.fact(FactKind.IF_INDEX)),
        speed > 0 ? (long) speed : 0,
        width,
        fec == null ? FecMode.UNKNOWN : FecTexts.mode(fec, speed, width),
        module == null ? Media.UNKNOWN : media(module.facts().get(FactKind.CONNECTOR, "")),
        module == null ? null : emptyToNull(module.facts().get(FactKind.PART_NUMBER)),
        mtu > 0 && mtu < LARGEST_MTU ? (int) mtu : 0,
        gauge.applyAsDouble("port.admin_up") != 0,
        aliases(name, parts));
  }

  private static List<String> aliases(String name, Parts parts) {
    List<String> aliases = new ArrayList<>();
    for (Row row : parts.rows()) {
      add(aliases, name, row.facts().get(FactKind.ALIAS));
      add(aliases, name, MacAddress.of(row.facts().get(FactKind.MAC)));
      add(aliases, name, row.name());
    }
    return aliases;
  }

  private static void add(List<String> aliases, String name, @Nullable String alias) {
    if (alias != null && !alias.isEmpty() && !alias.equals(name) && !aliases.contains(alias)) {
      aliases.add(alias);
    }
  }

  private static long number(@Nullable String text) {
    return text != null && text.matches("\\d{1,10}") ? Long.parseLong(text) : 0;
  }

  /** Identities of openconfig-transport-types (FIBER_CONNECTOR_TYPE). */
  private static Media media(String connector) {
    return switch (connector.substring(connector.lastIndexOf(':') + 1)) {
      case "AOC_CONNECTOR" -> Media.AOC;
      case "DAC_CONNECTOR" -> Media.DAC;
      case "LC_CONNECTOR", "MPO_CONNECTOR", "SC_CONNECTOR" -> Media.OPTICAL;
      default -> Media.UNKNOWN;
    };
  }

  static List<Neighbour> neighbours(String port, Parts parts) {
    List<Neighbour> neighbours = new ArrayList<>();
    for (Row row : parts.rows()) {
      for (Facts facts : row.neighbours().values()) {
        String chassis = facts.get(FactKind.CHASSIS_ID, "");
        String system = facts.get(FactKind.SYSTEM_NAME, "");
        String portId = facts.get(FactKind.PORT_ID, "");
        String description = facts.get(FactKind.PORT_DESCRIPTION, "");
        if (chassis.isEmpty() && system.isEmpty()) {
          continue;
        }
        PortIdKind kind = kind(facts.get(FactKind.PORT_ID_TYPE, ""));
        neighbours.add(
            new Neighbour(
                port,
                emptyToNull(system),
                address(chassis),
                portId.isEmpty()
                    ? (description.isEmpty() ? "unknown" : description)
                    : address(portId),
                kind,
                emptyToNull(description)));
      }
    }
    return neighbours;
  }

  private static String address(String text) {
    String mac = MacAddress.of(text);
    return mac == null ? text : mac;
  }

  /** Names of openconfig-lldp-types, or the numbers of IEEE 802.1AB that SONiC gives. */
  private static PortIdKind kind(String type) {
    return switch (type.substring(type.lastIndexOf(':') + 1).toUpperCase(Locale.ROOT)) {
      case "INTERFACE_NAME", "5" -> PortIdKind.INTERFACE_NAME;
      case "INTERFACE_ALIAS", "1" -> PortIdKind.INTERFACE_ALIAS;
      case "MAC_ADDRESS", "3" -> PortIdKind.MAC;
      case "LOCAL", "7" -> PortIdKind.LOCAL;
      default -> PortIdKind.OTHER;
    };
  }

  static @Nullable String emptyToNull(@Nullable String text) {
    return text == null || text.isEmpty() ? null : text;
  }
}
