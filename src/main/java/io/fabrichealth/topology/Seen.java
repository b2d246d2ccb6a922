package io.fabrichealth.topology;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What devices and their neighbours say, apart from any plan and from what was known before; under
 * the canonical names of the fabric. Immutable. Where something was not read, it says nothing: that
 * is no evidence of absence.
 */
public final class Seen {
  /** Nothing was read. */
  public static final Seen NOTHING = new Seen(Map.of(), Map.of(), Map.of(), Set.of());

  private final Map<String, SeenDevice> devices;
  private final Map<PortId, SeenPort> ports;
  private final Map<PortId, PortId> peers;
  private final Set<String> announcing;

  /**
   * @param peers both directions of each link
   */
  Seen(
      Map<String, SeenDevice> devices,
      Map<PortId, SeenPort> ports,
      Map<PortId, PortId> peers,
      Set<String> announcing) {
    this.devices = devices;
    this.ports = ports;
    this.peers = peers;
    this.announcing = announcing;
  }

  /**
   * A device that was read.
   *
   * @param systemName the name that it gives itself; null where it does not say
   * @param portsRead whether it told its ports
   * @param neighboursRead whether it told all of its neighbours
   */
  public record SeenDevice(
      @Nullable String systemName, boolean portsRead, boolean neighboursRead) {}

  /** Null where nothing reads the device. */
  public @Nullable SeenDevice device(String name) {
    return devices.get(name);
  }

  /** The port as its device tells it; null where it does not, or is not read. */
  public @Nullable SeenPort port(PortId id) {
    return ports.get(id);
  }

  /** The port that is seen at the other end, by either of them; null where none is. */
  public @Nullable PortId peer(PortId port) {
    return peers.get(port);
  }

  /** Whether the device told all of its neighbours, so that the lack of one means something. */
  public boolean neighboursRead(String device) {
    SeenDevice seen = devices.get(device);
    return seen != null && seen.neighboursRead();
  }

  /** Whether anybody ever saw the device as a neighbour, or it sees neighbours itself. */
  public boolean announcesItself(String device) {
    return announcing.contains(device);
  }

  Map<String, SeenDevice> devices() {
    return devices;
  }

  Map<PortId, SeenPort> ports() {
    return ports;
  }

  Map<PortId, PortId> peers() {
    return peers;
  }

  Set<String> announcing() {
    return announcing;
  }
}
