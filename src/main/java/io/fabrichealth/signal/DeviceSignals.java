package io.fabrichealth.signal;

import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.PortId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The delta engine: turns the batches that one collector reads of one device into growth and values
 * by port. It knows reboots, wraps, saturation, missed polls, and batches that come late or twice.
 * Belongs to one thread.
 */
public final class DeviceSignals {
  /** What became of a batch. */
  public enum Outcome {
    ACCEPTED,
    /** Not newer than one that was accepted: late or twice. */
    OUT_OF_ORDER,
    /** So soon after the last one that its growth goes into the next. */
    MERGED
  }

  private static final int SMALLEST_PACKET_OCTETS = 64;

  /** Batches are late by a minute at most; one that is older yet was read by a clock set back. */
  private static final long CLOCK_SET_BACK_NANOS = Duration.ofMinutes(2).toNanos();

  private final String device;
  private final String collector;
  private final SignalDictionary dictionary;
  private final double[] octetsPerUnit;
  private final int speed;
  private final Map<String, PortSignals> ports = new HashMap<>();
  private final List<PortSignals> touched = new ArrayList<>();
  private PortSignals[] ofBatch = new PortSignals[0];
  private @Nullable String boot;
  private long lastAtNanos = Long.MIN_VALUE / 2;
  private long lastTimeNanos = Long.MIN_VALUE;
  private long typicalNanos;
  private long quarantined;

  public DeviceSignals(String device, String collector, SignalDictionary dictionary) {
    this.device = device;
    this.collector = collector;
    this.dictionary = dictionary;
    speed = dictionary.ordinal("port.speed_bits_per_second");
    octetsPerUnit = new double[dictionary.size()];
    for (int signal = 0; signal < octetsPerUnit.length; signal++) {
      octetsPerUnit[signal] = octetsPerUnit(dictionary.signal(signal).id());
    }
  }

  /** How many octets of line rate one unit of the counter takes at least; 0 where unrelated. */
  private static double octetsPerUnit(String signal) {
    if (signal.endsWith("_octets")) {
      return 1;
    }
    boolean countsPackets =
        signal.endsWith("_packets")
            || signal.startsWith("port.in_")
            || signal.startsWith("port.out_");
    return countsPackets ? SMALLEST_PACKET_OCTETS : 0;
  }

  /** Values so far that no device of this world can have; they are shown as unreadable. */
  public long quarantined() {
    return quarantined;
  }

  /** Usual time between two batches in nanoseconds; 0 until there were two. */
  public long typicalNanos() {
    return typicalNanos;
  }

  /**
   * Takes one batch in. Its ports are then in {@link #touched}.
   *
   * @param description of the device, for widths of its counters; null where unknown
   */
  public Outcome apply(PollBatch batch, @Nullable Device description) {
    touched.clear();
    long at = nanos(batch.at());
    if (at <= lastAtNanos && at > lastAtNanos - CLOCK_SET_BACK_NANOS) {
      return Outcome.OUT_OF_ORDER;
    }
    if (batch.size() == 0) {
      // Has no time of the device, so it says nothing of its clock.
      lastAtNanos = at;
      ports.values().forEach(PortSignals::missed);
      return Outcome.ACCEPTED;
    }
    long time = batch.timeNanos();
    boolean first = lastTimeNanos == Long.MIN_VALUE;
    boolean rebooted = !first && BootIdentity.isAnother(boot, batch.boot());
    boolean clockSteppedBack = !first && time <= lastTimeNanos;
    long elapsed = time - lastTimeNanos;
    if (!first && !rebooted && !clockSteppedBack && elapsed < typicalNanos / 5) {
      return Outcome.MERGED;
    }
    if (rebooted || clockSteppedBack) {
      ports.values().forEach(PortSignals::beginAnew);
    } else if (!first) {
      // Follows a changed interval within a few polls; an outage says little of the interval.
      typicalNanos =
          typicalNanos == 0
              ? elapsed
              : typicalNanos + (Math.min(elapsed, 2 * typicalNanos) - typicalNanos) / 4;
    }
    if (batch.boot() != null) {
      boot = batch.boot();
    }
    lastAtNanos = at;
    lastTimeNanos = time;
    read(batch, time, at, description);
    return Outcome.ACCEPTED;
  }

  private void read(PollBatch batch, long time, long at, @Nullable Device description) {
    List<String> names = batch.ports();
    if (ofBatch.length < names.size()) {
      ofBatch = new PortSignals[names.size()];
    }
    // Those that the batch names are moved on below, by what it reads of them.
    for (PortSignals port : ports.values()) {
      port.missed();
    }
    for (int index = 0; index < names.size(); index++) {
      String name = names.get(index);
      PortSignals port = ports.get(name);
      if (port == null) {
        port = new PortSignals(new PortId(device, name), collector, dictionary);
        ports.put(name, port);
      }
      port.beginPoll(time, at);
      port.discontinuity(batch.discontinuity(name));
      ofBatch[index] = port;
      touched.add(port);
    }
    for (int reading = 0; reading < batch.size(); reading++) {
      int signal = batch.signal(reading);
      int element = batch.element(reading);
      PortSignals port = ofBatch[batch.portIndex(reading)];
      Quality quality = batch.quality(reading);
      if (!quality.hasValue() || quality == Quality.STALE) {
        port.absent(signal, element, quality, batch.reason(reading));
      } else if (dictionary.signal(signal).kind() == Signal.Kind.COUNTER) {
        boolean isBelieved =
            port.counter(
                signal,
                element,
                batch.raw(reading),
                largest(batch, signal, description),
                quality == Quality.SATURATED,
                plausibleGrowth(port, signal),
                typicalNanos);
        quarantined += isBelieved ? 0 : 1;
      } else if (dictionary.signal(signal).canBe(batch.value(reading))) {
        port.value(signal, element, batch.raw(reading));
      } else {
        quarantined++;
        port.absent(signal, element, Quality.UNREADABLE, absurd(signal, batch.value(reading)));
      }
    }
  }

  private String absurd(int ordinal, double value) {
    Signal signal = dictionary.signal(ordinal);
    return "absurd value " + value + ", expected " + signal.least() + " to " + signal.most();
  }

  private long largest(PollBatch batch, int signal, @Nullable Device description) {
    int bits = batch.counterBits(signal);
    if (bits == 0 && description != null && !description.counterBits().isEmpty()) {
      bits = description.counterBits().getOrDefault(dictionary.signal(signal).id(), 0);
    }
    return bits == 0 ? dictionary.signal(signal).largest() : bits >= 64 ? -1L : (1L << bits) - 1;
  }

  /** Units a second at line rate; NaN where the speed or the relation is unknown. */
  private double plausibleGrowth(PortSignals port, int signal) {
    double bitsPerSecond = port.lastKnown(speed);
    return octetsPerUnit[signal] > 0 && bitsPerSecond > 0
        ? bitsPerSecond / 8 / octetsPerUnit[signal]
        : Double.NaN;
  }

  /** The ports of the last batch; valid until the next. */
  public List<? extends SignalWindow> touched() {
    return touched;
  }

  /** Names of all ports that were ever read. */
  public Iterable<String> portNames() {
    return ports.keySet();
  }

  /** The port as it is now; null where it was never read. */
  public @Nullable SignalWindow window(String port) {
    return ports.get(port);
  }

  /** A copy of the port that stays as it is; null where it was never read. */
  public @Nullable PortReadings snapshot(String port) {
    PortSignals signals = ports.get(port);
    return signals == null ? null : signals.snapshot();
  }

  /** What has to outlive a restart. */
  public DeviceBaselines baselines() {
    List<PortBaselines> stored = new ArrayList<>(ports.size());
    ports.values().forEach(port -> stored.add(port.baselines()));
    return new DeviceBaselines(
        device, collector, boot, lastAtNanos, lastTimeNanos, typicalNanos, stored);
  }

  /** Goes on where the stored state ended. */
  public static DeviceSignals restore(DeviceBaselines stored, SignalDictionary dictionary) {
    DeviceSignals signals = new DeviceSignals(stored.device(), stored.collector(), dictionary);
    signals.boot = stored.boot();
    signals.lastAtNanos = stored.lastAtNanos();
    signals.lastTimeNanos = stored.lastTimeNanos();
    signals.typicalNanos = stored.typicalNanos();
    for (PortBaselines port : stored.ports()) {
      PortSignals restored =
          new PortSignals(new PortId(stored.device(), port.port()), stored.collector(), dictionary);
      restored.restore(port);
      signals.ports.put(port.port(), restored);
    }
    return signals;
  }

  private static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }
}
