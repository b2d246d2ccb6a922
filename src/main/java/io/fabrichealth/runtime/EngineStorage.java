package io.fabrichealth.runtime;

import io.fabrichealth.engine.Engine;
import io.fabrichealth.engine.EngineMemory;
import io.fabrichealth.engine.EngineState;
import io.fabrichealth.engine.StoredSource;
import io.fabrichealth.engine.StoredSpeaker;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.store.EngineSnapshots;
import io.fabrichealth.store.Inventory;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.verdict.Track;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the engine's state in the database, so that a restart goes on without relearning. The
 * thread that steps the engine takes the state apart, a source at a time; another one writes.
 */
final class EngineStorage {
  private static final Logger log = LoggerFactory.getLogger(EngineStorage.class);

  /** Grows when stored state can no longer be read; an older one is then learnt anew. */
  private static final int VERSION = 3;

  private static final Duration EVERY = Duration.ofSeconds(60);
  private static final Duration TRACKS_EVERY = Duration.ofSeconds(10);
  private static final String TRACKS = "tracks";
  private static final String FABRIC = "fabric";

  private final EngineSnapshots snapshots;
  private final Inventory inventory;
  private final Incidents incidents;
  private final EngineMemory memory;
  private final SmileCodec codec = new SmileCodec();
  private final Counter failures;
  private final Map<String, Instant> storedAt = new HashMap<>();
  private final Map<String, byte[]> pending = new HashMap<>();
  private @Nullable Fabric pendingFabric;

  EngineStorage(
      EngineSnapshots snapshots,
      Inventory inventory,
      Incidents incidents,
      Engine engine,
      MeterRegistry meters) {
    this.snapshots = snapshots;
    this.inventory = inventory;
    this.incidents = incidents;
    memory = new EngineMemory(engine, codec);
    failures =
        Counter.builder("fabric.health.engine.store.failures")
            .description("Times that the engine's state could not be stored or read")
            .register(meters);
  }

  /** The fabric as it was last known; empty at the very first start. */
  Fabric loadFabric() {
    try {
      return inventory.load().orElse(Fabric.EMPTY);
    } catch (RuntimeException e) {
      failures.increment();
      log.warn("outcome=failed action=load_inventory", e);
      return Fabric.EMPTY;
    }
  }

  /** Puts into the state what was stored, and the incidents that are open. */
  void load(EngineState state) {
    List<Track> tracks = List.of();
    int sources = 0;
    for (Map.Entry<String, byte[]> entry : loadPieces().entrySet()) {
      try {
        if (entry.getKey().equals(TRACKS)) {
          tracks = List.of(codec.decode(entry.getValue(), Track[].class));
        } else if (entry.getKey().equals(FABRIC)) {
          StoredSpeaker[] stored = codec.decode(entry.getValue(), StoredSpeaker[].class);
          warnUnread(memory.restore(state, stored));
        } else {
          warnUnread(memory.restore(state, codec.decode(entry.getValue(), StoredSource.class)));
          sources++;
        }
      } catch (RuntimeException e) {
        failures.increment();
        log.warn("outcome=relearn reason=unreadable_state of={}", entry.getKey(), e);
      }
    }
    Map<Subject, Track> open = new HashMap<>();
    for (Incident incident : incidents.unresolved()) {
      open.put(
          incident.subject(),
          Track.reopen(
              incident.subject(), incident.openedAt(), incident.cause(), incident.summary()));
    }
    memory.restore(state, tracks, open);
    if (sources > 0 || !open.isEmpty()) {
      log.info("outcome=restored sources={} open_incidents={}", sources, open.size());
    }
  }

  private static void warnUnread(List<String> detectors) {
    detectors.forEach(what -> log.warn("outcome=relearn reason=unreadable_state of={}", what));
  }

  private Map<String, byte[]> loadPieces() {
    try {
      return snapshots.load(VERSION);
    } catch (RuntimeException e) {
      failures.increment();
      log.warn("outcome=relearn reason=state_not_loaded", e);
      return Map.of();
    }
  }

  /** Takes one source apart if that was not done lately. */
  void note(EngineState state, String device, String collector, Instant now) {
    String key = collector + " " + device;
    Instant before = storedAt.get(key);
    if (before == null || isDue(before, now, EVERY)) {
      storedAt.put(key, now);
      keep(state, device, collector, key);
    }
    Instant tracks = storedAt.get(TRACKS);
    if (tracks == null || isDue(tracks, now, TRACKS_EVERY)) {
      storedAt.put(TRACKS, now);
      keepTracks(state);
    }
  }

  /** Also where the clock was set back: what was stored last lies in the future then. */
  private static boolean isDue(Instant before, Instant now, Duration every) {
    return Duration.between(before, now).abs().compareTo(every) >= 0;
  }

  /** Takes everything apart: before the service ends. */
  void noteAll(EngineState state) {
    state.forEachSource(
        (device, collector) -> keep(state, device, collector, collector + " " + device));
    keepTracks(state);
  }

  synchronized void note(Fabric fabric) {
    pendingFabric = fabric;
  }

  private void keep(EngineState state, String device, String collector, String key) {
    StoredSource source = memory.source(state, device, collector);
    if (source != null) {
      put(key, codec.encode(source));
    }
  }

  private void keepTracks(EngineState state) {
    put(TRACKS, codec.encode(memory.tracks(state).toArray(Track[]::new)));
    put(FABRIC, codec.encode(memory.fabric(state)));
  }

  private synchronized void put(String key, byte[] state) {
    pending.put(key, state);
  }

  private synchronized Map<String, byte[]> takePending() {
    Map<String, byte[]> taken = new HashMap<>(pending);
    pending.clear();
    return taken;
  }

  private synchronized @Nullable Fabric takeFabric() {
    Fabric taken = pendingFabric;
    pendingFabric = null;
    return taken;
  }

  /** Writes what was taken apart; what cannot be written now is kept unless there is newer. */
  void flush(Instant now) {
    Fabric fabric = takeFabric();
    Map<String, byte[]> changed = takePending();
    try {
      if (fabric != null) {
        inventory.save(fabric, now);
        fabric = null;
      }
      if (!changed.isEmpty()) {
        snapshots.save(changed, VERSION, now);
      }
    } catch (RuntimeException e) {
      failures.increment();
      log.warn("outcome=failed action=store_engine_state reason={}", e.getMessage());
      putBack(changed, fabric);
    }
  }

  private synchronized void putBack(Map<String, byte[]> changed, @Nullable Fabric fabric) {
    changed.forEach(pending::putIfAbsent);
    if (pendingFabric == null) {
      pendingFabric = fabric;
    }
  }
}
