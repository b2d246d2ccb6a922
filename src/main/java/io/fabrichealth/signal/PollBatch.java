package io.fabrichealth.signal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All readings of one device and one pass: the unit of transport and storage. The readings are
 * columns of primitives, so that a reading costs no object.
 *
 * <p>A pass that failed is a batch too, without readings and not complete: that is how the engine
 * learns that a poll was missed.
 */
public final class PollBatch {
  /** The name under which signals of the device itself stand. */
  public static final String DEVICE = "";

  private static final long NANOS = 1_000_000_000L;

  private final String device;
  private final String collector;
  private final Instant at;
  private final @Nullable Instant deviceTime;
  private final @Nullable String boot;
  private final boolean complete;
  private final Map<String, String> discontinuities;
  private final List<String> ports;
  private final Map<Integer, String> reasons;
  private final Map<Integer, Integer> counterBits;
  private final int size;
  private final int[] portIndex;
  private final short[] signal;
  private final short[] element;
  private final long[] raw;
  private final byte[] quality;

  private PollBatch(Builder builder, boolean complete) {
    device = builder.device;
    collector = builder.collector;
    at = builder.at;
    deviceTime = builder.deviceTime;
    boot = builder.boot;
    this.complete = complete;
    discontinuities = Map.copyOf(builder.discontinuities);
    ports = List.copyOf(builder.ports);
    reasons = Map.copyOf(builder.reasons);
    counterBits = Map.copyOf(builder.counterBits);
    size = builder.size;
    portIndex = builder.portIndex;
    signal = builder.signal;
    element = builder.element;
    raw = builder.raw;
    quality = builder.quality;
  }

  private PollBatch(PollBatch same, String device, List<String> ports) {
    this.device = device;
    collector = same.collector;
    at = same.at;
    deviceTime = same.deviceTime;
    boot = same.boot;
    complete = same.complete;
    Map<String, String> byNewName = new HashMap<>(same.discontinuities);
    for (int index = 0; index < ports.size(); index++) {
      String moved = same.discontinuities.get(same.ports.get(index));
      if (moved != null && !ports.get(index).equals(same.ports.get(index))) {
        byNewName.remove(same.ports.get(index));
        byNewName.put(ports.get(index), moved);
      }
    }
    discontinuities = Map.copyOf(byNewName);
    this.ports = List.copyOf(ports);
    reasons = same.reasons;
    counterBits = same.counterBits;
    size = same.size;
    portIndex = same.portIndex;
    signal = same.signal;
    element = same.element;
    raw = same.raw;
    quality = same.quality;
  }

  public String device() {
    return device;
  }

  public String collector() {
    return collector;
  }

  /** When the reader of the device had it in hand. */
  public Instant at() {
    return at;
  }

  /** The device's own clock at the reading; null where it gives none. */
  public @Nullable Instant deviceTime() {
    return deviceTime;
  }

  /** Nanoseconds since 1970 of the device's clock, or of the reader's where it gives none. */
  public long timeNanos() {
    Instant time = deviceTime == null ? at : deviceTime;
    return time.getEpochSecond() * NANOS + time.getNano();
  }

  /** An opaque string: when it changes, every counter began anew. Null where unknown. */
  public @Nullable String boot() {
    return boot;
  }

  /** False where the pass ended early; what is here is good. */
  public boolean complete() {
    return complete;
  }

  /** Like {@link #boot()} for the counters of one port; null where it gives none. */
  public @Nullable String discontinuity(String port) {
    return discontinuities.get(port);
  }

  /** Names of the ports that occur; {@link #DEVICE} for the device itself. */
  public List<String> ports() {
    return ports;
  }

  /**
   * Width of a counter as this device gives it; 0 where the dictionary's holds.
   *
   * @param signalOrdinal ordinal in the dictionary
   */
  public int counterBits(int signalOrdinal) {
    return counterBits.isEmpty() ? 0 : counterBits.getOrDefault(signalOrdinal, 0);
  }

  /** Number of readings. */
  public int size() {
    return size;
  }

  /** Index into {@link #ports()}. */
  public int portIndex(int reading) {
    return portIndex[reading];
  }

  /** Ordinal in the dictionary. */
  public int signal(int reading) {
    return signal[reading];
  }

  /** Lane, priority, queue or bin; 0 where the signal has one element. */
  public int element(int reading) {
    return element[reading];
  }

  /** Counters as unsigned numbers; gauges and states by {@link Double#doubleToRawLongBits}. */
  public long raw(int reading) {
    return raw[reading];
  }

  public double value(int reading) {
    return Double.longBitsToDouble(raw[reading]);
  }

  public Quality quality(int reading) {
    return Quality.of(quality[reading]);
  }

  /** Why a reading is unreadable, for example {@code no light}; null where no reason is known. */
  public @Nullable String reason(int reading) {
    return reasons.get(reading);
  }

  public static Builder builder(String device, String collector, Instant at) {
    return new Builder(device, collector, at);
  }

  /**
   * The same readings under other names; this instance where no name changes. Of two names that
   * lead to one port, the one that is its own keeps it and the other stays as it is: readings of
   * two ports are never mixed.
   *
   * @param port gives the name to use for each of {@link #ports()}
   */
  public PollBatch renamed(String newDevice, UnaryOperator<String> port) {
    List<String> renamed = null;
    Set<String> taken = null;
    for (int index = 0; index < ports.size(); index++) {
      String name = ports.get(index);
      String better = name.equals(DEVICE) ? name : port.apply(name);
      if (!better.equals(name)) {
        if (renamed == null) {
          renamed = new ArrayList<>(ports);
          taken = new HashSet<>(ports);
        }
        if (taken != null && taken.add(better)) {
          renamed.set(index, better);
        }
      }
    }
    return renamed == null && newDevice.equals(device)
        ? this
        : new PollBatch(this, newDevice, renamed == null ? ports : renamed);
  }

  /** A pass that read nothing. */
  public static PollBatch missed(String device, String collector, Instant at) {
    return builder(device, collector, at).build(false);
  }

  /** Collects readings in any order. Not for use by several threads. */
  public static final class Builder {
    private final String device;
    private final String collector;
    private final Instant at;
    private final Map<String, Integer> indexes = new HashMap<>();
    private final Map<String, String> discontinuities = new HashMap<>();
    private final Map<Integer, String> reasons = new HashMap<>();
    private final Map<Integer, Integer> counterBits = new HashMap<>();
    private final List<String> ports = new ArrayList<>();
    private @Nullable Instant deviceTime;
    private @Nullable String boot;
    private int size;
    private int[] portIndex = new int[256];
    private short[] signal = new short[256];
    private short[] element = new short[256];
    private long[] raw = new long[256];
    private byte[] quality = new byte[256];

    private Builder(String device, String collector, Instant at) {
      this.device = device;
      this.collector = collector;
      this.at = at;
    }

    public Builder deviceTime(@Nullable Instant time) {
      deviceTime = time;
      return this;
    }

    public Builder boot(@Nullable String identity) {
      boot = identity;
      return this;
    }

    public Builder discontinuity(String port, String identity) {
      discontinuities.put(port, identity);
      return this;
    }

    /**
     * Says that the device gives a counter in another width than the dictionary's.
     *
     * @param bits 1 to 64
     */
    public Builder counterBits(int signalOrdinal, int bits) {
      counterBits.put(signalOrdinal, bits);
      return this;
    }

    /** The index of a port's name in this batch; adds the name where it is new. */
    public int port(String name) {
      Integer known = indexes.get(name);
      if (known != null) {
        return known;
      }
      int index = ports.size();
      ports.add(name);
      indexes.put(name, index);
      return index;
    }

    public Builder counter(int port, int signalOrdinal, int elementIndex, long unsigned) {
      append(port, signalOrdinal, elementIndex, unsigned, Quality.OK);
      return this;
    }

    /** A gauge or state. A value that is not a number becomes unreadable. */
    public Builder value(int port, int signalOrdinal, int elementIndex, double value) {
      if (Double.isNaN(value)) {
        return absent(port, signalOrdinal, elementIndex, Quality.UNREADABLE, "not a number");
      }
      append(port, signalOrdinal, elementIndex, Double.doubleToRawLongBits(value), Quality.OK);
      return this;
    }

    /** A counter at the end of its width: the true value is that or more. */
    public Builder saturated(int port, int signalOrdinal, int elementIndex, long unsigned) {
      append(port, signalOrdinal, elementIndex, unsigned, Quality.SATURATED);
      return this;
    }

    /**
     * A reading without a value.
     *
     * @param why {@link Quality#UNSUPPORTED}, {@link Quality#UNREADABLE} or {@link Quality#STALE}
     */
    public Builder absent(
        int port, int signalOrdinal, int elementIndex, Quality why, @Nullable String reason) {
      if (reason != null) {
        reasons.put(size, reason);
      }
      append(port, signalOrdinal, elementIndex, 0, why);
      return this;
    }

    public int size() {
      return size;
    }

    /** The batch; the builder must not be used after it. */
    public PollBatch build(boolean complete) {
      return new PollBatch(this, complete);
    }

    private void append(int port, int signalOrdinal, int elementIndex, long value, Quality as) {
      if (size == raw.length) {
        int larger = size * 2;
        portIndex = Arrays.copyOf(portIndex, larger);
        signal = Arrays.copyOf(signal, larger);
        element = Arrays.copyOf(element, larger);
        raw = Arrays.copyOf(raw, larger);
        quality = Arrays.copyOf(quality, larger);
      }
      portIndex[size] = port;
      signal[size] = (short) signalOrdinal;
      element[size] = (short) elementIndex;
      raw[size] = value;
      quality[size] = (byte) as.ordinal();
      size++;
    }
  }
}
