package io.fabrichealth.topology;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  private Fabric(Builder builder) {
    devices = Collections.unmodifiableMap(new LinkedHashMap<>(builder.devices));
    ports = Collections.unmodifiableMap(new LinkedHashMap<>(builder.ports));
    links = Collections.unmodifiableMap(new TreeMap<>(builder.links));
    Map<PortId, Link> byPort = new LinkedHashMap<>();
    Map<String, List<Link>> byDevice = new LinkedHashMap<>();
    for (Link link : links.values()) {
      for (PortId end : link.ends()) {
        byPort.put(end, link);
        byDevice.computeIfAbsent(end.device(), name -> new java.util.ArrayList<>()).add(link);
      }
    }
    byDevice.replaceAll((name, all) -> List.copyOf(all));
    linkByPort = Collections.unmodifiableMap(byPort);
    linksByDevice = Collections.unmodifiableMap(byDevice);
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

  /** The same without these links; their ports stay. */
  public Fabric without(Collection<Link> gone) {
    Builder rest = new Builder();
    devices.values().forEach(rest::device);
    ports.values().forEach(rest::port);
    links.values().stream().filter(link -> !gone.contains(link)).forEach(rest::link);
    return rest.build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects a fabric; a later device, port or link of the same id replaces the earlier one. */
  public static final class Builder {
    private final Map<String, Device> devices = new LinkedHashMap<>();
    private final Map<PortId, Port> ports = new LinkedHashMap<>();
    private final Map<String, Link> links = new LinkedHashMap<>();

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

    public Fabric build() {
      return new Fabric(this);
    }
  }
}
