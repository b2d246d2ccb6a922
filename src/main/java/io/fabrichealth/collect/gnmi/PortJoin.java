package io.fabrichealth.collect.gnmi;

import io.fabrichealth.collect.CollectOutcome.LeftOut;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which rows are one port. On SONiC a counter may stand under the port's name or under its alias,
 * and the name of one port may be the alias of another: such a name is refused, as nobody can say
 * whose counters they are (sonic-net/SONiC#2546).
 */
final class PortJoin {
  static final String NOT_LISTED = "not-in-port-name-map";

  private final Map<String, Parts> ports = new LinkedHashMap<>();
  private final List<LeftOut> leftOut = new ArrayList<>();
  private final TreeSet<String> ambiguous = new TreeSet<>();

  /** The rows of a port, those under its own name first. */
  static final class Parts {
    private final List<Row> rows = new ArrayList<>();
    private boolean refused;

    /** Whether its name is another port's alias, so that its readings may be the other's. */
    boolean isRefused() {
      return refused;
    }

    /** The first value of the rows. */
    @Nullable String fact(FactKind kind) {
      for (Row row : rows) {
        String text = row.facts().get(kind);
        if (text != null && !text.isEmpty()) {
          return text;
        }
      }
      return null;
    }

    List<Row> rows() {
      return rows;
    }

    boolean isKnown() {
      return rows.stream()
          .anyMatch(row -> row.isTold() || !row.facts().isEmpty() || !row.neighbours().isEmpty());
    }
  }

  private PortJoin() {}

  static PortJoin of(DeviceCache cache) {
    PortJoin join = new PortJoin();
    Collection<Row> rows = cache.ports();
    boolean namesAreListed =
        rows.stream().anyMatch(row -> row.facts().get(FactKind.OBJECT) != null);
    Map<String, List<String>> byAlias = namesAreListed ? byAlias(rows) : Map.of();
    for (Row row : rows) {
      join.add(row, cache.profile(), namesAreListed, byAlias);
    }
    return join;
  }

  private static Map<String, List<String>> byAlias(Collection<Row> rows) {
    Map<String, List<String>> byAlias = new HashMap<>();
    for (Row row : rows) {
      String alias = row.facts().get(FactKind.ALIAS);
      if (alias != null && !alias.equals(row.name())) {
        byAlias.computeIfAbsent(alias, a -> new ArrayList<>()).add(row.name());
      }
    }
    return byAlias;
  }

  private void add(
      Row row, Profile profile, boolean namesAreListed, Map<String, List<String>> byAlias) {
    String rule = row.leftOutBy();
    if (rule == null) {
      rule = profile.leftOutByType(row.facts().get(FactKind.TYPE, ""));
    }
    if (rule != null) {
      leftOut.add(new LeftOut(row.name(), rule));
      return;
    }
    List<String> owners = byAlias.getOrDefault(row.name(), List.of());
    boolean listed = row.facts().get(FactKind.OBJECT) != null;
    if (!namesAreListed || listed) {
      Parts parts = parts(row.name());
      parts.rows.addFirst(row);
      if (!owners.isEmpty()) {
        parts.refused = true;
        ambiguous.add(row.name());
      }
    } else if (owners.size() == 1) {
      parts(owners.getFirst()).rows.addLast(row);
    } else if (owners.size() > 1) {
      ambiguous.add(row.name());
      owners.forEach(owner -> parts(owner).refused = true);
    } else {
      leftOut.add(new LeftOut(row.name(), NOT_LISTED));
    }
  }

  private Parts parts(String port) {
    return ports.computeIfAbsent(port, name -> new Parts());
  }

  /** By name, in the order in which the device told of them. */
  Map<String, Parts> ports() {
    return ports;
  }

  List<LeftOut> leftOut() {
    return leftOut;
  }

  /** Names that are the alias of another port, or of several. */
  Collection<String> ambiguous() {
    return ambiguous;
  }
}
