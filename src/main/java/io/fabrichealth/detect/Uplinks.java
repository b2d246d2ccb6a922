package io.fabrichealth.detect;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a switch has a choice: its ports towards the tier above it. */
final class Uplinks {

  private Uplinks() {}

  /** Its ports to switches of the next role above; empty for hosts. */
  static List<PortId> of(Fabric fabric, Device device) {
    List<PortId> ports = new ArrayList<>();
    if (device.role() == Role.HOST) {
      return ports;
    }
    for (Link link : fabric.linksOf(device.name())) {
      PortId own = ownEnd(link, device);
      PortId peer = link.peerOf(own);
      Device other = peer == null ? null : fabric.device(peer.device());
      if (other != null && isAbove(fabric, other, device)) {
        ports.add(own);
      }
    }
    return ports;
  }

  static PortId ownEnd(Link link, Device device) {
    PortId b = link.b();
    return b != null && b.device().equals(device.name()) ? b : link.a();
  }

  private static boolean isAbove(Fabric fabric, Device other, Device device) {
    if (other.role() == Role.HOST) {
      return false;
    }
    if (device.role() != Role.SWITCH && other.role() != Role.SWITCH) {
      return other.role().compareTo(device.role()) > 0;
    }
    return hasHosts(fabric, device) && !hasHosts(fabric, other);
  }

  /** Whether a port is a host's; false where the device is not known. */
  static boolean isHost(Fabric fabric, @Nullable PortId port) {
    Device device = port == null ? null : fabric.device(port.device());
    return device != null && device.role() == Role.HOST;
  }

  private static boolean hasHosts(Fabric fabric, Device device) {
    for (Link link : fabric.linksOf(device.name())) {
      if (isHost(fabric, link.peerOf(ownEnd(link, device)))) {
        return true;
      }
    }
    return false;
  }
}
