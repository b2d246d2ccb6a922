package io.fabrichealth.signal;

import io.fabrichealth.topology.PortId;
import org.jspecify.annotations.Nullable;

/**
 * The signals of one port as last read. Signals are named by their ordinal in the dictionary,
 * elements (lane, priority, queue, bin) from 0.
 */
public interface PortReadings {

  PortId port();

  /** Collector of the last poll. */
  String collector();

  /** Device time of the last poll that touched the port, nanoseconds since 1970. */
  long timeNanos();

  /**
   * When the reader had the last poll that touched the port in hand, nanoseconds since 1970 of the
   * reader's clock: the one time that can be compared between devices.
   */
  long readNanos();

  /** Number of elements known; 0 where the signal was never read here. */
  int elements(int signal);

  /** Whether the last poll read at least one element of the signal and got a value. */
  boolean isFresh(int signal);

  /** Of the last reading; {@link Quality#UNSUPPORTED} where it was never read. */
  Quality quality(int signal, int element);

  /** Why the last reading was unreadable; null where no reason is known. */
  @Nullable String reason(int signal, int element);

  /** Gauge or state as last read; NaN where the last poll gave no value. */
  double value(int signal, int element);

  /** Counter as last read, unsigned; meaningless where {@link #quality} has no value. */
  long raw(int signal, int element);

  /** Growth since the first reading ever, over resets and wraps, unsigned. */
  long total(int signal, int element);
}
