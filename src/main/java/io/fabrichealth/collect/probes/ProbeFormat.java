package io.fabrichealth.collect.probes;

/** Whose output it is. */
public enum ProbeFormat {
  /** {@code ping} of iputils, BusyBox, macOS: the summary at its end. */
  PING,

  /** {@code fping -c}, {@code -C} and {@code -J}. */
  FPING,

  /** {@code ib_write_lat}, {@code ib_send_lat}, {@code ib_read_lat}, {@code ib_atomic_lat}. */
  PERFTEST,

  /** {@code osu_latency}. */
  OSU
}
