package io.fabrichealth.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes one sighting of all that is said of a device: its own exporter, its SNMP agent and a tool
 * that walks the subnet may each know the same port by another name. An earlier sighting outweighs
 * a later one; nothing known is replaced by something unknown.
 */
final class SightingMerge {
  private final Fabric plan;
  private final Fabric known;

  private SightingMerge(Fabric plan, Fabric known) {
    this.plan = plan;
    this.known = known;
  }

  /** One sighting a device, its ports under their canonical names. */
  static Map<String, Sighting> merge(Fabric plan, Fabric known, Collection<Sighting> sightings) {
    SightingMerge merge = new SightingMerge(plan, known);
    Map<String, List<Sighting>> byDevice = new LinkedHashMap<>();
    for (Sighting sighting : sightings) {
      byDevice.computeIfAbsent(sighting.device(), name -> new ArrayList<>(1)).add(sighting);
    }
    Map<String, Sighting> merged = LinkedHashMap.newLinkedHashMap(byDevice.size());
    byDevice.forEach((device, all) -> merged.put(device, merge.merge(device, all)));
    return merged;
  }

  private Sighting merge(String device, List<Sighting> all) {
    Sighting first = all.getFirst();
    List<SeenPort> ports =
        withKnownNames(device, all.size() == 1 ? first.ports() : new PortMerge(all).ports());
    if (all.size() == 1 && ports.equals(first.ports())) {
      return first;
    }
    Role role = first.role();
    String systemName = first.systemName();
    String vendor = first.vendor();
    Set<String> chassisIds = new LinkedHashSet<>();
    Set<Neighbour> neighbours = new LinkedHashSet<>();
    boolean neighboursRead = false;
    for (Sighting sighting : all) {
      role = role == Role.SWITCH ? sighting.role() : role;
      systemName = systemName == null ? sighting.systemName() : systemName;
      vendor = vendor == null ? sighting.vendor() : vendor;
      chassisIds.addAll(sighting.chassisIds());
      neighbours.addAll(sighting.neighbours());
      neighboursRead |= sighting.neighboursRead();
    }
    return new Sighting(
        device,
        role,
        systemName,
        vendor,
        List.copyOf(chassisIds),
        ports,
        List.copyOf(neighbours),
        neighboursRead);
  }

  /**
   * A device that calls its ports by other names than before keeps them, and their history, as far
   * as a MAC or GUID tells which is which; unless it gives the old name as an alias, or the plan
   * has the new one.
   */
  private List<SeenPort> withKnownNames(String device, List<SeenPort> ports) {
    List<PortId> before = known.names().portsOf(device);
    if (before.isEmpty() || ports.isEmpty()) {
      return ports;
    }
    Set<String> told = HashSet.newHashSet(ports.size());
    ports.forEach(port -> told.add(port.name()));
    List<Port> gone = new ArrayList<>();
    for (PortId id : before) {
      Port port = told.contains(id.port()) ? null : known.port(id);
      if (port != null && !port.aliases().isEmpty()) {
        gone.add(port);
      }
    }
    if (gone.isEmpty()) {
      return ports;
    }
    Map<String, String> byId = new HashMap<>();
    gone.forEach(port -> port.aliases().forEach(a -> putId(byId, a, port.id().port())));
    Map<String, String> newById = new HashMap<>();
    ports.forEach(port -> port.aliases().forEach(a -> putId(newById, a, port.name())));
    Set<String> taken = new HashSet<>(told);
    List<SeenPort> named = new ArrayList<>(ports.size());
    for (SeenPort port : ports) {
      String old = oldName(device, port, byId, newById);
      named.add(old == null || !taken.add(old) ? port : port.named(old));
    }
    return named;
  }

  private @Nullable String oldName(
      String device, SeenPort port, Map<String, String> byId, Map<String, String> newById) {
    if (plan.port(new PortId(device, port.name())) != null) {
      return null;
    }
    for (String alias : port.aliases()) {
      String id = GlobalId.of(alias);
      String old = id == null || !port.name().equals(newById.get(id)) ? null : byId.get(id);
      if (old != null && !old.isEmpty() && !port.aliases().contains(old)) {
        return old;
      }
    }
    return null;
  }

  /** An id that two ports have leads to an empty name. */
  private static void putId(Map<String, String> names, String alias, String name) {
    String id = GlobalId.of(alias);
    if (id != null) {
      names.merge(id, name, (one, other) -> one.equals(other) ? one : "");
    }
  }

  /** The ports of one device, as several tell them. */
  private static final class PortMerge {
    private final Map<String, SeenPort> ports = new LinkedHashMap<>();

    /** All names under which each of the sources tells a port of its own. */
    private final Set<String> exact = new HashSet<>();

    private PortMerge(List<Sighting> all) {
      for (Sighting sighting : all) {
        Map<String, String> byAlias = new HashMap<>();
        ports.values().forEach(port -> index(byAlias, port));
        Map<String, String> own = new HashMap<>();
        sighting.ports().forEach(port -> index(own, port));
        sighting.ports().forEach(port -> add(port, byAlias, own));
        sighting.ports().forEach(port -> exact.add(port.name()));
      }
    }

    private static void index(Map<String, String> byAlias, SeenPort port) {
      for (String alias : port.aliases()) {
        byAlias.merge(Names.fold(alias), port.name(), (one, other) -> one.equals(other) ? one : "");
      }
    }

    private void add(SeenPort port, Map<String, String> byAlias, Map<String, String> own) {
      SeenPort same = ports.get(port.name());
      if (same != null) {
        ports.put(port.name(), same.and(port));
        return;
      }
      String other = exact.contains(port.name()) ? null : otherName(port, byAlias, own);
      SeenPort known = other == null ? null : ports.get(other);
      if (known == null) {
        ports.put(port.name(), port);
      } else if (port.aliases().contains(known.name()) && !known.aliases().contains(port.name())) {
        // This source knows both names, so it knows which one is the port's.
        ports.remove(known.name());
        ports.put(port.name(), port.and(known));
      } else {
        ports.put(known.name(), known.and(port));
      }
    }

    /** Under which name another source tells the same port; null where none does for sure. */
    private @Nullable String otherName(
        SeenPort port, Map<String, String> byAlias, Map<String, String> own) {
      String found = byAlias.get(Names.fold(port.name()));
      for (String alias : port.aliases()) {
        if (found != null) {
          break;
        }
        boolean isOwn = port.name().equals(own.get(Names.fold(alias)));
        boolean namesPort = isOwn && exact.contains(alias) && ports.containsKey(alias);
        boolean isId = isOwn && GlobalId.of(alias) != null;
        found = namesPort ? alias : isId ? byAlias.get(Names.fold(alias)) : null;
      }
      return found == null || found.isEmpty() ? null : found;
    }

    List<SeenPort> ports() {
      return List.copyOf(ports.values());
    }
  }
}
