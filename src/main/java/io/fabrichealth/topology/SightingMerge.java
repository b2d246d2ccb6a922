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
import java.util.function.Predicate;
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
    Map<String, String> owners = new HashMap<>();
    List<SeenPort> named = new ArrayList<>(ports.size());
    for (SeenPort port : ports) {
      String old = oldName(device, port, byId, newById);
      SeenPort now = old == null || !taken.add(old) ? port : port.named(old);
      owners.put(port.name(), now.name());
      named.add(now);
    }
    return withoutNamesOfOthers(named, owners);
  }

  /**
   * What a device calls a port means that port, whatever alias another one has, in whatever case.
   *
   * @param owners canonical names by told names
   */
  private static List<SeenPort> withoutNamesOfOthers(
      Collection<SeenPort> ports, Map<String, String> owners) {
    Map<String, String> inAnyCase = HashMap.newHashMap(owners.size());
    owners.forEach(
        (told, owner) ->
            inAnyCase.merge(Names.fold(told), owner, (one, other) -> one.equals(other) ? one : ""));
    List<SeenPort> all = new ArrayList<>(ports.size());
    for (SeenPort port : ports) {
      Predicate<String> isOwn =
          alias -> {
            String exact = owners.get(alias);
            String owner = exact == null ? inAnyCase.get(Names.fold(alias)) : exact;
            return owner == null || owner.equals(port.name());
          };
      all.add(port.aliases().stream().allMatch(isOwn) ? port : port.with(isOwn));
    }
    return all;
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

    /** Which port it is, by each name under which a source tells a port of its own. */
    private final Map<String, String> owners = new HashMap<>();

    private PortMerge(List<Sighting> all) {
      for (Sighting sighting : all) {
        Map<String, String> byAlias = new HashMap<>();
        ports.values().forEach(port -> index(byAlias, port));
        Map<String, String> own = new HashMap<>();
        sighting.ports().forEach(port -> index(own, port));
        sighting.ports().forEach(port -> add(port, byAlias, own));
      }
    }

    private static void index(Map<String, String> byAlias, SeenPort port) {
      for (String alias : port.aliases()) {
        byAlias.merge(Names.fold(alias), port.name(), (one, other) -> one.equals(other) ? one : "");
      }
    }

    private void add(SeenPort port, Map<String, String> byAlias, Map<String, String> own) {
      String owner = owners.get(port.name());
      String other = owner == null ? otherName(port, byAlias, own) : owner;
      SeenPort known = other == null ? null : ports.get(other);
      String name = port.name();
      if (known == null) {
        ports.put(name, port);
      } else if (owner == null
          && port.aliases().contains(known.name())
          && !known.aliases().contains(name)) {
        // This source knows both names, so it knows which one is the port's.
        ports.remove(known.name());
        ports.put(name, port.and(known));
        owners.replaceAll((told, now) -> now.equals(known.name()) ? port.name() : now);
      } else {
        ports.put(known.name(), known.and(port));
        name = known.name();
      }
      owners.put(port.name(), name);
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
        boolean namesPort = isOwn && ports.containsKey(alias);
        boolean isId = isOwn && GlobalId.of(alias) != null;
        found = namesPort ? alias : isId ? byAlias.get(Names.fold(alias)) : null;
      }
      return found == null || found.isEmpty() ? null : found;
    }

    List<SeenPort> ports() {
      return withoutNamesOfOthers(ports.values(), owners);
    }
  }
}
