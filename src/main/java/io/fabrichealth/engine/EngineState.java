package io.fabrichealth.engine;

import io.fabrichealth.finding.Subject;
import io.fabrichealth.signal.DeviceSignals;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.verdict.Track;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All that the engine knows. {@link Engine#step} changes it in place, so that a poll costs no copy
 * of the whole; it belongs to the thread that steps.
 */
public final class EngineState {
  Fabric fabric = Fabric.EMPTY;
  Instant now = Instant.MIN;
  Instant nextSweep = Instant.MIN;

  private long outOfOrder;
  private long merged;

  /** By device, then by collector. */
  final Map<String, Map<String, Source>> sources = new HashMap<>();

  final Map<Subject, Track> tracks = new LinkedHashMap<>();

  /** Ports whose findings name a subject that is not their own link. */
  final Map<Subject, Set<PortId>> accusers = new HashMap<>();

  /** Links that were not known well enough when they were last looked at. */
  final Set<Subject> blind = new LinkedHashSet<>();

  public Fabric fabric() {
    return fabric;
  }

  /** Polls that were dropped so far because they came late or twice. */
  public long outOfOrder() {
    return outOfOrder;
  }

  /** Polls so far that came so soon after another that their growth went into the next. */
  public long merged() {
    return merged;
  }

  void count(DeviceSignals.Outcome outcome) {
    switch (outcome) {
      case OUT_OF_ORDER -> outOfOrder++;
      case MERGED -> merged++;
      case ACCEPTED -> {}
    }
  }

  /** The signals of a port as they are now, of the collector that read it last. */
  public @Nullable SignalWindow window(PortId port) {
    SignalWindow newest = null;
    for (Source source : sourcesOf(port.device())) {
      SignalWindow window = source.signals.window(port.port());
      if (window != null && (newest == null || window.timeNanos() > newest.timeNanos())) {
        newest = window;
      }
    }
    return newest;
  }

  /** A copy of the port's signals that stays as it is; null where it was never read. */
  public @Nullable PortReadings snapshot(PortId port, String collector) {
    Source source = sources.getOrDefault(port.device(), Map.of()).get(collector);
    return source == null ? null : source.signals.snapshot(port.port());
  }

  /** Whether the subject is a link of the fabric, or accused, or has an open incident. */
  public boolean knows(Subject subject) {
    return tracks.containsKey(subject);
  }

  /** Names every device with each collector that read it. */
  public void forEachSource(BiConsumer<String, String> action) {
    sources.forEach(
        (device, collectors) ->
            collectors.keySet().forEach(collector -> action.accept(device, collector)));
  }

  Iterable<Source> sourcesOf(String device) {
    Map<String, Source> found = sources.get(device);
    return found == null ? List.of() : found.values();
  }
}
