package io.fabrichealth.collect.gnmi;

import io.fabrichealth.collect.gnmi.PortJoin.Parts;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The module of a port, and which of its channels are the port's. OpenConfig counts channels from 0
 * on some devices and from 1 on others; several ports may share a module, each with some channels.
 */
final class Lanes {
  private static final int[] NOBODY_KNOWS = {};

  private final @Nullable Row module;
  private final int @Nullable [] channels;
  private final boolean shared;
  private final boolean fromZero;

  private Lanes(@Nullable Row module, int @Nullable [] channels, boolean shared, boolean fromZero) {
    this.module = module;
    this.channels = channels;
    this.shared = shared;
    this.fromZero = fromZero;
  }

  static Lanes of(Parts parts, DeviceCache cache) {
    String name = parts.fact(FactKind.TRANSCEIVER);
    // Where the port does not say which module it has, one of the port's own name is it.
    Row module =
        cache.knownComponent(
            name != null ? name : parts.rows().isEmpty() ? "" : parts.rows().getFirst().name());
    int[] channels = channels(parts.fact(FactKind.CHANNELS));
    boolean shared = name != null && channels == null && sharers(name, cache) > 1;
    return new Lanes(module, channels, shared, cache.sawChannelZero());
  }

  private static long sharers(String module, DeviceCache cache) {
    return cache.ports().stream()
        .filter(row -> module.equals(row.facts().get(FactKind.TRANSCEIVER)))
        .count();
  }

  private static int @Nullable [] channels(@Nullable String text) {
    if (text == null || !text.matches("\\d{1,3}(,\\d{1,3}){0,15}")) {
      return null;
    }
    return Arrays.stream(text.split(",")).mapToInt(Integer::parseInt).sorted().toArray();
  }

  @Nullable Row module() {
    return module;
  }

  @Nullable Cells cells(Leaf leaf) {
    return module == null || (shared && leaf.elements() == 1) ? null : module.cells(leaf.index());
  }

  /** How many channels are the port's; 0 where the device does not say. */
  int count() {
    return channels == null ? 0 : channels.length;
  }

  /** The channels that are the port's lanes, in their order. */
  int[] elements(int size) {
    if (channels != null) {
      return channels;
    }
    if (shared) {
      return NOBODY_KNOWS;
    }
    int first = fromZero ? 0 : 1;
    int[] elements = new int[Math.max(0, size - first)];
    Arrays.setAll(elements, lane -> lane + first);
    return elements;
  }
}
