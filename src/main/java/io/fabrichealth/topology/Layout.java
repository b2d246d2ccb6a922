package io.fabrichealth.topology;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts devices, ports and cables together to a fabric: what each device is, and of which rail,
 * plane and tier each link. What the plan says counts; the rest is derived from the wiring.
 */
final class Layout {
  private final Map<String, Device> devices = new LinkedHashMap<>();
  private final Map<PortId, PortId> cables;

  /**
   * @param devices with the roles that they are told to have
   * @param known roles, rails and planes of before, for what cannot be derived now
   * @param cables both directions
   */
  Layout(
      Map<String, Device> devices,
      Map<String, Device> planned,
      Fabric known,
      Map<PortId, PortId> cables) {
    this.cables = cables;
    Map<String, Role> roles = HashMap.newHashMap(devices.size());
    devices.forEach((name, device) -> roles.put(name, device.role()));
    new Layers(devices, cables).derive(roles);
    Map<String, Integer> told = new HashMap<>();
    planned.forEach(
        (name, device) -> {
          Integer rail = device.rail();
          if (rail != null) {
            told.put(name, rail);
          }
        });
    Rails rails = Rails.derive(roles, cables, told);
    for (Device device : devices.values()) {
      this.devices.put(
          device.name(),
          derived(device, planned.get(device.name()), known.device(device.name()), roles, rails));
    }
  }

  private static Device derived(
      Device device,
      @Nullable Device planned,
      @Nullable Device known,
      Map<String, Role> roles,
      Rails rails) {
    Role role = roles.getOrDefault(device.name(), device.role());
    if (role == Role.SWITCH && known != null) {
      role = known.role();
    }
    Integer rail = planned == null ? null : planned.rail();
    Integer plane = planned == null ? null : planned.plane();
    rail = rail == null ? rails.rail(device.name()) : rail;
    plane = plane == null ? rails.plane(device.name()) : plane;
    if (known != null && known.role() == role) {
      rail = rail == null ? known.rail() : rail;
      plane = plane == null ? known.plane() : plane;
    }
    return new Device(
        device.name(),
        role,
        device.vendor(),
        device.model(),
        rail,
        plane,
        device.counterBits(),
        device.fecBins());
  }

  boolean isWired(PortId port) {
    return cables.containsKey(port);
  }

  void retain(Set<String> names) {
    devices.keySet().retainAll(names);
  }

  /**
   * @param ports is changed no more by the caller
   * @param planned links that may say of which tier and rail they are
   */
  Fabric.Builder fabric(Map<PortId, Port> ports, Collection<Link> planned) {
    Map<PortId, Link> byEnd = HashMap.newHashMap(planned.size());
    planned.forEach(link -> byEnd.put(link.a(), link));
    Fabric.Builder fabric = new Fabric.Builder(devices, ports);
    for (PortId port : ports.keySet().toArray(PortId[]::new)) {
      PortId peer = cables.get(port);
      if (peer == null) {
        Link half = byEnd.get(port);
        fabric.link(Link.half(port, half == null ? null : half.rail()));
      } else if (port.compareTo(peer) < 0) {
        fabric.link(link(port, peer, byEnd.get(port)));
      }
    }
    return fabric;
  }

  private Link link(PortId a, PortId b, @Nullable Link planned) {
    Tier tier = Tier.OTHER;
    Integer rail = null;
    if (planned != null && b.equals(planned.b())) {
      tier = planned.tier();
      rail = planned.rail();
    }
    return new Link(
        a,
        b,
        tier == Tier.OTHER ? Tier.between(role(a), role(b)) : tier,
        rail == null ? rail(a, b) : rail);
  }

  private Role role(PortId port) {
    Device device = devices.get(port.device());
    return device == null ? Role.SWITCH : device.role();
  }

  /** The rail is the leaf's: the name of an HCA says nothing of it. */
  private @Nullable Integer rail(PortId one, PortId other) {
    for (PortId end : new PortId[] {one, other}) {
      Device device = devices.get(end.device());
      if (device != null && device.role() == Role.LEAF && device.rail() != null) {
        return device.rail();
      }
    }
    return null;
  }
}
