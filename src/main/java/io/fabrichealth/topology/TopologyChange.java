package io.fabrichealth.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Something that changed in what the devices say. What was not read before or is not read now did
 * not change.
 *
 * @param port null where it is of the device
 */
public record TopologyChange(String device, @Nullable String port, Kind kind, String detail) {

  /** What changed. */
  public enum Kind {
    /** The device gives the port another number than before, for example after a restart. */
    PORT_INDEX_CHANGED,
    PORT_APPEARED,
    PORT_VANISHED,
    /** The port sees a neighbour and saw none. */
    LINK_APPEARED,
    /** The port sees another neighbour than before. */
    LINK_MOVED,
    /** The port saw a neighbour and sees none. */
    LINK_VANISHED,
    /** The device gives itself another name. */
    SYSTEM_NAME_CHANGED;

    /** The name in records: {@code link_moved}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** All that changed, device by device, in no particular order. */
  public static List<TopologyChange> between(Fabric before, Fabric after) {
    List<TopologyChange> changes = new ArrayList<>();
    Seen was = before.seen();
    Seen is = after.seen();
    is.devices()
        .forEach(
            (name, device) -> {
              Seen.SeenDevice old = was.device(name);
              String oldName = old == null ? null : old.systemName();
              String newName = device.systemName();
              if (oldName != null && newName != null && !oldName.equals(newName)) {
                changes.add(
                    new TopologyChange(
                        name, null, Kind.SYSTEM_NAME_CHANGED, oldName + " to " + newName));
              }
            });
    ports(was, is, changes);
    links(was, is, changes);
    return changes;
  }

  private static void ports(Seen was, Seen is, List<TopologyChange> changes) {
    is.ports()
        .forEach(
            (id, port) -> {
              SeenPort old = was.port(id);
              if (old == null) {
                if (isRead(was, id.device())) {
                  changes.add(of(id, Kind.PORT_APPEARED, ""));
                }
              } else if (old.index() != port.index() && old.index() != 0 && port.index() != 0) {
                changes.add(of(id, Kind.PORT_INDEX_CHANGED, old.index() + " to " + port.index()));
              }
            });
    was.ports()
        .forEach(
            (id, port) -> {
              if (is.port(id) == null && isRead(is, id.device())) {
                changes.add(of(id, Kind.PORT_VANISHED, ""));
              }
            });
  }

  private static boolean isRead(Seen seen, String device) {
    Seen.SeenDevice read = seen.device(device);
    return read != null && read.portsRead();
  }

  private static void links(Seen was, Seen is, List<TopologyChange> changes) {
    for (Map.Entry<PortId, PortId> link : is.peers().entrySet()) {
      PortId port = link.getKey();
      PortId peer = link.getValue();
      PortId old = was.peer(port);
      if (old == null) {
        // Told once, at the first end of the two that saw none before.
        boolean told = was.peer(peer) == null && peer.compareTo(port) < 0 && saw(was, peer);
        if (saw(was, port) && !told) {
          changes.add(of(port, Kind.LINK_APPEARED, "to " + peer));
        }
      } else if (!old.equals(peer)) {
        changes.add(of(port, Kind.LINK_MOVED, "from " + old + " to " + peer));
      }
    }
    for (Map.Entry<PortId, PortId> link : was.peers().entrySet()) {
      PortId port = link.getKey();
      PortId peer = link.getValue();
      if (is.peer(port) == null) {
        boolean told = is.peer(peer) == null && peer.compareTo(port) < 0 && saw(is, peer);
        if (saw(is, port) && !told) {
          changes.add(of(port, Kind.LINK_VANISHED, "from " + peer));
        }
      }
    }
  }

  /** Whether the port would have told of a neighbour. */
  private static boolean saw(Seen seen, PortId port) {
    return seen.neighboursRead(port.device()) && seen.port(port) != null;
  }

  private static TopologyChange of(PortId port, Kind kind, String detail) {
    return new TopologyChange(port.device(), port.port(), kind, Objects.requireNonNull(detail));
  }
}
