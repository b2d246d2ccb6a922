package io.fabrichealth.topology;

import io.fabrichealth.topology.Neighbour.PortIdKind;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Joins the plan, what was known, and what the devices say of themselves and their neighbours to
 * one fabric.
 *
 * <p>The plan's links stand, whatever is seen. Elsewhere a neighbour makes a link, and a link that
 * was known stays until one of its ends is seen at another port: a cable does not leave the
 * inventory because it is down. A port of which no peer is known is a half-link.
 */
public final class Wiring {
  private final Map<String, Device> devices = new LinkedHashMap<>();
  private final Map<PortId, Port> ports = new LinkedHashMap<>();
  private final Map<PortId, Link> links = new LinkedHashMap<>();
  private final Map<String, String> deviceByName = new HashMap<>();
  private final Map<PortId, PortId> portByAlias = new HashMap<>();

  private Wiring() {}

  /**
   * @param plan what should be; {@link Fabric#EMPTY} where there is no plan
   * @param known the result of the last time; {@link Fabric#EMPTY} at first
   * @param sightings the newest of each device
   */
  public static Fabric join(Fabric plan, Fabric known, Collection<Sighting> sightings) {
    Wiring wiring = new Wiring();
    wiring.addDevices(plan, known, sightings);
    wiring.addPorts(plan, known, sightings);
    plan.links().forEach(wiring::addPlanned);
    // Claims that both ends make outweigh those of one end, so they come first.
    Map<PortId, PortId> claims = wiring.claims(sightings);
    claims.forEach(
        (from, to) -> {
          if (from.equals(claims.get(to))) {
            wiring.addUnlessTaken(from, to);
          }
        });
    claims.forEach(
        (from, to) -> {
          if (!claims.containsKey(to)) {
            wiring.addUnlessTaken(from, to);
          }
        });
    for (Link link : known.links()) {
      PortId b = link.b();
      if (b != null) {
        wiring.addUnlessTaken(link.a(), b);
      }
    }
    return wiring.build();
  }

  private void addDevices(Fabric plan, Fabric known, Collection<Sighting> sightings) {
    known.devices().forEach(device -> devices.put(device.name(), device));
    for (Sighting sighting : sightings) {
      Device before = devices.get(sighting.device());
      devices.put(
          sighting.device(),
          new Device(
              sighting.device(),
              sighting.role(),
              sighting.vendor(),
              before == null ? null : before.model(),
              before == null ? null : before.rail(),
              before == null ? null : before.plane(),
              before == null ? Map.of() : before.counterBits()));
    }
    plan.devices().forEach(this::addPlanned);
    devices.keySet().forEach(name -> deviceByName.put(fold(name), name));
    for (Sighting sighting : sightings) {
      String systemName = sighting.systemName();
      if (systemName != null && !systemName.isBlank()) {
        deviceByName.putIfAbsent(fold(systemName), sighting.device());
        deviceByName.putIfAbsent(fold(hostPart(systemName)), sighting.device());
      }
      sighting.chassisIds().forEach(id -> deviceByName.putIfAbsent(fold(id), sighting.device()));
    }
  }

  /** A plan that does not say what a device is leaves it what it is known to be. */
  private void addPlanned(Device planned) {
    Device known = devices.get(planned.name());
    devices.put(
        planned.name(),
        known == null || planned.role() != Role.SWITCH
            ? planned
            : new Device(
                planned.name(),
                known.role(),
                planned.vendor(),
                planned.model(),
                planned.rail(),
                planned.plane(),
                planned.counterBits()));
  }

  private void addPorts(Fabric plan, Fabric known, Collection<Sighting> sightings) {
    known.ports().forEach(port -> ports.put(port.id(), port));
    plan.ports().forEach(port -> ports.put(port.id(), port));
    for (Sighting sighting : sightings) {
      for (SeenPort seen : sighting.ports()) {
        PortId id = new PortId(sighting.device(), seen.name());
        Port before = ports.getOrDefault(id, Port.of(id));
        Port planned = plan.port(id);
        boolean isPlanned = planned != null;
        ports.put(
            id,
            new Port(
                id,
                isPlanned && before.speedBitsPerSecond() > 0
                    ? before.speedBitsPerSecond()
                    : seen.speedBitsPerSecond() > 0
                        ? seen.speedBitsPerSecond()
                        : before.speedBitsPerSecond(),
                before.lanes(),
                before.fec(),
                before.media(),
                before.partNumber(),
                isPlanned && before.mtu() > 0 ? before.mtu() : seen.mtu(),
                seen.adminUp() && (planned == null || planned.adminUp()),
                seen.aliases()));
      }
    }
    ports.keySet().forEach(id -> portByAlias.put(folded(id), id));
    for (Port port : ports.values()) {
      for (String alias : port.aliases()) {
        portByAlias.putIfAbsent(folded(new PortId(port.id().device(), alias)), port.id());
      }
    }
  }

  /** Which port says that which other is at its end. */
  private Map<PortId, PortId> claims(Collection<Sighting> sightings) {
    Map<PortId, PortId> claims = new LinkedHashMap<>();
    for (Sighting sighting : sightings) {
      for (Neighbour neighbour : sighting.neighbours()) {
        PortId local = new PortId(sighting.device(), neighbour.localPort());
        PortId remote = resolve(neighbour);
        // A hub shows several neighbours at one port; the first is as good as any.
        if (ports.containsKey(local) && !remote.equals(local)) {
          claims.putIfAbsent(local, remote);
        }
      }
    }
    return claims;
  }

  private PortId resolve(Neighbour neighbour) {
    String device = deviceOf(neighbour);
    for (String name : candidates(neighbour)) {
      PortId known = portByAlias.get(folded(new PortId(device, name)));
      if (known != null) {
        return known;
      }
    }
    PortId unknown = new PortId(device, candidates(neighbour).getFirst());
    ports.putIfAbsent(unknown, Port.of(unknown));
    return unknown;
  }

  private String deviceOf(Neighbour neighbour) {
    String systemName = neighbour.systemName();
    String name = systemName == null || systemName.isBlank() ? neighbour.chassisId() : systemName;
    for (String candidate : List.of(name, hostPart(name), neighbour.chassisId())) {
      String known = deviceByName.get(fold(candidate));
      if (known != null) {
        return known;
      }
    }
    // Hosts announce the MAC of the port, switches the interface's name.
    Role role = neighbour.portIdKind() == PortIdKind.MAC ? Role.HOST : Role.SWITCH;
    devices.put(name, Device.of(name, role));
    deviceByName.put(fold(name), name);
    return name;
  }

  /** Under which names the remote port may be known, the best first. */
  private static List<String> candidates(Neighbour neighbour) {
    String description = neighbour.portDescription();
    if (description == null || description.isBlank()) {
      return List.of(neighbour.portId());
    }
    return neighbour.portIdKind() == PortIdKind.INTERFACE_NAME
        ? List.of(neighbour.portId(), description)
        : List.of(description, neighbour.portId());
  }

  private void addUnlessTaken(PortId one, PortId other) {
    if (links.containsKey(one) || links.containsKey(other)) {
      return;
    }
    Role roleOfOne = roleOf(one.device());
    Role roleOfOther = roleOf(other.device());
    add(
        Link.between(
            one, other, Tier.between(roleOfOne, roleOfOther), rail(one.device(), other.device())));
  }

  private void addPlanned(Link link) {
    PortId b = link.b();
    if (b != null) {
      boolean isVague = link.tier() == Tier.OTHER;
      Tier tier =
          isVague ? Tier.between(roleOf(link.a().device()), roleOf(b.device())) : link.tier();
      add(new Link(link.a(), b, tier, link.rail()));
    }
  }

  private void add(Link link) {
    link.ends().forEach(end -> links.put(end, link));
    link.ends().forEach(end -> ports.putIfAbsent(end, Port.of(end)));
  }

  private Role roleOf(String device) {
    Device known = devices.get(device);
    return known == null ? Role.SWITCH : known.role();
  }

  /** The rail is the leaf's: the name of an HCA says nothing of it. */
  private @Nullable Integer rail(String one, String other) {
    for (String name : List.of(one, other)) {
      Device device = devices.get(name);
      if (device != null && device.role() == Role.LEAF && device.rail() != null) {
        return device.rail();
      }
    }
    return null;
  }

  private Fabric build() {
    Fabric.Builder fabric = Fabric.builder();
    devices.values().forEach(fabric::device);
    for (Port port : ports.values()) {
      fabric.port(port);
      Link link = links.get(port.id());
      fabric.link(link == null ? Link.half(port.id(), null) : link);
    }
    return fabric.build();
  }

  private static PortId folded(PortId id) {
    return new PortId(id.device(), fold(id.port()));
  }

  private static String fold(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private static String hostPart(String systemName) {
    int dot = systemName.indexOf('.');
    return dot > 0 ? systemName.substring(0, dot) : systemName;
  }
}
