package io.fabrichealth.engine;

import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One port with all that is looked up with every poll: its place in the fabric, and who reads it.
 * Belongs to the thread that steps.
 */
final class PortEntry {
  private static final PortState[] NOBODY = {};

  final PortId id;

  /** As the fabric has it; a bare one where it does not. */
  Port port;

  /** Null where the fabric has none at the port. */
  @Nullable LinkEntry link;

  /** The other end; null where there is none. */
  @Nullable PortEntry peer;

  /** One a collector that reads it. */
  PortState[] readers = NOBODY;

  PortEntry(PortId id) {
    this.id = id;
    port = Port.of(id);
  }

  void add(PortState reader) {
    readers = Arrays.copyOf(readers, readers.length + 1);
    readers[readers.length - 1] = reader;
  }

  void remove(PortState reader) {
    readers = Arrays.stream(readers).filter(other -> other != reader).toArray(PortState[]::new);
  }

  /** The state of the collector that read the port last; null where none did. */
  @Nullable PortState newest() {
    if (readers.length == 1) {
      return readers[0];
    }
    PortState newest = null;
    for (PortState reader : readers) {
      if (newest == null || reader.window.readNanos() > newest.window.readNanos()) {
        newest = reader;
      }
    }
    return newest;
  }

  boolean hasFindings() {
    for (PortState reader : readers) {
      if (reader.hasFindings()) {
        return true;
      }
    }
    return false;
  }
}
