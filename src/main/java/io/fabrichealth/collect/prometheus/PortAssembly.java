package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.prometheus.HostFacts.HostPort;
import io.fabrichealth.collect.prometheus.MetricMapping.SignalColumns;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.SeenPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the ports of the host of the rows of one page: an interface that is known to be a port of
 * an HCA becomes one port with it. Chooses the best metric for each signal, and says of each signal
 * that the port could have and has not, whether it is unsupported or was lost.
 */
final class PortAssembly {
  private static final String LOST = "the exporter gave it before and does not now";
  private static final String PORT_LOST = "the exporter does not show the port any more";

  private final MetricMapping mapping;
  private final Page page;
  private final PollBatch.Builder batch;
  private final Map<String, PortMemory> memories;
  private final SignalDictionary dictionary;
  private final int speed;
  private final int mtu;
  private final int adminUp;
  private final List<String> lost = new ArrayList<>();
  private final Map<String, Parts> ports = new LinkedHashMap<>();

  PortAssembly(
      MetricMapping mapping, Page page, PollBatch.Builder batch, Map<String, PortMemory> memories) {
    this.mapping = mapping;
    this.page = page;
    this.batch = batch;
    this.memories = memories;
    dictionary = mapping.dictionary();
    speed = dictionary.ordinal("port.speed_bits_per_second");
    mtu = dictionary.ordinal("port.mtu_bytes");
    adminUp = dictionary.ordinal("port.admin_up");
  }

  /** The rows that are one port. */
  private static final class Parts {
    private int hca = -1;
    private int netdev = -1;
    private @Nullable HostPort told;

    int row(PortKind kind) {
      return kind == PortKind.HCA ? hca : netdev;
    }

    boolean isOf(SignalColumns signal) {
      return ((hca >= 0 || told != null) && signal.isOf(PortKind.HCA))
          || (netdev >= 0 && signal.isOf(PortKind.NETDEV));
    }
  }

  /**
   * Adds the readings of all ports on the page.
   *
   * @param whole whether the page was read to its end: only then is what it lacks absent
   */
  List<SeenPort> addPorts(boolean whole) {
    join();
    Map<String, Integer> aliasUses = new HashMap<>();
    ports.forEach(
        (name, parts) -> aliases(parts).forEach(a -> aliasUses.merge(a, 1, Integer::sum)));
    List<SeenPort> seen = new ArrayList<>(ports.size());
    ports.forEach((name, parts) -> seen.add(addPort(name, parts, aliasUses, whole)));
    return seen;
  }

  private void join() {
    Map<String, HostPort> byNetdev = new HashMap<>();
    for (HostPort told : page.facts().hostPorts().values()) {
      parts(told.port()).told = told;
      byNetdev.put(told.netdev(), told);
    }
    List<PortTable.Row> rows = page.table().rows();
    for (int index = 0; index < rows.size(); index++) {
      PortTable.Row row = rows.get(index);
      if (row.kind() == PortKind.HCA) {
        parts(row.name()).hca = index;
      } else {
        HostPort told = byNetdev.get(row.name());
        parts(told == null ? row.name() : told.port()).netdev = index;
      }
    }
  }

  private Parts parts(String port) {
    return ports.computeIfAbsent(port, name -> new Parts());
  }

  private List<String> aliases(Parts parts) {
    List<String> aliases = new ArrayList<>();
    if (parts.netdev >= 0) {
      String netdev = page.table().rows().get(parts.netdev).name();
      if (parts.told != null) {
        aliases.add(netdev);
      }
      addAlias(aliases, page.facts().addresses().getOrDefault(netdev, ""));
    } else if (parts.told != null) {
      addAlias(aliases, parts.told.netdev());
    }
    if (parts.told != null) {
      addAlias(aliases, HostFacts.isMac(parts.told.mac()) ? parts.told.mac() : "");
      addAlias(aliases, parts.told.guid());
    }
    return aliases;
  }

  private static void addAlias(List<String> aliases, String alias) {
    if (!alias.isEmpty() && !aliases.contains(alias)) {
      aliases.add(alias);
    }
  }

  private SeenPort addPort(
      String name, Parts parts, Map<String, Integer> aliasUses, boolean whole) {
    PortMemory memory = memories.computeIfAbsent(name, n -> new PortMemory(dictionary.size()));
    memory.seen();
    int port = batch.port(name);
    long bitsPerSecond = 0;
    int octets = 0;
    boolean up = true;
    for (SignalColumns signal : mapping.signals()) {
      if (!parts.isOf(signal)) {
        continue;
      }
      MetricColumn best = best(signal, parts);
      if (best == null) {
        if (whole) {
          addAbsent(name, port, signal.signal(), memory);
        }
        continue;
      }
      addReadings(port, signal, best, parts, memory);
      if (state(best, parts).hasValue()) {
        long raw = page.table().value(parts.row(best.port()), best);
        if (signal.signal() == speed) {
          bitsPerSecond = (long) Double.longBitsToDouble(raw);
        } else if (signal.signal() == mtu) {
          octets = (int) Double.longBitsToDouble(raw);
        } else if (signal.signal() == adminUp) {
          up = Double.longBitsToDouble(raw) != 0;
        }
      }
    }
    batch.discontinuity(name, memory.discontinuity());
    // An address that several ports have (a bond's) names none of them.
    List<String> own =
        aliases(parts).stream().filter(a -> aliasUses.getOrDefault(a, 0) == 1).toList();
    return new SeenPort(name, bitsPerSecond, octets, up, own);
  }

  /** The column to take: the first readable one, else the first that is there at all. */
  private @Nullable MetricColumn best(SignalColumns signal, Parts parts) {
    MetricColumn unreadable = null;
    for (MetricColumn column : signal.columns()) {
      CellState state = state(column, parts);
      if (state.hasValue()) {
        return column;
      }
      if (state != CellState.ABSENT && unreadable == null) {
        unreadable = column;
      }
    }
    return unreadable;
  }

  /** All elements that the metrics of the best one's rank give. */
  private void addReadings(
      int port, SignalColumns signal, MetricColumn best, Parts parts, PortMemory memory) {
    boolean counts = best.kind() == Signal.Kind.COUNTER;
    for (MetricColumn column : signal.columns()) {
      CellState state = state(column, parts);
      if (column.rank() != best.rank() || state == CellState.ABSENT) {
        continue;
      }
      if (!state.hasValue()) {
        batch.absent(port, column.signal(), column.element(), Quality.UNREADABLE, state.reason());
        continue;
      }
      long raw = page.table().value(parts.row(column.port()), column);
      if (!counts) {
        batch.value(port, column.signal(), column.element(), Double.longBitsToDouble(raw));
      } else if (state == CellState.SATURATED) {
        batch.saturated(port, column.signal(), column.element(), raw);
      } else {
        batch.counter(port, column.signal(), column.element(), raw);
      }
    }
    memory.given(signal.signal());
    if (counts && state(best, parts).hasValue()) {
      memory.counted(signal.signal(), best.rank());
    }
  }

  private void addAbsent(String name, int port, int signal, PortMemory memory) {
    if (memory.missing(signal)) {
      batch.absent(port, signal, 0, Quality.UNREADABLE, LOST);
      lost.add(dictionary.signal(signal).id() + " of " + name);
    } else {
      batch.absent(port, signal, 0, Quality.UNSUPPORTED, null);
    }
  }

  private CellState state(MetricColumn column, Parts parts) {
    int row = parts.row(column.port());
    return row < 0 ? CellState.ABSENT : page.table().state(row, column);
  }

  /**
   * Adds what ports that are gone gave before, as unreadable.
   *
   * @return what was lost, ports and signals, for people
   */
  List<String> addLost() {
    Iterator<Map.Entry<String, PortMemory>> known = memories.entrySet().iterator();
    while (known.hasNext()) {
      Map.Entry<String, PortMemory> entry = known.next();
      if (ports.containsKey(entry.getKey())) {
        continue;
      }
      if (!entry.getValue().unseen()) {
        known.remove();
        continue;
      }
      int port = batch.port(entry.getKey());
      for (SignalColumns signal : mapping.signals()) {
        if (entry.getValue().missing(signal.signal())) {
          batch.absent(port, signal.signal(), 0, Quality.UNREADABLE, PORT_LOST);
        }
      }
      lost.add("port " + entry.getKey());
    }
    return lost;
  }
}
