package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.prometheus.HostFacts.HostPort;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.Role;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ports of one device, as one page shows them. */
final class DevicePorts {
  private final String device;
  private final Role role;
  private final @Nullable String source;
  private final int shapes;
  private final Map<String, Parts> ports = new LinkedHashMap<>();
  private final List<String> chassisIds = new ArrayList<>();
  private final List<Neighbour> neighbours = new ArrayList<>();
  private @Nullable String systemName;
  private long stampMicros;

  /**
   * @param source what tells of it, where the target is not the device
   */
  DevicePorts(String device, Role role, @Nullable String source, int shapes) {
    this.device = device;
    this.role = role;
    this.source = source;
    this.shapes = shapes;
  }

  /** The rows that are one port, and its other names. */
  static final class Parts {
    private final int[] rows;
    private final List<String> aliases = new ArrayList<>();
    private @Nullable HostPort told;

    private Parts(int shapes) {
      rows = new int[shapes];
      Arrays.fill(rows, -1);
    }

    /** The row of that shape; -1 where the page has none. */
    int row(PortShape shape) {
      return rows[shape.index()];
    }

    /** False where there is one already. */
    boolean add(PortShape shape, int row) {
      boolean isFree = rows[shape.index()] < 0;
      if (isFree) {
        rows[shape.index()] = row;
      }
      return isFree;
    }

    void tell(HostPort port) {
      told = port;
    }

    @Nullable HostPort told() {
      return told;
    }

    void addAlias(String alias) {
      if (!alias.isEmpty() && !aliases.contains(alias)) {
        aliases.add(alias);
      }
    }

    /** Whether the page gives the signal of this port. */
    boolean gives(PortTable table, int signal) {
      for (int row : rows) {
        if (row >= 0 && table.gives(row, signal)) {
          return true;
        }
      }
      return false;
    }

    /** A bit for the index of each shape as which the page shows the port. */
    long shownAs() {
      long shownAs = 0;
      for (int shape = 0; shape < rows.length; shape++) {
        if (rows[shape] >= 0) {
          shownAs |= 1L << shape;
        }
      }
      return shownAs;
    }
  }

  String device() {
    return device;
  }

  Role role() {
    return role;
  }

  /** Null where the device is the target itself. */
  @Nullable String source() {
    return source;
  }

  /** What the device calls itself where that is not its name here; null where it is not known. */
  @Nullable String systemName() {
    return systemName;
  }

  void systemName(String name) {
    systemName = name.isEmpty() ? null : name;
  }

  /** When the device was read last, as far as the page says; null where it does not. */
  @Nullable Instant readAt() {
    return stampMicros == 0 ? null : Instant.EPOCH.plus(stampMicros, ChronoUnit.MICROS);
  }

  void readAt(long micros) {
    stampMicros = Math.max(stampMicros, micros);
  }

  Map<String, Parts> ports() {
    return ports;
  }

  Parts port(String name) {
    return ports.computeIfAbsent(name, unknown -> new Parts(shapes));
  }

  List<String> chassisIds() {
    return chassisIds;
  }

  List<Neighbour> neighbours() {
    return neighbours;
  }

  /**
   * Aliases of each port that no other port has: an address that several have (a bond's) names none
   * of them.
   */
  Map<String, List<String>> ownAliases() {
    Map<String, Integer> uses = new HashMap<>();
    ports.values().forEach(parts -> parts.aliases.forEach(a -> uses.merge(a, 1, Integer::sum)));
    Map<String, List<String>> own = new HashMap<>();
    ports.forEach(
        (name, parts) ->
            own.put(
                name, parts.aliases.stream().filter(a -> uses.getOrDefault(a, 0) == 1).toList()));
    return own;
  }
}
