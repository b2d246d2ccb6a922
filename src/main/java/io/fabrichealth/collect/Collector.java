package io.fabrichealth.collect;

import java.time.Duration;
import java.time.Instant;

/**
 * Reads one target, again and again. An instance belongs to one target and keeps what it learns
 * between passes (boot identity, row layout, back-off); the scheduler never runs two passes of one
 * instance at once, and runs passes of different instances at once on virtual threads.
 */
public interface Collector extends AutoCloseable {

  /** {@code snmp}, {@code prometheus}, ... */
  String name();

  /** Name of the device that is read; of a target that tells of many devices, its own name. */
  String device();

  /** Where it is read, without credentials, for people: {@code 198.18.0.11:161}. */
  String address();

  /**
   * From one pass to the next, and what a pass may take; may change from pass to pass where a
   * device has more to say than it can in the configured time.
   */
  Duration interval();

  /** Whether it reads ports of devices; a job has none. */
  default boolean readsPorts() {
    return true;
  }

  /**
   * One pass. Does not throw for what a device can do wrong: the outcome says it.
   *
   * @param deadline by when it must have returned; later it is interrupted
   */
  CollectOutcome collect(Instant deadline) throws InterruptedException;

  @Override
  void close();
}
