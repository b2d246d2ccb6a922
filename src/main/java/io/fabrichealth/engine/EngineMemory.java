package io.fabrichealth.engine;

import io.fabrichealth.detect.Detector;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.signal.DeviceSignals;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.verdict.Track;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes the engine's state apart for storage, and puts it together again. */
public final class EngineMemory {
  private final Engine engine;
  private final StateCodec codec;

  public EngineMemory(Engine engine, StateCodec codec) {
    this.engine = engine;
    this.codec = codec;
  }

  /** One device as one collector reads it; null where it was never read. */
  public @Nullable StoredSource source(EngineState state, String device, String collector) {
    Source source = state.sources.getOrDefault(device, Map.of()).get(collector);
    if (source == null) {
      return null;
    }
    List<StoredSource.StoredPort> ports = new ArrayList<>(source.ports.size());
    source.ports.forEach((name, port) -> ports.add(stored(name, port)));
    return new StoredSource(source.signals.baselines(), source.lastAt, ports);
  }

  private StoredSource.StoredPort stored(String name, PortState port) {
    Map<String, byte[]> states = new HashMap<>();
    Map<String, List<Finding>> findings = new HashMap<>();
    List<Detector<?>> detectors = engine.detectors();
    for (int index = 0; index < detectors.size(); index++) {
      String id = detectors.get(index).id();
      states.put(id, codec.encode(port.detectorStates[index]));
      if (!port.findings.get(index).isEmpty()) {
        findings.put(id, port.findings.get(index));
      }
    }
    return new StoredSource.StoredPort(
        name,
        states,
        findings,
        port.isStateKnown,
        port.isUp,
        port.pollsWithoutState,
        port.pollsWithoutErrors);
  }

  /** The tracks of all subjects. */
  public List<Track> tracks(EngineState state) {
    return List.copyOf(state.tracks.values());
  }

  /**
   * Goes on where the stored source ended. A detector whose state cannot be read learns anew.
   *
   * @return ids of detectors whose state could not be read, with the port
   */
  public List<String> restore(EngineState state, StoredSource stored) {
    List<String> unread = new ArrayList<>();
    String device = stored.baselines().device();
    Source source = new Source(DeviceSignals.restore(stored.baselines(), engine.dictionary()));
    source.lastAt = stored.lastAt();
    for (StoredSource.StoredPort port : stored.ports()) {
      source.ports.put(port.port(), restored(port, unread));
      PortId id = new PortId(device, port.port());
      port.findings().values().forEach(findings -> accuse(state, id, findings));
    }
    state
        .sources
        .computeIfAbsent(device, unknown -> new LinkedHashMap<>())
        .put(stored.baselines().collector(), source);
    return unread;
  }

  private PortState restored(StoredSource.StoredPort stored, List<String> unread) {
    PortState port = new PortState(engine.detectors());
    port.isStateKnown = stored.stateKnown();
    port.isUp = stored.up();
    port.pollsWithoutState = stored.pollsWithoutState();
    port.pollsWithoutErrors = stored.pollsWithoutErrors();
    for (int index = 0; index < engine.detectors().size(); index++) {
      Detector<?> detector = engine.detectors().get(index);
      byte[] bytes = stored.states().get(detector.id());
      if (bytes != null) {
        try {
          port.detectorStates[index] = codec.decode(bytes, detector.stateType());
          port.findings.set(index, stored.findings().getOrDefault(detector.id(), List.of()));
        } catch (RuntimeException e) {
          unread.add(detector.id() + " " + stored.port());
        }
      }
    }
    return port;
  }

  private static void accuse(EngineState state, PortId accuser, List<Finding> findings) {
    for (Finding finding : findings) {
      state.accusers.computeIfAbsent(finding.subject(), unknown -> new HashSet<>()).add(accuser);
    }
  }

  /** A database keeps microseconds. */
  private static boolean isSameIncident(Track track, Track stored) {
    Instant one = track.openedAt();
    Instant other = stored.openedAt();
    return one != null
        && other != null
        && one.truncatedTo(ChronoUnit.MILLIS).equals(other.truncatedTo(ChronoUnit.MILLIS));
  }

  /**
   * Goes on with the stored tracks. What the database says of open incidents is the truth: a track
   * without one is not open, and one that is missing is opened.
   *
   * @param open of all subjects with an unresolved incident
   */
  public void restore(EngineState state, Collection<Track> tracks, Map<Subject, Track> open) {
    state.tracks.putAll(open);
    for (Track track : tracks) {
      Track asStored = open.get(track.subject());
      if (asStored == null ? !track.isOpen() : isSameIncident(track, asStored)) {
        state.tracks.put(track.subject(), track);
      }
    }
    state
        .tracks
        .keySet()
        .removeIf(
            subject ->
                subject.type() != SubjectType.LINK
                    && !open.containsKey(subject)
                    && !state.accusers.containsKey(subject));
  }
}
