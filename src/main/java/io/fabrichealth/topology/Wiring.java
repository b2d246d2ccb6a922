package io.fabrichealth.topology;

import io.fabrichealth.topology.Seen.SeenDevice;
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
 * Joins the plan, what was known, and what the devices say of themselves and their neighbours to
 * one fabric.
 *
 * <p>The plan's links stand, whatever is seen. Elsewhere a neighbour makes a link, and a link that
 * was known stays until one of its ends is seen at another port: a cable does not leave the
 * inventory because it is down. A port of which no peer is known is a half-link; it goes when its
 * device is read and does not tell of it any more.
 */
public final class Wiring {
  private final Fabric plan;
  private final Fabric known;
  private final Map<String, Sighting> sightings;
  private final Map<String, Device> devices = new LinkedHashMap<>();
  private final Map<PortId, Port> ports = new LinkedHashMap<>();
  private final Map<PortId, SeenPort> seen = new HashMap<>();
  private final Map<String, Device> plannedDevices = new HashMap<>();
  private final Set<PortId> planned = new HashSet<>();
  private final List<Link> plannedLinks = new ArrayList<>();
  private final Names.Builder namesBuilder = new Names.Builder(ports);
  private final Names names = namesBuilder.build();

  private Wiring(Fabric plan, Fabric known, Map<String, Sighting> sightings) {
    this.plan = plan;
    this.known = known;
    this.sightings = sightings;
  }

  /**
   * @param plan what should be; {@link Fabric#EMPTY} where there is no plan
   * @param known the result of the last time; {@link Fabric#EMPTY} at first
   * @param sightings the newest of each device and source; those named first outweigh the others
   */
  public static Fabric join(Fabric plan, Fabric known, Collection<Sighting> sightings) {
    return new Wiring(plan, known, SightingMerge.merge(plan, known, sightings)).fabric();
  }

  private Fabric fabric() {
    addDevices();
    addSeenPorts();
    addPlan();
    addKnown();
    Map<PortId, PortId> planPeers = new HashMap<>();
    for (Link link : plannedLinks) {
      PortId b = link.b();
      // A plan may know one port under two names.
      if (b != null && !b.equals(link.a())) {
        join(planPeers, link.a(), b);
      }
    }
    Neighbourhood neighbourhood =
        new Neighbourhood(names, namesBuilder, devices, ports, seen.keySet());
    Claims claims = new Claims(namesBuilder, planPeers, known, seen.size());
    Set<String> announcing = new HashSet<>(known.seen().announcing());
    for (Sighting sighting : sightings.values()) {
      // Where nobody announces anything, reading that to the end is no evidence.
      if (sighting.neighboursRead() && !sighting.neighbours().isEmpty()) {
        announcing.add(sighting.device());
      }
      for (Neighbour neighbour : sighting.neighbours()) {
        PortId local = names.port(sighting.device(), neighbour.localPort());
        PortId remote = local == null ? null : neighbourhood.find(neighbour);
        if (local != null && remote != null && !remote.equals(local)) {
          claims.add(local, remote);
          announcing.add(remote.device());
        }
      }
    }
    Map<PortId, PortId> peers = claims.peers();
    Layout layout = new Layout(devices, plannedDevices, known, cables(planPeers, peers));
    forgetPorts(layout);
    return layout
        .fabric(ports, plannedLinks)
        .seen(new Seen(seenDevices(), seen, peers, announcing))
        .names(namesBuilder.build())
        .build();
  }

  /** Plan, then what is seen, then what was known: pairs of ports, each port once. */
  private Map<PortId, PortId> cables(Map<PortId, PortId> planPeers, Map<PortId, PortId> peers) {
    Map<PortId, PortId> cables = LinkedHashMap.newLinkedHashMap(ports.size());
    cables.putAll(planPeers);
    peers.forEach((one, other) -> join(cables, one, other));
    for (Link link : known.links()) {
      PortId b = link.b();
      if (b != null && !cables.containsKey(link.a())) {
        PortId one = names.canonical(link.a());
        PortId other = names.canonical(b);
        if (!one.equals(other) && ports.containsKey(one) && ports.containsKey(other)) {
          join(cables, one, other);
        }
      }
    }
    return cables;
  }

  private static void join(Map<PortId, PortId> cables, PortId one, PortId other) {
    if (!cables.containsKey(one) && !cables.containsKey(other)) {
      cables.put(one, other);
      cables.put(other, one);
    }
  }

  // --- devices

  private void addDevices() {
    for (Sighting sighting : sightings.values()) {
      namesBuilder.device(sighting.device());
    }
    for (Sighting sighting : sightings.values()) {
      String systemName = sighting.systemName();
      if (systemName != null) {
        namesBuilder.deviceAlias(systemName, sighting.device());
        namesBuilder.deviceAlias(Names.hostPart(systemName), sighting.device());
      }
      sighting.chassisIds().forEach(id -> namesBuilder.deviceAlias(id, sighting.device()));
    }
    for (Sighting sighting : sightings.values()) {
      Device before = known.device(sighting.device());
      String vendor = sighting.vendor();
      devices.put(
          sighting.device(),
          new Device(
              sighting.device(),
              sighting.role(),
              vendor == null && before != null ? before.vendor() : vendor,
              before == null ? null : before.model(),
              before == null ? null : before.rail(),
              before == null ? null : before.plane(),
              before == null ? Map.of() : before.counterBits(),
              before == null ? List.of() : before.fecBins()));
    }
    plan.devices().forEach(this::addPlanned);
    for (Device device : known.devices()) {
      if (names.device(device.name()) == null) {
        namesBuilder.device(device.name());
        devices.put(device.name(), device);
      }
    }
  }

  /** A plan that does not say what a device is leaves it what it is known to be. */
  private void addPlanned(Device plan) {
    String canonical = names.device(plan.name());
    String name = canonical == null ? plan.name() : canonical;
    Device before = devices.containsKey(name) ? devices.get(name) : known.device(name);
    namesBuilder.device(name);
    plannedDevices.put(name, plan);
    devices.put(
        name,
        new Device(
            name,
            before == null || plan.role() != Role.SWITCH ? plan.role() : before.role(),
            before == null || plan.vendor() != null ? plan.vendor() : before.vendor(),
            before == null || plan.model() != null ? plan.model() : before.model(),
            before == null || plan.rail() != null ? plan.rail() : before.rail(),
            before == null || plan.plane() != null ? plan.plane() : before.plane(),
            before == null || !plan.counterBits().isEmpty()
                ? plan.counterBits()
                : before.counterBits(),
            before == null || !plan.fecBins().isEmpty() ? plan.fecBins() : before.fecBins()));
  }

  private Map<String, SeenDevice> seenDevices() {
    Map<String, SeenDevice> read = HashMap.newHashMap(sightings.size());
    sightings.forEach(
        (name, sighting) ->
            read.put(
                name,
                new SeenDevice(
                    sighting.systemName(),
                    !sighting.ports().isEmpty(),
                    sighting.neighboursRead())));
    return read;
  }

  // --- ports

  private void addSeenPorts() {
    for (Sighting sighting : sightings.values()) {
      for (SeenPort port : sighting.ports()) {
        PortId named = new PortId(sighting.device(), port.name());
        Port before = known.port(named);
        // The same instance all over: maps find it without comparing names.
        PortId id = before == null ? named : before.id();
        if (seen.put(id, port) == null) {
          namesBuilder.port(id);
        }
        ports.put(id, seenOver(port, before, id));
      }
    }
    seen.forEach(
        (id, port) -> {
          for (String alias : port.aliases()) {
            namesBuilder.alias(alias, id);
          }
        });
  }

  /** What is not said now was said before. */
  private static Port seenOver(SeenPort seen, @Nullable Port known, PortId id) {
    Port before = known == null ? Port.of(id) : known;
    String partNumber = seen.partNumber();
    return new Port(
        id,
        seen.speedBitsPerSecond() > 0 ? seen.speedBitsPerSecond() : before.speedBitsPerSecond(),
        seen.lanes() > 0 ? seen.lanes() : before.lanes(),
        seen.fec() == FecMode.UNKNOWN ? before.fec() : seen.fec(),
        seen.media() == Media.UNKNOWN ? before.media() : seen.media(),
        partNumber == null ? before.partNumber() : partNumber,
        seen.mtu() > 0 ? seen.mtu() : before.mtu(),
        seen.adminUp(),
        seen.aliases());
  }

  private void addPlan() {
    Map<PortId, PortId> canonical = HashMap.newHashMap(plan.ports().size());
    for (Port port : plan.ports()) {
      PortId id = canonical(port);
      canonical.put(port.id(), id);
      if (planned.add(id)) {
        Port before = ports.containsKey(id) ? ports.get(id) : known.port(id);
        Port both = plannedOver(port, before, id);
        put(id, both);
        both.aliases().forEach(alias -> namesBuilder.alias(alias, id));
      }
    }
    for (Link link : plan.links()) {
      PortId a = canonical.getOrDefault(link.a(), link.a());
      PortId b = link.b() == null ? null : canonical.getOrDefault(link.b(), link.b());
      plannedLinks.add(
          b == null
              ? new Link(a, null, link.tier(), link.rail())
              : Link.between(a, b, link.tier(), link.rail()));
    }
  }

  /** A plan may know the name that the device gives the port as an alias of its own. */
  private PortId canonical(Port plan) {
    PortId id = names.canonical(plan.id());
    for (String alias : ports.containsKey(id) ? List.<String>of() : plan.aliases()) {
      PortId known = names.port(id.device(), alias);
      if (known != null) {
        return known;
      }
    }
    return id;
  }

  private static Port plannedOver(Port plan, @Nullable Port known, PortId id) {
    Port before = known == null ? Port.of(id) : known;
    Set<String> aliases = new LinkedHashSet<>(before.aliases());
    aliases.addAll(plan.aliases());
    if (!plan.id().port().equals(id.port())) {
      aliases.add(plan.id().port());
    }
    return new Port(
        id,
        plan.speedBitsPerSecond() > 0 ? plan.speedBitsPerSecond() : before.speedBitsPerSecond(),
        plan.lanes() > 0 ? plan.lanes() : before.lanes(),
        plan.fec() == FecMode.UNKNOWN ? before.fec() : plan.fec(),
        plan.media() == Media.UNKNOWN ? before.media() : plan.media(),
        plan.partNumber() == null ? before.partNumber() : plan.partNumber(),
        plan.mtu() > 0 ? plan.mtu() : before.mtu(),
        plan.adminUp() && before.adminUp(),
        List.copyOf(aliases));
  }

  private void addKnown() {
    for (Port port : known.ports()) {
      PortId id = port.id();
      // One that is an alias now, of its device or of its port, was taken for a port of its own.
      if (!ports.containsKey(id) && names.canonical(id).equals(id)) {
        put(id, port);
        port.aliases().forEach(alias -> namesBuilder.alias(alias, id));
      }
    }
  }

  private void put(PortId id, Port port) {
    if (ports.put(id, port) == null) {
      namesBuilder.port(id);
    }
  }

  /**
   * Half-links that their devices do not tell of any more, and devices of which nothing is left.
   */
  private void forgetPorts(Layout layout) {
    boolean isFirst = known.seen().devices().isEmpty();
    Set<String> alive = new HashSet<>(sightings.keySet());
    alive.addAll(plannedDevices.keySet());
    boolean isAnyLeft = ports.size() > seen.size();
    for (PortId id : isAnyLeft ? List.copyOf(ports.keySet()) : List.<PortId>of()) {
      Sighting sighting = sightings.get(id.device());
      boolean mayGo = sighting == null ? !isFirst : !sighting.ports().isEmpty();
      if (mayGo && !seen.containsKey(id) && !planned.contains(id) && !layout.isWired(id)) {
        ports.remove(id);
        namesBuilder.remove(id);
      } else {
        alive.add(id.device());
      }
    }
    layout.retain(alive);
  }
}
