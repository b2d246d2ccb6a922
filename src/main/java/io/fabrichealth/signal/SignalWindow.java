package io.fabrichealth.signal;

/** All signals of one port after its last poll, with their growth: what a detector sees. */
public interface SignalWindow extends PortReadings {

  /**
   * Whether {@link #delta} holds the growth of this poll: false at the first reading, after a
   * reset, and where the last poll did not read it.
   */
  boolean hasDelta(int signal, int element);

  /** Growth of a counter since its reading before, unsigned. Censored ("or more") if saturated. */
  long delta(int signal, int element);

  /** Sum of {@link #delta} over all elements that have one. */
  double deltaSum(int signal);

  /** Exposure of the delta in seconds, of the device's time. */
  double seconds(int signal, int element);
}
