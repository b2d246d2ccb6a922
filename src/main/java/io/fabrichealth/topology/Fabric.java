package io.fabrichealth.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An immutable snapshot of the fabric: what should be, or what was last known to be. */
public final class Fabric {
  /** A fabric of which nothing is known yet. */
  public static final Fabric EMPTY = new Builder().build();

  private final Map<String, Device> devices;
  private final Map<PortId, Port> ports;
  private final Map<String, Link> links;
  private final Map<PortId, Link> linkByPort;
  private final Map<String, List<Link>> linksByDevice;
  private final Seen seen;
  private volatile @Nullable Names names;

  private Fabric(Builder builder) {
    devices = Collections.unmodifiableMap(builder.devices);
    ports = Collections.unmodifiableMap(builder.ports);
    links = Collections.unmodifiableMap(builder.links);
    seen = builder.seen;
    names = builder.names;
    linkByPort = HashMap.newHashMap(ports.size());
    Map<String, List<Link>> byDevice = new HashMap<>();
    for (Link link : links.values()) {
      for (PortId end : link.ends()) {
        linkByPort.put(end, link);
        byDevice.computeIfAbsent(end.device(), name -> new ArrayList<>()).add(link);
      }
    }
    byDevice.replaceAll((name, all) -> Collections.unmodifiableList(all));
    linksByDevice = byDevice;
  }

  public Collection<Device> devices() {
    return devices.values();
  }

  public Collection<Port> ports() {
    return ports.values();
  }

  /** Links and half-links in the order of their ids. */
  public Collection<Link> links() {
    return links.values();
  }

  public @Nullable Device device(String name) {
    return devices.get(name);
  }

  public @Nullable Port port(PortId id) {
    return ports.get(id);
  }

  public @Nullable Link link(String id) {
    return links.get(id);
  }

  /** The link that ends at the port; null where the port is not part of any. */
  public @Nullable Link linkAt(PortId port) {
    return linkByPort.get(port);
  }

  public List<Link> linksOf(String device) {
    return linksByDevice.getOrDefault(device, List.of());
  }

  /** What the devices say, apart from plan and memory. */
  public Seen seen() {
    return seen;
  }

  /** What devices and ports are called. */
  public Names names() {
    Names known = names;
    if (known == null) {
      // Several threads may make them at once; they make the same.
      known = names(this);
      names = known;
    }
    return known;
  }

  private static Names names(Fabric fabric) {
    Names.Builder builder = new Names.Builder(fabric.ports);
    fabric.devices.keySet().forEach(builder::device);
    fabric.ports.keySet().forEach(builder::port);
    for (Port port : fabric.ports()) {
      port.aliases().forEach(alias -> builder.alias(alias, port.id()));
    }
    return builder.build();
  }

  /** The same without these links, however their ends are written; their ports stay. */
  public Fabric without(Collection<Link> gone) {
    if (gone.isEmpty()) {
      return this;
    }
    Set<PortId> ends = new HashSet<>();
    for (Link link : gone) {
      Link known = linkAt(names().canonical(link.a()));
      PortId b = link.b();
      if (known != null
          && b != null
          && names().canonical(b).equals(known.peerOf(names().canonical(link.a())))) {
        ends.addAll(known.ends());
      }
    }
    Builder rest = new Builder();
    rest.devices.putAll(devices);
    rest.ports.putAll(ports);
    links.values().stream().filter(link -> !ends.contains(link.a())).forEach(rest::link);
    return rest.seen(seen).names(names()).build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * Collects a fabric; a later device, port or link of the same id replaces the earlier one. Gives
   * what it collected away: one builder builds one fabric.
   */
  public static final class Builder {
    private final Map<String, Device> devices;
    private final Map<PortId, Port> ports;
    private final Map<String, Link> links = new TreeMap<>();
    private Seen seen = Seen.NOTHING;
    private @Nullable Names names;

    private Builder() {
      this(new LinkedHashMap<>(), new LinkedHashMap<>());
    }

    /** Goes on with these maps, which the caller must not change any more. */
    Builder(Map<String, Device> devices, Map<PortId, Port> ports) {
      this.devices = devices;
      this.ports = ports;
    }

    public Builder device(Device device) {
      devices.put(device.name(), device);
      return this;
    }

    public Builder port(Port port) {
      ports.put(port.id(), port);
      return this;
    }

    /** Adds the link, and its ends as bare ports where they are not yet known. */
    public Builder link(Link link) {
      links.put(link.id(), link);
      for (PortId end : link.ends()) {
        ports.computeIfAbsent(end, Port::of);
      }
      return this;
    }

    Builder seen(Seen what) {
      seen = what;
      return this;
    }

    Builder names(Names known) {
      names = known;
      return this;
    }

    public Fabric build() {
      return new Fabric(this);
    }
  }
}
