package io.fabrichealth.collect.gnmi;

import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a device last told, by port and module. Bounded; guarded by its owner. */
final class DeviceCache {
  /** More ports, or modules, than any device has. */
  private static final int MOST_ROWS = 25_000;

  private static final int LONGEST_NAME = 255;

  private final Profile profile;
  private final Map<String, Row> ports = new LinkedHashMap<>();
  private final Map<String, Row> components = new LinkedHashMap<>();
  private final Row device;
  private long refused;
  private boolean sawChannelZero;

  DeviceCache(Profile profile) {
    this.profile = profile;
    device = new Row("", profile.leaves().size(), null);
  }

  Profile profile() {
    return profile;
  }

  Row device() {
    return device;
  }

  Collection<Row> ports() {
    return ports.values();
  }

  @Nullable Row knownComponent(String name) {
    return components.get(name);
  }

  /** Names that were refused: too many, too long, or not to be printed. */
  long refused() {
    return refused;
  }

  /** A channel of a module was numbered 0. */
  void channelZero() {
    sawChannelZero = true;
  }

  /** Whether the device counts the channels of its modules from 0. */
  boolean sawChannelZero() {
    return sawChannelZero;
  }

  /** The row of a port; null where the name is refused. */
  @Nullable Row port(String name) {
    Row known = ports.get(name);
    return known != null ? known : fresh(ports, name, profile.leftOutByName(name));
  }

  @Nullable Row component(String name) {
    Row known = components.get(name);
    return known != null ? known : fresh(components, name, null);
  }

  private @Nullable Row fresh(Map<String, Row> rows, String name, @Nullable String leftOutBy) {
    if (rows.size() >= MOST_ROWS
        || name.isEmpty()
        || name.length() > LONGEST_NAME
        || name.chars().anyMatch(Character::isISOControl)) {
      refused++;
      return null;
    }
    Row row = new Row(name, profile.leaves().size(), leftOutBy);
    rows.put(name, row);
    return row;
  }

  void forgetPort(String name) {
    ports.remove(name);
  }

  /** What was not heard of since then is no more. */
  void sweep(long since) {
    ports.values().forEach(row -> row.sweep(since));
    components.values().forEach(row -> row.sweep(since));
    device.sweep(since);
  }

  /** All at and below where the cursor stands is no more. */
  void delete(Cursor at) {
    PathNode node = at.node();
    if (node == null) {
      return;
    }
    BitSet leaves = new BitSet();
    node.collectLeaves(leaves);
    for (int index = leaves.nextSetBit(0); index >= 0; index = leaves.nextSetBit(index + 1)) {
      Leaf leaf = profile.leaves().get(index);
      switch (leaf.of()) {
        case PORT -> delete(leaf, at, at.port(), ports.values());
        case NEIGHBOUR -> deleteNeighbours(leaf, at);
        case COMPONENT -> delete(leaf, at, at.component(), components.values());
        case DEVICE -> delete(leaf, at.element(), device);
      }
    }
  }

  private static void delete(Leaf leaf, Cursor at, @Nullable Row row, Collection<Row> all) {
    if (row != null) {
      delete(leaf, at.element(), row);
    } else if (!at.lacksName()) {
      all.forEach(each -> delete(leaf, at.element(), each));
    }
  }

  private static void delete(Leaf leaf, int element, Row row) {
    if (leaf.fact() != null) {
      row.facts().set(leaf.fact(), null, 0);
      return;
    }
    Cells cells = row.cells(leaf.index());
    if (cells != null) {
      if (element == PathNode.NONE) {
        cells.deleteAll();
      } else {
        cells.delete(element);
      }
    }
  }

  private void deleteNeighbours(Leaf leaf, Cursor at) {
    FactKind fact = leaf.fact();
    Row port = at.port();
    String id = at.neighbour();
    for (Row row : port != null ? List.of(port) : ports.values()) {
      if (fact != null) {
        row.neighbours()
            .forEach(
                (neighbour, facts) -> {
                  if (id == null || id.equals(neighbour)) {
                    facts.set(fact, null, 0);
                  }
                });
      }
      row.neighbours().values().removeIf(Facts::isEmpty);
    }
  }
}
