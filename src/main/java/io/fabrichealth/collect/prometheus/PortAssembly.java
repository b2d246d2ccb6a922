package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.prometheus.DevicePorts.Parts;
import io.fabrichealth.collect.prometheus.MetricMapping.SignalColumns;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.SeenPort;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the readings of the ports of one device of the rows of one page. Chooses the best metric
 * for each signal, and says of each signal that the port could have and has not, whether it is
 * unsupported or was lost.
 */
final class PortAssembly {
  private static final String LOST = "the exporter gave it before and does not now";
  private static final String PORT_LOST = "the exporter does not show the port any more";

  private final MetricMapping mapping;
  private final Page page;
  private final DevicePorts device;
  private final PollBatch.Builder batch;
  private final Map<String, PortMemory> memories;
  private final SignalDictionary dictionary;
  private final int speed;
  private final int mtu;
  private final int adminUp;
  private final int lanes;
  private final long hcaShapes;
  private final List<String> lost = new ArrayList<>();

  PortAssembly(
      MetricMapping mapping,
      Page page,
      DevicePorts device,
      PollBatch.Builder batch,
      Map<String, PortMemory> memories) {
    this.mapping = mapping;
    this.page = page;
    this.device = device;
    this.batch = batch;
    this.memories = memories;
    dictionary = mapping.dictionary();
    speed = dictionary.ordinal("port.speed_bits_per_second");
    mtu = dictionary.ordinal("port.mtu_bytes");
    adminUp = dictionary.ordinal("port.admin_up");
    lanes = dictionary.ordinal("port.width_lanes");
    long shapes = 0;
    for (PortShape shape : mapping.shapes()) {
      shapes |= shape.kind() == PortKind.HCA ? 1L << shape.index() : 0;
    }
    hcaShapes = shapes;
  }

  /**
   * Adds the readings of all ports of the device.
   *
   * @param whole whether the page was read to its end: only then is what it lacks absent
   */
  List<SeenPort> addPorts(boolean whole) {
    Map<String, List<String>> aliases = device.ownAliases();
    List<SeenPort> seen = new ArrayList<>(device.ports().size());
    device
        .ports()
        .forEach(
            (name, parts) ->
                seen.add(addPort(name, parts, aliases.getOrDefault(name, List.of()), whole)));
    return seen;
  }

  private SeenPort addPort(String name, Parts parts, List<String> aliases, boolean whole) {
    PortMemory memory = memories.computeIfAbsent(name, n -> new PortMemory(dictionary.size()));
    memory.seen();
    int port = batch.port(name);
    long bitsPerSecond = 0;
    int octets = 0;
    int width = 0;
    boolean up = true;
    long shownAs = parts.shownAs() | (parts.told() == null ? 0 : hcaShapes);
    for (SignalColumns signal : mapping.signals(shownAs)) {
      MetricColumn best = parts.gives(page.table(), signal.signal()) ? best(signal, parts) : null;
      if (best == null) {
        if (whole) {
          addAbsent(name, port, signal.signal(), memory);
        }
        continue;
      }
      addReadings(port, signal, best, parts, memory);
      if (state(best, parts).hasValue()) {
        long raw = page.table().value(parts.row(best.shape()), best);
        if (signal.signal() == speed) {
          bitsPerSecond = (long) Double.longBitsToDouble(raw);
        } else if (signal.signal() == mtu) {
          octets = (int) Double.longBitsToDouble(raw);
        } else if (signal.signal() == lanes) {
          width = (int) Double.longBitsToDouble(raw);
        } else if (signal.signal() == adminUp) {
          up = Double.longBitsToDouble(raw) != 0;
        }
      }
    }
    batch.discontinuity(name, memory.discontinuity());
    HostFacts.Hardware hardware = page.facts().hardware(name, netdev(parts));
    return new SeenPort(
        name,
        0,
        bitsPerSecond,
        width,
        HardwareText.fec(hardware.fec(), bitsPerSecond, width),
        hardware.media(),
        hardware.partNumber(),
        octets,
        up,
        aliases);
  }

  /** The interface that the port is; empty where it is none. */
  private String netdev(Parts parts) {
    for (PortShape shape : mapping.shapes()) {
      int row = parts.row(shape);
      if (shape.kind() == PortKind.NETDEV && row >= 0) {
        return page.table().rows().get(row).name();
      }
    }
    HostFacts.HostPort told = parts.told();
    return told == null ? "" : told.netdev();
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
    boolean counts = best.isCounter();
    for (MetricColumn column : signal.columns()) {
      CellState state = state(column, parts);
      if (column.rank() != best.rank() || state == CellState.ABSENT) {
        continue;
      }
      if (!state.hasValue()) {
        batch.absent(port, column.signal(), column.element(), Quality.UNREADABLE, state.reason());
        continue;
      }
      long raw = page.table().value(parts.row(column.shape()), column);
      if (!counts) {
        batch.value(port, column.signal(), column.element(), Double.longBitsToDouble(raw));
      } else if (state == CellState.SATURATED) {
        batch.saturated(port, column.signal(), column.element(), raw);
      } else {
        batch.counter(port, column.signal(), column.element(), raw);
      }
    }
    if (best.value().bits() != 0) {
      batch.counterBits(signal.signal(), best.value().bits());
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
    int row = parts.row(column.shape());
    CellState state = row < 0 ? CellState.ABSENT : page.table().state(row, column);
    boolean isOld =
        column.oldAfterSeconds() != 0
            && state != CellState.ABSENT
            && page.facts().fileAgeSeconds() > column.oldAfterSeconds();
    return isOld ? CellState.OLD : state;
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
      if (device.ports().containsKey(entry.getKey())) {
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
