package io.fabrichealth.runtime;

import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is seen of the fabric and what is not: each device by each family of signals. */
public final class CoverageMatrix {
  private final Map<String, int[]> families = new TreeMap<>();

  public CoverageMatrix(SignalDictionary dictionary) {
    Map<String, List<Integer>> ordinals = new TreeMap<>();
    for (int signal = 0; signal < dictionary.size(); signal++) {
      ordinals
          .computeIfAbsent(dictionary.signal(signal).family(), none -> new ArrayList<>())
          .add(signal);
    }
    ordinals.forEach(
        (family, of) -> families.put(family, of.stream().mapToInt(Integer::intValue).toArray()));
  }

  /** What is known of the signals of a family; the first that holds. */
  public enum State {
    /** All signals that are there have a value of the last pass. */
    READ,
    /** Some signals that are there have one. */
    PARTLY,
    /** There are values, of an earlier pass. */
    STALE,
    /** There are signals, and none ever had a usable value. */
    UNREADABLE,
    /** Something is read there, and no signal of the family is. */
    UNSUPPORTED,
    /** Nothing at all is read there. */
    UNREAD
  }

  /**
   * One device and family.
   *
   * @param state over those ports that have the family
   * @param ports number of ports by their own state, the device itself being one where it has the
   *     family; states that no port has are left out
   */
  public record Cell(String device, String family, State state, Map<State, Integer> ports) {
    public Cell {
      ports = Map.copyOf(ports);
    }
  }

  /** All cells, by device and family. */
  public List<Cell> of(Fabric fabric, Map<PortId, PortReadings> readings) {
    Map<String, List<PortReadings>> byDevice = new TreeMap<>();
    Map<String, Integer> unread = new HashMap<>();
    for (Device device : fabric.devices()) {
      byDevice.put(device.name(), new ArrayList<>());
    }
    readings.forEach(
        (id, read) -> byDevice.computeIfAbsent(id.device(), none -> new ArrayList<>()).add(read));
    for (Port port : fabric.ports()) {
      if (!readings.containsKey(port.id())) {
        byDevice.computeIfAbsent(port.id().device(), none -> new ArrayList<>());
        unread.merge(port.id().device(), 1, Integer::sum);
      }
    }
    List<Cell> cells = new ArrayList<>();
    byDevice.forEach(
        (device, ports) ->
            families.forEach(
                (family, signals) ->
                    cells.add(
                        cell(device, family, signals, ports, unread.getOrDefault(device, 0)))));
    return cells;
  }

  private static Cell cell(
      String device, String family, int[] signals, List<PortReadings> ports, int unread) {
    Map<State, Integer> counts = new EnumMap<>(State.class);
    State whole = State.UNREAD;
    if (unread > 0) {
      counts.put(State.UNREAD, unread);
    }
    for (PortReadings port : ports) {
      State state = state(port, signals);
      boolean ofDevice = port.port().port().isEmpty();
      if (ofDevice && state == State.UNSUPPORTED) {
        // The device itself is no port; it counts where it has the family.
        continue;
      }
      counts.merge(state, 1, Integer::sum);
      whole = together(whole, state);
    }
    return new Cell(device, family, whole, counts);
  }

  /** Of the family on one port. */
  private static State state(PortReadings port, int[] signals) {
    State state = State.UNSUPPORTED;
    for (int signal : signals) {
      state = together(state, state(port, signal));
    }
    return state;
  }

  private static State state(PortReadings port, int signal) {
    if (port.isFresh(signal)) {
      return State.READ;
    }
    State state = State.UNSUPPORTED;
    for (int element = 0; element < port.elements(signal); element++) {
      Quality quality = port.quality(signal, element);
      if (quality.hasValue()) {
        return State.STALE;
      }
      if (quality == Quality.UNREADABLE) {
        state = State.UNREADABLE;
      }
    }
    return state;
  }

  /** What is not there says nothing of what is. */
  private static State together(State one, State other) {
    if (one == other) {
      return other;
    }
    State first = one.compareTo(other) < 0 ? one : other;
    State second = first == one ? other : one;
    if (second.compareTo(State.UNSUPPORTED) >= 0) {
      return first;
    }
    return first.compareTo(State.PARTLY) <= 0 ? State.PARTLY : State.STALE;
  }
}
