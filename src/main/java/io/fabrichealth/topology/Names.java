package io.fabrichealth.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Under which names devices and ports are spoken of: one port is {@code Ethernet68} to gNMI, an
 * alias to SNMP, a MAC to its neighbour. Immutable.
 *
 * <p>A name of a device always means the port of that name, whatever another port's alias says;
 * upper and lower case count only where that is needed. An alias that two ports have, or a MAC or
 * GUID at two places, means none of them and is listed.
 */
public final class Names {
  private static final int MOST_AMBIGUITIES = 1_000;

  /** Stands for several ports; no device is called that. */
  private static final PortId NO_PORT = new PortId("\0", "");

  /** Stands for several devices; no device is called that. */
  private static final String NO_DEVICE = "\0";

  private final Map<PortId, Port> exact;
  private final Map<String, List<PortId>> byDevice;
  private final Map<String, String> devices;
  private final Map<PortId, PortId> aliases;
  private final Map<String, PortId> ids;
  private final List<Ambiguity> ambiguities;

  private Names(Builder builder) {
    exact = builder.exact;
    byDevice = builder.byDevice;
    devices = builder.devices;
    aliases = builder.aliases;
    ids = builder.ids;
    ambiguities =
        builder.ambiguous.entrySet().stream()
            .map(
                entry ->
                    new Ambiguity(
                        entry.getKey().kind, entry.getKey().name, List.copyOf(entry.getValue())))
            .sorted(Comparator.comparing(Ambiguity::kind).thenComparing(Ambiguity::name))
            .toList();
  }

  /** The port of a device by any of its names; null where there is none, or several. */
  public @Nullable PortId port(String device, String name) {
    Port own = exact.get(new PortId(device, name));
    if (own != null) {
      return own.id();
    }
    String global = GlobalId.of(name);
    if (global != null) {
      PortId port = ids.get(global);
      if (port != null && port.device().equals(device)) {
        return port;
      }
    }
    PortId port = aliases.get(new PortId(device, fold(name)));
    return port == null ? inAnyCase(device, name) : port.equals(NO_PORT) ? null : port;
  }

  private @Nullable PortId inAnyCase(String device, String name) {
    PortId found = null;
    for (PortId port : byDevice.getOrDefault(device, List.of())) {
      if (port.port().equalsIgnoreCase(name)) {
        if (found != null) {
          return null;
        }
        found = port;
      }
    }
    return found;
  }

  /** The port with this MAC or GUID; null where none has it, or several. */
  public @Nullable PortId portOf(String macOrGuid) {
    String global = GlobalId.of(macOrGuid);
    PortId port = global == null ? null : ids.get(global);
    return port == null || port.equals(NO_PORT) ? null : port;
  }

  /**
   * The device by its name, the name that it gives itself, with or without its domain, or one of
   * its chassis ids; null where there is none, or several.
   */
  public @Nullable String device(String name) {
    String device = devices.get(fold(name));
    if (device == null) {
      device = devices.get(fold(hostPart(name)));
    }
    return NO_DEVICE.equals(device) ? null : device;
  }

  boolean isAmbiguousDevice(String name) {
    return NO_DEVICE.equals(devices.get(fold(name)));
  }

  /** The canonical id of a port that may be written in another way; itself where it is unknown. */
  public PortId canonical(PortId written) {
    Port own = exact.get(written);
    if (own != null) {
      return own.id();
    }
    String device = device(written.device());
    String of = device == null ? written.device() : device;
    PortId known = port(of, written.port());
    return known != null ? known : new PortId(of, written.port());
  }

  /** All ports of a device under their canonical names. */
  public List<PortId> portsOf(String device) {
    return byDevice.getOrDefault(device, List.of());
  }

  /** What was refused because it could be several things; at most a thousand. */
  public List<Ambiguity> ambiguities() {
    return ambiguities;
  }

  static String fold(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  static String hostPart(String systemName) {
    int dot = systemName.indexOf('.');
    return dot > 0 && !isAddress(systemName) ? systemName.substring(0, dot) : systemName;
  }

  /** An IPv4 address has dots, but no domain. */
  private static boolean isAddress(String name) {
    return name.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
  }

  /** Collects names. First all devices and ports, then what else they are called. */
  static final class Builder {
    private final Map<PortId, Port> exact;
    private final Map<String, List<PortId>> byDevice = new HashMap<>();
    private final Map<String, String> devices = new HashMap<>();
    private final Map<PortId, PortId> aliases = new HashMap<>();
    private final Map<String, PortId> ids = new HashMap<>();
    private final Map<Place, Set<String>> ambiguous = new LinkedHashMap<>();

    private record Place(Ambiguity.Kind kind, @Nullable String device, String name) {}

    /**
     * @param exact the ports under their canonical names; kept, not copied: what is added to them
     *     is also added here
     */
    Builder(Map<PortId, Port> exact) {
      this.exact = exact;
    }

    void device(String name) {
      devices.put(fold(name), name);
    }

    void port(PortId port) {
      byDevice.computeIfAbsent(port.device(), name -> new ArrayList<>()).add(port);
    }

    void remove(PortId port) {
      List<PortId> ofDevice = byDevice.get(port.device());
      if (ofDevice != null) {
        ofDevice.remove(port);
      }
    }

    void deviceAlias(String alias, String device) {
      if (alias.isBlank()) {
        return;
      }
      String before = devices.putIfAbsent(fold(alias), device);
      if (before == null || before.equals(device) || fold(before).equals(fold(alias))) {
        return;
      }
      devices.put(fold(alias), NO_DEVICE);
      Set<String> candidates = note(Ambiguity.Kind.DEVICE_NAME, null, alias);
      if (candidates != null) {
        candidates.add(before);
        candidates.add(device);
        candidates.remove(NO_DEVICE);
      }
    }

    void alias(String alias, PortId port) {
      String global = GlobalId.of(alias);
      if (global != null) {
        PortId before = ids.putIfAbsent(global, port);
        if (before != null && !before.equals(port)) {
          ids.put(global, NO_PORT);
          note(Ambiguity.Kind.GLOBAL_ID, null, global, before, port);
          // Within the device it may still name one port.
          if (!before.equals(NO_PORT)) {
            put(port(before.device(), global), before);
          }
        } else {
          return;
        }
      }
      if (!exact.containsKey(new PortId(port.device(), alias))) {
        put(port(port.device(), fold(alias)), port);
      }
    }

    private static PortId port(String device, String name) {
      return new PortId(device, name);
    }

    private void put(PortId alias, PortId port) {
      PortId before = aliases.putIfAbsent(alias, port);
      if (before != null && !before.equals(port)) {
        aliases.put(alias, NO_PORT);
        note(Ambiguity.Kind.PORT_ALIAS, alias.device(), alias.port(), before, port);
      }
    }

    private void note(
        Ambiguity.Kind kind, @Nullable String device, String name, PortId one, PortId other) {
      Set<String> candidates = note(kind, device, name);
      if (candidates != null && candidates.size() <= Ambiguity.MOST_CANDIDATES) {
        if (!one.equals(NO_PORT)) {
          candidates.add(one.id());
        }
        candidates.add(other.id());
      }
    }

    /** Null where the list is full. */
    @Nullable Set<String> note(Ambiguity.Kind kind, @Nullable String device, String name) {
      Place place = new Place(kind, device, name);
      Set<String> known = ambiguous.get(place);
      if (known != null || ambiguous.size() >= MOST_AMBIGUITIES) {
        return known;
      }
      Set<String> added = new TreeSet<>();
      ambiguous.put(place, added);
      return added;
    }

    void ambiguous(Ambiguity.Kind kind, String name, Collection<String> candidates) {
      Set<String> known = note(kind, null, name);
      if (known != null) {
        known.addAll(candidates);
      }
    }

    /** The names so far; what is added later is seen in them too. */
    Names build() {
      return new Names(this);
    }
  }
}
