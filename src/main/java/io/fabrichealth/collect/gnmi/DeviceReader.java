package io.fabrichealth.collect.gnmi;

import com.github.gnmi.proto.Notification;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.MacAddress;
import io.fabrichealth.collect.gnmi.PortJoin.Parts;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Neighbour;
import io.fabrichealth.topology.SeenPort;
import io.fabrichealth.topology.Sighting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes passes of what a device sends. Belongs to one thread at a time: guarded by its owner. */
final class DeviceReader {
  private static final int STALE_INTERVALS = 3;
  private static final int MOST_NAMED = 5;

  private final GnmiTarget target;
  private final Profile profile;
  private final SignalDictionary dictionary;
  private final Modes modes;
  private final DeviceCache cache;
  private final NotificationReader notifications;
  private final DeviceClock clock = new DeviceClock();
  private final Map<String, PortMemory> memories = new HashMap<>();
  private final boolean[] sampled;
  private long lastPassNanos;
  private long coalescedBefore;
  private long malformedBefore;
  private long namelessBefore;

  DeviceReader(GnmiTarget target, Profile profile, SignalDictionary dictionary) {
    this.target = target;
    this.profile = profile;
    this.dictionary = dictionary;
    modes = new Modes(profile.paths());
    cache = new DeviceCache(profile);
    sampled = new boolean[profile.leaves().size()];
    notifications = new NotificationReader(cache, operStates(), sampled);
    lastPassNanos = System.nanoTime();
    modesMayHaveChanged();
  }

  private BitSet operStates() {
    BitSet leaves = new BitSet();
    profile
        .readings(PassAssembly.OPER_UP)
        .forEach(reading -> leaves.set(reading.leaves().getFirst().index()));
    return leaves;
  }

  Modes modes() {
    return modes;
  }

  /** What is sampled depends on what the device refused. */
  void modesMayHaveChanged() {
    for (Leaf leaf : profile.leaves()) {
      sampled[leaf.index()] = leaf.fact() == null && modes.isSampled(leaf.subscription());
    }
  }

  /**
   * Takes a notification in.
   *
   * @param nanos by {@link System#nanoTime}
   * @param here nanoseconds since 1970 by us
   * @return whether it brought a sampled value
   */
  boolean take(Notification notification, long nanos, long here) {
    boolean sample = notifications.read(notification, nanos);
    if (sample) {
      clock.stamp(notification.getTimestamp(), here);
    }
    return sample;
  }

  /** What was not told again since then is no more. */
  void sweep(long since) {
    cache.sweep(since);
  }

  /**
   * The readings of a pass.
   *
   * @param synced whether the device has told all that it has
   * @param connection what went wrong with the connection
   * @param remark what else is to be said of it; null where nothing is
   */
  CollectOutcome outcome(
      Instant at, boolean synced, List<Problem> connection, @Nullable String remark) {
    long nanos = System.nanoTime();
    Duration stale = target.interval().multipliedBy(STALE_INTERVALS);
    Pass pass =
        new Pass(
            at,
            lastPassNanos,
            nanos - stale.toNanos(),
            synced,
            clock.tell(GnmiCollector.nanos(at)));
    lastPassNanos = nanos;
    PollBatch.Builder batch =
        PollBatch.builder(target.device(), GnmiCollectors.NAME, at)
            .deviceTime(pass.deviceTime())
            .boot(BootTime.identity(cache.device().facts().get(FactKind.BOOT_TIME)));
    PassAssembly assembly =
        new PassAssembly(profile, modes, pass, batch, dictionary.ordinal("port.link_downed"));
    PortJoin join = PortJoin.of(cache);
    List<SeenPort> seen = new ArrayList<>();
    List<Neighbour> neighbours = new ArrayList<>();
    join.ports()
        .forEach(
            (name, parts) -> {
              if (parts.isKnown()) {
                PortMemory memory =
                    memories.computeIfAbsent(name, n -> new PortMemory(dictionary.size()));
                Lanes lanes = Lanes.of(parts, cache);
                assembly.add(name, parts, lanes, memory);
                seen.add(
                    Sightings.port(name, parts, lanes, id -> gauge(profile.readings(id), parts)));
                neighbours.addAll(Sightings.neighbours(name, parts));
              }
            });
    if (synced) {
      addGone(join, assembly);
    }
    List<Problem> problems = problems(connection, assembly);
    return CollectOutcome.of(
        batch.build(synced),
        synced ? sighting(seen, neighbours) : null,
        join.leftOut(),
        problems,
        remarks(join, remark));
  }

  private void addGone(PortJoin join, PassAssembly assembly) {
    Iterator<Map.Entry<String, PortMemory>> known = memories.entrySet().iterator();
    while (known.hasNext()) {
      Map.Entry<String, PortMemory> entry = known.next();
      Parts parts = join.ports().get(entry.getKey());
      if (parts != null && parts.isKnown()) {
        continue;
      }
      if (entry.getValue().unseen()) {
        assembly.addGone(entry.getKey(), entry.getValue());
      } else {
        known.remove();
        cache.forgetPort(entry.getKey());
      }
    }
  }

  private static double gauge(List<MappedReading> readings, Parts parts) {
    for (MappedReading reading : readings) {
      for (Row row : parts.rows()) {
        Cells cells = row.cells(reading.leaves().getFirst().index());
        if (cells != null && cells.state(0).hasValue()) {
          return Double.longBitsToDouble(cells.raw(0)) * reading.scale();
        }
      }
    }
    return Double.NaN;
  }

  private Sighting sighting(List<SeenPort> ports, List<Neighbour> neighbours) {
    Facts device = cache.device().facts();
    String chassis = MacAddress.of(device.get(FactKind.OWN_CHASSIS_ID));
    boolean hasLldp =
        profile.leaves().stream().anyMatch(leaf -> leaf.fact() == FactKind.CHASSIS_ID);
    return new Sighting(
        target.device(),
        target.role(),
        Sightings.emptyToNull(device.get(FactKind.HOST_NAME)),
        null,
        chassis == null ? List.of() : List.of(chassis),
        ports,
        neighbours,
        hasLldp);
  }

  private List<Problem> problems(List<Problem> connection, PassAssembly assembly) {
    List<Problem> problems = new ArrayList<>(connection);
    long malformed = notifications.malformed() - malformedBefore;
    malformedBefore += malformed;
    if (malformed > 0) {
      problems.add(
          new Problem(
              FailureCode.MALFORMED,
              target.device() + ": " + malformed + " updates hold no value that can be read"));
    }
    long nameless = notifications.nameless() - namelessBefore;
    namelessBefore += nameless;
    if (nameless > 0) {
      problems.add(
          new Problem(
              FailureCode.MALFORMED,
              target.device() + ": " + nameless + " updates do not say of which port they are"));
    }
    if (assembly.stale() > 0) {
      problems.add(
          new Problem(
              FailureCode.PARTIAL,
              target.device() + ": " + assembly.stale() + " readings are not sent any more"));
    }
    return problems;
  }

  private List<String> remarks(PortJoin join, @Nullable String remark) {
    List<String> remarks = new ArrayList<>(modes.remarks());
    if (remark != null) {
      remarks.add(remark);
    }
    if (!join.ambiguous().isEmpty()) {
      remarks.add(
          "names of ports that are another port's alias, not read: "
              + join.ambiguous().stream().limit(MOST_NAMED).toList());
    }
    long coalesced = notifications.coalesced() - coalescedBefore;
    coalescedBefore += coalesced;
    if (coalesced > 0) {
      remarks.add("the device dropped " + coalesced + " earlier values that it could not send");
    }
    if (cache.refused() > 0) {
      remarks.add(cache.refused() + " times a name was too long, empty, or one too many");
    }
    if (cache.ports().stream().anyMatch(Row::isGuessingQueues)) {
      remarks.add("names of queues do not tell their numbers, which are counted as they come");
    }
    return remarks;
  }
}
