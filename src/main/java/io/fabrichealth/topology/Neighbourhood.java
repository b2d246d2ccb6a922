package io.fabrichealth.topology;

import io.fabrichealth.topology.Neighbour.PortIdKind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the port that a device means when it tells of a neighbour; makes one up where it must. */
final class Neighbourhood {
  private final Names names;
  private final Names.Builder builder;
  private final Map<String, Device> devices;
  private final Map<PortId, Port> ports;
  private final Set<PortId> seen;

  /**
   * @param devices gets those that nobody knew
   * @param ports gets those that nobody knew
   * @param seen ports that their own devices tell of
   */
  Neighbourhood(
      Names names,
      Names.Builder builder,
      Map<String, Device> devices,
      Map<PortId, Port> ports,
      Set<PortId> seen) {
    this.names = names;
    this.builder = builder;
    this.devices = devices;
    this.ports = ports;
    this.seen = seen;
  }

  /** Null where it cannot be told which port it is. */
  @Nullable PortId find(Neighbour neighbour) {
    String device = device(neighbour);
    PortId byId = names.portOf(neighbour.portId());
    if (byId != null) {
      if (device == null || byId.device().equals(device) || !seen.contains(byId)) {
        return byId;
      }
      if (!names.portsOf(device).stream().anyMatch(seen::contains)) {
        return byId;
      }
      builder.ambiguous(
          Ambiguity.Kind.NEIGHBOUR_ID, neighbour.portId(), List.of(byId.id(), device));
      return null;
    }
    String of = device == null ? unknownDevice(neighbour) : device;
    if (of == null) {
      return null;
    }
    for (String name : candidates(neighbour)) {
      PortId port = names.port(of, name);
      if (port != null) {
        return port;
      }
    }
    PortId guess = new PortId(of, candidates(neighbour).getFirst());
    ports.put(guess, Port.of(guess));
    builder.port(guess);
    return guess;
  }

  private @Nullable String device(Neighbour neighbour) {
    String systemName = neighbour.systemName();
    String byName = systemName == null || systemName.isBlank() ? null : names.device(systemName);
    return byName == null ? names.device(neighbour.chassisId()) : byName;
  }

  /** A device that nobody reads; null where several are called that. */
  private @Nullable String unknownDevice(Neighbour neighbour) {
    String systemName = neighbour.systemName();
    String name = systemName == null || systemName.isBlank() ? neighbour.chassisId() : systemName;
    if (name.isBlank() || names.isAmbiguousDevice(name)) {
      return null;
    }
    // Hosts announce the MAC of the port, switches the interface's name.
    Role role = neighbour.portIdKind() == PortIdKind.MAC ? Role.HOST : Role.SWITCH;
    devices.put(name, Device.of(name, role));
    builder.device(name);
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
}
