package io.fabrichealth.engine;

import io.fabrichealth.detect.Detectors;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.JobImpact;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.latency.LatencyMatrix;
import io.fabrichealth.signal.DeviceSignals;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.verdict.Track;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
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
  private long detectorFaults;
  private long quarantined;

  /** By device, then by collector. */
  final Map<String, Map<String, Source>> sources = new HashMap<>();

  final Map<Subject, Track> tracks = new LinkedHashMap<>();

  /** Those of {@link #tracks} that are no links: few. */
  private final Set<Subject> others = new LinkedHashSet<>();

  /** Open incidents by what they explain. */
  private final Map<Subject, Set<Subject>> explained = new HashMap<>();

  private final Map<PortId, PortEntry> ports = new HashMap<>();

  /** In the order of their ids. */
  private final Map<Subject, LinkEntry> links = new LinkedHashMap<>();

  final Accusations accusations = new Accusations();

  final Jobs jobs = new Jobs();

  final Probes probes = new Probes();

  /** One a detector of the whole fabric. */
  final Speaker[] fabricWide;

  /** When each of them is due, epoch seconds. */
  final long[] nextFabricWide;

  /** Links of open incidents that the fabric does not hold, and since when. */
  final Map<Subject, Instant> missing = new HashMap<>();

  /** Links that were not known well enough when they were last looked at. */
  final Set<Subject> blind = new LinkedHashSet<>();

  EngineState(Detectors detectors) {
    fabricWide =
        detectors.fabric().stream()
            .map(detector -> new Speaker(detector.initial()))
            .toArray(Speaker[]::new);
    nextFabricWide = new long[fabricWide.length];
  }

  public Fabric fabric() {
    return fabric;
  }

  void wire(Fabric changed) {
    fabric = changed;
    links.clear();
    for (PortEntry entry : ports.values()) {
      entry.link = null;
      entry.peer = null;
      Port known = changed.port(entry.id);
      entry.port = known == null ? Port.of(entry.id) : known;
    }
    for (Link link : changed.links()) {
      List<PortEntry> ends = link.ends().stream().map(this::entry).toList();
      LinkEntry entry = new LinkEntry(link, Subject.of(link), ends);
      links.put(entry.subject(), entry);
      for (PortEntry end : ends) {
        end.link = entry;
        end.peer = ends.size() < 2 ? null : end == ends.get(0) ? ends.get(1) : ends.get(0);
      }
    }
  }

  /** The port, also one that is neither read nor wired. */
  PortEntry entry(PortId id) {
    PortEntry known = ports.get(id);
    if (known == null) {
      known = new PortEntry(id);
      Port described = fabric.port(id);
      known.port = described == null ? known.port : described;
      ports.put(id, known);
    }
    return known;
  }

  /** Null where the fabric has no such link. */
  @Nullable LinkEntry link(Subject subject) {
    return links.get(subject);
  }

  Collection<LinkEntry> links() {
    return links.values();
  }

  /** Subjects of verdicts that are no links. */
  Set<Subject> others() {
    return others;
  }

  void put(Track track) {
    Subject subject = track.subject();
    Track before = tracks.put(subject, track);
    if (before == null && subject.type() != SubjectType.LINK) {
      others.add(subject);
    }
    if (before != null
        && !before.members().isEmpty()
        && !before.members().equals(track.members())) {
      unexplain(before);
    }
    for (Subject member : track.members()) {
      explained.computeIfAbsent(member, unknown -> new LinkedHashSet<>()).add(subject);
    }
  }

  void remove(Subject subject) {
    Track before = tracks.remove(subject);
    others.remove(subject);
    accusations.forget(subject);
    if (before != null) {
      unexplain(before);
    }
  }

  private void unexplain(Track track) {
    for (Subject member : track.members()) {
      Set<Subject> by = explained.get(member);
      if (by != null) {
        by.remove(track.subject());
        if (by.isEmpty()) {
          explained.remove(member);
        }
      }
    }
  }

  /** Subjects of open incidents that this one is a member of. */
  Set<Subject> explainedBy(Subject subject) {
    return explained.getOrDefault(subject, Set.of());
  }

  /** What a subject costs the jobs that run over it, as their collectives say. */
  public List<JobImpact> impacts(Subject subject) {
    return jobs.impacts(subject);
  }

  /** Round trips and loss of late between all that were probed. */
  public LatencyMatrix latency(LatencyMatrix.Level level) {
    return probes.matrix(this, level);
  }

  /** Probes so far that were not looked at: too late, or of one flow too many. */
  public long probesRefused() {
    return probes.refused();
  }

  /** Polls that were dropped so far because they came late or twice. */
  public long outOfOrder() {
    return outOfOrder;
  }

  /** Polls so far that came so soon after another that their growth went into the next. */
  public long merged() {
    return merged;
  }

  /** Readings so far that no device of this world can have, and that were not believed. */
  public long quarantined() {
    return quarantined;
  }

  void countQuarantined(long readings) {
    quarantined += readings;
  }

  /** Times so far that a detector failed at a port: a fault of ours, and no finding. */
  public long detectorFaults() {
    return detectorFaults;
  }

  void countDetectorFault() {
    detectorFaults++;
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
    PortEntry entry = ports.get(port);
    PortState newest = entry == null ? null : entry.newest();
    return newest == null ? null : newest.window;
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

  /** Whether anything reads the device. */
  public boolean reads(String device) {
    return sources.containsKey(device);
  }

  /** Names every port that the collector ever read of the device. */
  public void forEachPort(String device, String collector, Consumer<PortId> action) {
    Source source = sources.getOrDefault(device, Map.of()).get(collector);
    if (source != null) {
      source.signals.portNames().forEach(name -> action.accept(new PortId(device, name)));
    }
  }

  /**
   * Forgets all sources but these: what is no longer a target is not read, and its silence says
   * nothing.
   *
   * @param isTarget told a device and a collector
   */
  public void retainSources(BiPredicate<String, String> isTarget) {
    sources.forEach(
        (device, collectors) ->
            collectors
                .entrySet()
                .removeIf(
                    source -> {
                      boolean gone = !isTarget.test(device, source.getKey());
                      if (gone) {
                        source
                            .getValue()
                            .ports
                            .forEach((name, port) -> entry(new PortId(device, name)).remove(port));
                      }
                      return gone;
                    }));
    sources.values().removeIf(Map::isEmpty);
  }

  /** Names every device with each collector that read it. */
  public void forEachSource(BiConsumer<String, String> action) {
    sources.forEach(
        (device, collectors) ->
            collectors.keySet().forEach(collector -> action.accept(device, collector)));
  }

  /** What the detectors of ports now say at the port, by whichever collector. */
  List<Finding> findings(PortId id) {
    PortEntry entry = ports.get(id);
    if (entry == null || !entry.hasFindings()) {
      return List.of();
    }
    List<Finding> all = new ArrayList<>();
    for (PortState reader : entry.readers) {
      reader.findings.forEach(all::addAll);
    }
    return all;
  }
}
