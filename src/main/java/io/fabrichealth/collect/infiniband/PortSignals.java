package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.infiniband.NodePort.Link;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;

/** Writes what was read of a port as readings of its signals. */
final class PortSignals {
  /** Four octets a unit: above this the octets do not fit into 64 bits. */
  private static final long LARGEST_UNITS = -1L >>> 2;

  private final int[] ordinals = new int[PmaCounter.values().length];
  private final int operUp;
  private final int speed;
  private final int width;

  PortSignals(SignalDictionary dictionary) {
    for (PmaCounter counter : PmaCounter.values()) {
      ordinals[counter.ordinal()] = dictionary.ordinal(counter.signal());
    }
    operUp = dictionary.ordinal("port.oper_up");
    speed = dictionary.ordinal("port.speed_bits_per_second");
    width = dictionary.ordinal("port.width_lanes");
  }

  /** Adds state, speed and width as discovered; what a discovery does not tell is not added. */
  void addState(PollBatch.Builder batch, int port, NodePort seen) {
    if (seen.link() != Link.UNKNOWN) {
      batch.value(port, operUp, 0, seen.link() == Link.UP ? 1 : 0);
    }
    if (seen.link() == Link.UP && seen.bitsPerSecond() > 0) {
      batch.value(port, speed, 0, seen.bitsPerSecond());
    }
    if (seen.link() == Link.UP && seen.lanes() > 0) {
      batch.value(port, width, 0, seen.lanes());
    }
  }

  /** Adds the counters that were read. */
  void addCounters(PollBatch.Builder batch, int port, PortCounters read) {
    for (PmaCounter counter : PmaCounter.values()) {
      if (read.has(counter)) {
        add(batch, port, counter, read.value(counter), read.isWide(counter));
      }
    }
  }

  private void add(
      PollBatch.Builder batch, int port, PmaCounter counter, long value, boolean isWide) {
    int signal = ordinals[counter.ordinal()];
    if (isWide && counter.signal().startsWith("ib.")) {
      // The dictionary has the widths of the classic counters.
      batch.counterBits(signal, 64);
    }
    long end = isWide ? -1L : counter.classicEnd();
    boolean isOver = Long.compareUnsigned(value, end) > 0;
    if (isOver) {
      batch.absent(
          port,
          signal,
          0,
          Quality.UNREADABLE,
          "%s does not fit the counter's width".formatted(Long.toUnsignedString(value)));
    } else if (counter.units() == 1) {
      if (value == end) {
        batch.saturated(port, signal, 0, value);
      } else {
        batch.counter(port, signal, 0, value);
      }
    } else if (Long.compareUnsigned(value, LARGEST_UNITS) > 0) {
      batch.saturated(port, signal, 0, -1L);
    } else if (value == end) {
      batch.saturated(port, signal, 0, value * counter.units());
    } else {
      batch.counter(port, signal, 0, value * counter.units());
    }
  }
}
