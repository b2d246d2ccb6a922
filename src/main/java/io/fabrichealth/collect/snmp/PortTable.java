package io.fabrichealth.collect.snmp;

import io.fabrichealth.collect.CollectOutcome.LeftOut;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.SeenPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which row of ifTable is which port. A port's name is its ifName where that is there and no other
 * row has it, otherwise its ifDescr; a name that stands for two rows gets the ifIndex behind it.
 * The name is the key: ifIndex may be another one after the device restarted.
 */
final class PortTable {
  private static final PortTable EMPTY = new PortTable(List.of(), Map.of(), List.of(), List.of());

  private final List<SeenPort> ports;
  private final Map<Integer, String> names;
  private final Set<String> portNames;
  private final List<LeftOut> leftOut;
  private final List<String> ambiguous;
  private final Map<Integer, String> byIfIndex = new HashMap<>();
  private final Map<Integer, String> ifNames = new HashMap<>();
  private final Map<String, String> byAnyName = new HashMap<>();
  private final Map<String, String> byInterfaceName = new HashMap<>();

  private PortTable(
      List<SeenPort> ports,
      Map<Integer, String> names,
      List<LeftOut> leftOut,
      List<String> ambiguous) {
    this.ports = List.copyOf(ports);
    this.names = Map.copyOf(names);
    portNames = Set.copyOf(names.values());
    this.leftOut = List.copyOf(leftOut);
    this.ambiguous = List.copyOf(ambiguous);
  }

  /** A device of which no row is known. */
  static PortTable empty() {
    return EMPTY;
  }

  static PortTable of(List<InterfaceRow> rows, SnmpMapping mapping, String systemDescription) {
    Map<Integer, String> names = names(rows);
    Map<Integer, String> ports = new HashMap<>();
    List<InterfaceRow> kept = new ArrayList<>();
    List<LeftOut> leftOut = new ArrayList<>();
    List<String> ambiguous = new ArrayList<>();
    for (InterfaceRow row : rows) {
      String name = names.getOrDefault(row.ifIndex(), "");
      String rule = mapping.leftOutBy(name, row.type(), systemDescription);
      if (rule != null) {
        leftOut.add(new LeftOut(name, rule));
      } else {
        kept.add(row);
        ports.put(row.ifIndex(), name);
        if (name.endsWith("#" + Integer.toUnsignedString(row.ifIndex()))) {
          ambiguous.add(name);
        }
      }
    }
    Map<String, Integer> uses = new HashMap<>();
    kept.forEach(row -> otherNames(row).forEach(other -> uses.merge(other, 1, Integer::sum)));
    List<SeenPort> seen = new ArrayList<>();
    for (InterfaceRow row : kept) {
      String name = names.getOrDefault(row.ifIndex(), "");
      Set<String> aliases = new LinkedHashSet<>();
      otherNames(row)
          .filter(other -> !other.equals(name) && uses.getOrDefault(other, 0) == 1)
          .forEach(aliases::add);
      seen.add(
          new SeenPort(
              name,
              Integer.toUnsignedLong(row.ifIndex()),
              row.speedBitsPerSecond(),
              0,
              FecMode.UNKNOWN,
              Media.UNKNOWN,
              null,
              row.mtu(),
              row.adminUp(),
              List.copyOf(aliases)));
    }
    PortTable table = new PortTable(seen, ports, leftOut, ambiguous);
    table.indexNames(rows, names);
    return table;
  }

  private void indexNames(List<InterfaceRow> rows, Map<Integer, String> chosen) {
    Set<String> twice = new LinkedHashSet<>();
    for (InterfaceRow row : rows) {
      String name = chosen.getOrDefault(row.ifIndex(), "");
      byIfIndex.put(row.ifIndex(), name);
      ifNames.put(row.ifIndex(), row.name());
      otherNames(row)
          .forEach(
              other -> {
                String before = byAnyName.putIfAbsent(other, name);
                if (before != null && !before.equals(name)) {
                  twice.add(other);
                }
              });
    }
    byAnyName.keySet().removeAll(twice);
    for (InterfaceRow row : rows) {
      for (String name : List.of(row.description(), row.name())) {
        String known = byAnyName.get(name);
        if (known != null && known.equals(chosen.get(row.ifIndex()))) {
          byInterfaceName.put(name, known);
        }
      }
    }
    // A port's own name always counts, whatever another port's alias says.
    for (String name : chosen.values()) {
      byAnyName.put(name, name);
      byInterfaceName.put(name, name);
    }
  }

  private static Map<Integer, String> names(List<InterfaceRow> rows) {
    Map<String, Integer> ifNames = new HashMap<>();
    Map<String, Integer> descriptions = new HashMap<>();
    for (InterfaceRow row : rows) {
      ifNames.merge(row.name(), 1, Integer::sum);
      descriptions.merge(row.description(), 1, Integer::sum);
    }
    Map<Integer, String> names = new HashMap<>();
    Map<String, Integer> uses = new HashMap<>();
    for (InterfaceRow row : rows) {
      boolean nameIsGood = !row.name().isEmpty() && ifNames.getOrDefault(row.name(), 0) == 1;
      boolean descriptionIsGood =
          !row.description().isEmpty() && descriptions.getOrDefault(row.description(), 0) == 1;
      String name =
          nameIsGood || (!descriptionIsGood && !row.name().isEmpty())
              ? row.name()
              : row.description();
      names.put(row.ifIndex(), name);
      uses.merge(name, 1, Integer::sum);
    }
    names.replaceAll(
        (ifIndex, name) ->
            name.isEmpty() || uses.getOrDefault(name, 0) > 1
                ? name + "#" + Integer.toUnsignedString(ifIndex)
                : name);
    return names;
  }

  private static Stream<String> otherNames(InterfaceRow row) {
    return Stream.of(row.name(), row.description(), row.alias(), row.mac() == null ? "" : row.mac())
        .filter(name -> !name.isEmpty())
        .distinct();
  }

  List<SeenPort> ports() {
    return ports;
  }

  List<LeftOut> leftOut() {
    return leftOut;
  }

  /** Ports of which the device does not tell the names apart. */
  List<String> ambiguous() {
    return ambiguous;
  }

  /** The port of the row; null where it is left out or not known. */
  @Nullable String port(int ifIndex) {
    return names.get(ifIndex);
  }

  /** Whether the row is known, as a port or as left out. */
  boolean knows(int ifIndex) {
    return byIfIndex.containsKey(ifIndex);
  }

  /** The name of a row, also of one that is left out; null where it is not known. */
  @Nullable String rowName(int ifIndex) {
    return byIfIndex.get(ifIndex);
  }

  /** Whether the row has another ifName than it had; a row that is not known did not move. */
  boolean hasMoved(int ifIndex, String ifName) {
    String before = ifNames.get(ifIndex);
    return before != null && !before.equals(ifName);
  }

  /** The row known under this name, description, alias or MAC; null where none is, or several. */
  @Nullable String resolve(String anyName) {
    return byAnyName.get(anyName);
  }

  /** All rows, also those left out, by their ifName and ifDescr. */
  Map<String, String> byInterfaceName() {
    return byInterfaceName;
  }

  /** Whether the name is that of a port, not of a row that is left out. */
  boolean isPort(String name) {
    return portNames.contains(name);
  }
}
