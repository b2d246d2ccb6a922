package io.fabrichealth.signal;

import io.fabrichealth.topology.PortId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The signals of one port as columns of primitives: a slot for each element of each signal that was
 * ever read, the slots of a signal side by side. Belongs to one thread; {@link #snapshot} gives
 * what others may read.
 */
final class PortSignals implements SignalWindow {
  private static final byte HAS_LAST = 1;
  private static final byte HAS_DELTA = 2;
  private static final byte BEGAN_ANEW = 4;
  private static final double LINE_RATES = 2;
  private static final long SLACK_NANOS = 60_000_000_000L;
  private static final double NANOS = 1e9;

  private final PortId port;
  private final String collector;
  private final SignalDictionary dictionary;

  /** First slot of a signal by ordinal; meaningless where {@link #count} is 0. */
  private short[] base;

  private short[] count;
  private int slots;
  private long timeNanos;
  private long readNanos;
  private int poll = 1;
  private @Nullable String discontinuity;

  private long[] raw = new long[0];
  private long[] lastNanos = new long[0];
  private long[] delta = new long[0];
  private long[] total = new long[0];
  private float[] seconds = new float[0];
  private byte[] quality = new byte[0];
  private byte[] flags = new byte[0];
  private int[] readInPoll = new int[0];
  private Map<Integer, String> reasons = new HashMap<>();

  PortSignals(PortId port, String collector, SignalDictionary dictionary) {
    this.port = port;
    this.collector = collector;
    this.dictionary = dictionary;
    base = new short[dictionary.size()];
    count = new short[dictionary.size()];
  }

  // --- what a poll does

  void beginPoll(long time, long readAt) {
    timeNanos = time;
    readNanos = readAt;
    poll++;
  }

  /** A poll of the device did not read the port: nothing of it is fresh any more. */
  void missed() {
    poll++;
  }

  /** The counters of this port began anew: the next reading of each is a baseline. */
  void beginAnew() {
    for (int slot = 0; slot < slots; slot++) {
      flags[slot] = (byte) (flags[slot] == 0 ? 0 : BEGAN_ANEW);
    }
  }

  /** Takes note of the port's discontinuity mark; a change of it makes its counters begin anew. */
  void discontinuity(@Nullable String mark) {
    if (mark == null) {
      return;
    }
    if (discontinuity != null && !discontinuity.equals(mark)) {
      beginAnew();
    }
    discontinuity = mark;
  }

  void absent(int signal, int element, Quality why, @Nullable String reason) {
    int slot = slotFor(signal, element);
    quality[slot] = (byte) why.ordinal();
    flags[slot] &= ~HAS_DELTA;
    if (reason == null) {
      reasons.remove(slot);
    } else {
      reasons.put(slot, reason);
    }
  }

  void value(int signal, int element, long bits) {
    int slot = slotFor(signal, element);
    raw[slot] = bits;
    accept(slot, Quality.OK);
  }

  /**
   * A counter was read.
   *
   * @param largest its largest value on this device, unsigned
   * @param saturated whether the reader says that it stands at its end
   * @param plausibleGrowth the most that it can have grown in a second; NaN where nothing is known
   * @param typicalNanos the usual time between two polls; 0 where unknown
   * @return false where it grew by more than the line can carry, which is not believed
   */
  boolean counter(
      int signal,
      int element,
      long value,
      long largest,
      boolean saturated,
      double plausibleGrowth,
      long typicalNanos) {
    int slot = slotFor(signal, element);
    boolean sticks = dictionary.signal(signal).atEnd() == Signal.AtEnd.SATURATES;
    boolean atEnd = saturated || (sticks && value == largest);
    if ((flags[slot] & HAS_LAST) == 0) {
      boolean anew = (flags[slot] & BEGAN_ANEW) != 0;
      baseline(slot, value, atEnd ? Quality.SATURATED : anew ? Quality.RESET : Quality.OK);
      return true;
    }
    long elapsed = timeNanos - lastNanos[slot];
    long before = raw[slot];
    if (elapsed <= 0) {
      baseline(slot, value, Quality.RESET);
    } else if (atEnd && before == value) {
      // It cannot move any more: that it did not is no sign that nothing happened.
      baseline(slot, value, Quality.SATURATED);
    } else if (isBeyondLine(value - before, plausibleGrowth * (elapsed + SLACK_NANOS) / NANOS)
        && Long.compareUnsigned(value, before) >= 0) {
      baseline(slot, value, Quality.RESET);
      reasons.put(slot, "grew by more than the line can carry");
      return false;
    } else if (Long.compareUnsigned(value, before) >= 0) {
      Quality as =
          atEnd
              ? Quality.SATURATED
              : typicalNanos > 0 && elapsed > typicalNanos + typicalNanos / 2
                  ? Quality.GAP
                  : Quality.OK;
      grown(slot, value, value - before, elapsed, as);
    } else {
      long wrapped = value - before + largest + 1;
      if (!sticks && isPlausibleWrap(wrapped, largest, plausibleGrowth * elapsed / NANOS)) {
        grown(slot, value, wrapped, elapsed, Quality.WRAPPED);
      } else {
        baseline(slot, value, Quality.RESET);
      }
    }
    return true;
  }

  /** Agents answer from copies that are seconds old, so a poll may hold the traffic of two. */
  private static boolean isBeyondLine(long growth, double most) {
    return !Double.isNaN(most) && (growth < 0 || growth > LINE_RATES * most);
  }

  /**
   * A wrap is believed only of a counter narrower than 64 bits that grew by less than half its
   * range and by no more than the line can carry; a cleared counter looks like a wrap over more
   * than that. Where nothing is known of what it can carry, it must have been near its end.
   */
  private static boolean isPlausibleWrap(long growth, long largest, double most) {
    if (largest == -1L) {
      return false;
    }
    return Double.isNaN(most)
        ? Long.compareUnsigned(growth, largest >>> 4) <= 0
        : Long.compareUnsigned(growth, largest >>> 1) <= 0 && growth <= most * 1.05 + 1;
  }

  private void baseline(int slot, long value, Quality as) {
    accept(slot, as);
    raw[slot] = value;
    lastNanos[slot] = timeNanos;
    flags[slot] = HAS_LAST;
  }

  private void grown(int slot, long value, long growth, long elapsed, Quality as) {
    accept(slot, as);
    raw[slot] = value;
    lastNanos[slot] = timeNanos;
    delta[slot] = growth;
    total[slot] += growth;
    seconds[slot] = (float) (elapsed / NANOS);
    flags[slot] = HAS_LAST | HAS_DELTA;
  }

  private void accept(int slot, Quality as) {
    quality[slot] = (byte) as.ordinal();
    readInPoll[slot] = poll;
    flags[slot] &= ~HAS_DELTA;
    if (!reasons.isEmpty()) {
      reasons.remove(slot);
    }
  }

  private int slotFor(int signal, int element) {
    if (element >= count[signal]) {
      grow(signal, element + 1);
    }
    return base[signal] + element;
  }

  /** Makes room by rebuilding all columns: happens only while a device shows what it has. */
  private void grow(int signal, int elements) {
    int added = elements - count[signal];
    int at = count[signal] == 0 ? slots : base[signal] + count[signal];
    raw = opened(raw, at, added);
    lastNanos = opened(lastNanos, at, added);
    delta = opened(delta, at, added);
    total = opened(total, at, added);
    float[] widerSeconds = new float[slots + added];
    System.arraycopy(seconds, 0, widerSeconds, 0, at);
    System.arraycopy(seconds, at, widerSeconds, at + added, slots - at);
    seconds = widerSeconds;
    quality = opened(quality, at, added);
    Arrays.fill(quality, at, at + added, (byte) Quality.UNSUPPORTED.ordinal());
    flags = opened(flags, at, added);
    int[] widerRead = new int[slots + added];
    System.arraycopy(readInPoll, 0, widerRead, 0, at);
    System.arraycopy(readInPoll, at, widerRead, at + added, slots - at);
    readInPoll = widerRead;
    if (!reasons.isEmpty()) {
      Map<Integer, String> moved = new HashMap<>();
      reasons.forEach((slot, text) -> moved.put(slot >= at ? slot + added : slot, text));
      reasons = moved;
    }
    // Snapshots share the layout, so a change makes a new one.
    base = base.clone();
    count = count.clone();
    for (int other = 0; other < base.length; other++) {
      if (count[other] > 0 && base[other] >= at) {
        base[other] += (short) added;
      }
    }
    if (count[signal] == 0) {
      base[signal] = (short) at;
    }
    count[signal] = (short) elements;
    slots += added;
  }

  private long[] opened(long[] column, int at, int added) {
    long[] wider = new long[slots + added];
    System.arraycopy(column, 0, wider, 0, at);
    System.arraycopy(column, at, wider, at + added, slots - at);
    return wider;
  }

  private byte[] opened(byte[] column, int at, int added) {
    byte[] wider = new byte[slots + added];
    System.arraycopy(column, 0, wider, 0, at);
    System.arraycopy(column, at, wider, at + added, slots - at);
    return wider;
  }

  // --- what a detector sees

  @Override
  public PortId port() {
    return port;
  }

  @Override
  public String collector() {
    return collector;
  }

  @Override
  public long timeNanos() {
    return timeNanos;
  }

  @Override
  public long readNanos() {
    return readNanos;
  }

  @Override
  public int elements(int signal) {
    return count[signal];
  }

  @Override
  public boolean isFresh(int signal) {
    for (int slot = base[signal]; slot < base[signal] + count[signal]; slot++) {
      if (isFreshSlot(slot)) {
        return true;
      }
    }
    return false;
  }

  private boolean isFreshSlot(int slot) {
    Quality of = Quality.of(quality[slot]);
    return readInPoll[slot] == poll && of.hasValue() && of != Quality.STALE;
  }

  @Override
  public Quality quality(int signal, int element) {
    return element < count[signal]
        ? Quality.of(quality[base[signal] + element])
        : Quality.UNSUPPORTED;
  }

  @Override
  public @Nullable String reason(int signal, int element) {
    return element < count[signal] ? reasons.get(base[signal] + element) : null;
  }

  @Override
  public double value(int signal, int element) {
    if (element >= count[signal] || !isFreshSlot(base[signal] + element)) {
      return Double.NaN;
    }
    return Double.longBitsToDouble(raw[base[signal] + element]);
  }

  /** Gauge as it was last read, however long ago; NaN where it never was. */
  double lastKnown(int signal) {
    return count[signal] > 0 && readInPoll[base[signal]] > 0
        ? Double.longBitsToDouble(raw[base[signal]])
        : Double.NaN;
  }

  @Override
  public long raw(int signal, int element) {
    return element < count[signal] ? raw[base[signal] + element] : 0;
  }

  @Override
  public boolean hasDelta(int signal, int element) {
    if (element >= count[signal]) {
      return false;
    }
    int slot = base[signal] + element;
    return (flags[slot] & HAS_DELTA) != 0 && readInPoll[slot] == poll;
  }

  @Override
  public long delta(int signal, int element) {
    return hasDelta(signal, element) ? delta[base[signal] + element] : 0;
  }

  @Override
  public double deltaSum(int signal) {
    double sum = 0;
    for (int element = 0; element < count[signal]; element++) {
      if (hasDelta(signal, element)) {
        sum += Unsigned.toDouble(delta[base[signal] + element]);
      }
    }
    return sum;
  }

  @Override
  public double seconds(int signal, int element) {
    return hasDelta(signal, element) ? seconds[base[signal] + element] : 0;
  }

  @Override
  public long total(int signal, int element) {
    return element < count[signal] ? total[base[signal] + element] : 0;
  }

  /** A copy that stays as it is; the layout is shared. */
  PortReadings snapshot() {
    byte[] marks = new byte[slots];
    for (int slot = 0; slot < slots; slot++) {
      marks[slot] = isFreshSlot(slot) ? FrozenReadings.fresh(quality[slot]) : quality[slot];
    }
    return new FrozenReadings(
        port,
        collector,
        timeNanos,
        readNanos,
        base,
        count,
        raw.clone(),
        total.clone(),
        marks,
        Map.copyOf(reasons));
  }

  // --- stored state

  /** Baselines and totals, by signal id: ordinals do not outlive a dictionary. */
  PortBaselines baselines() {
    int counters = 0;
    for (int slot = 0; slot < slots; slot++) {
      counters += (flags[slot] & HAS_LAST) != 0 ? 1 : 0;
    }
    PortBaselines stored =
        new PortBaselines(
            port.port(),
            discontinuity,
            new String[counters],
            new int[counters],
            new long[counters],
            new long[counters],
            new long[counters]);
    int row = 0;
    for (int signal = 0; signal < base.length; signal++) {
      for (int element = 0; element < count[signal]; element++) {
        int slot = base[signal] + element;
        if ((flags[slot] & HAS_LAST) != 0) {
          stored.signals()[row] = dictionary.signal(signal).id();
          stored.elements()[row] = element;
          stored.last()[row] = raw[slot];
          stored.lastNanos()[row] = lastNanos[slot];
          stored.totals()[row] = total[slot];
          row++;
        }
      }
    }
    return stored;
  }

  void restore(PortBaselines stored) {
    discontinuity = stored.discontinuity();
    for (int row = 0; row < stored.signals().length; row++) {
      if (dictionary.contains(stored.signals()[row])) {
        int slot = slotFor(dictionary.ordinal(stored.signals()[row]), stored.elements()[row]);
        raw[slot] = stored.last()[row];
        lastNanos[slot] = stored.lastNanos()[row];
        total[slot] = stored.totals()[row];
        quality[slot] = (byte) Quality.STALE.ordinal();
        flags[slot] = HAS_LAST;
      }
    }
  }
}
