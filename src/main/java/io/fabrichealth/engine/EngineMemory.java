package io.fabrichealth.engine;

import io.fabrichealth.detect.Detector;
import io.fabrichealth.detect.DeviceDetector;
import io.fabrichealth.detect.FabricDetector;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.signal.DeviceSignals;
import io.fabrichealth.signal.SignalWindow;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.verdict.Track;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
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
    List<StoredSpeaker> speakers = new ArrayList<>();
    for (int index = 0; index < source.deviceWide.length; index++) {
      speakers.add(stored(engine.detectors().devices().get(index).id(), source.deviceWide[index]));
    }
    return new StoredSource(source.signals.baselines(), source.lastAt, ports, speakers);
  }

  /** The detectors of the whole fabric. */
  public StoredSpeaker[] fabric(EngineState state) {
    StoredSpeaker[] speakers = new StoredSpeaker[state.fabricWide.length];
    for (int index = 0; index < speakers.length; index++) {
      speakers[index] =
          stored(engine.detectors().fabric().get(index).id(), state.fabricWide[index]);
    }
    return speakers;
  }

  private StoredSpeaker stored(String id, Speaker speaker) {
    return new StoredSpeaker(id, codec.encode(speaker.memory), speaker.findings);
  }

  /**
   * Goes on with what the detectors of the whole fabric knew. One whose memory cannot be read
   * learns anew.
   *
   * @return ids of those
   */
  public List<String> restore(EngineState state, StoredSpeaker[] stored) {
    List<String> unread = new ArrayList<>();
    for (int index = 0; index < state.fabricWide.length; index++) {
      FabricDetector<?> detector = engine.detectors().fabric().get(index);
      restore(state, state.fabricWide[index], detector.id(), detector.stateType(), stored, unread);
    }
    return unread;
  }

  private void restore(
      EngineState state,
      Speaker speaker,
      String id,
      Class<?> type,
      StoredSpeaker[] stored,
      List<String> unread) {
    for (StoredSpeaker one : stored) {
      if (one.detector().equals(id)) {
        try {
          speaker.memory = codec.decode(one.memory(), type);
          state.accusations.say(speaker, one.findings());
        } catch (RuntimeException e) {
          unread.add(id);
        }
      }
    }
  }

  private StoredSource.StoredPort stored(String name, PortState port) {
    Map<String, byte[]> states = new HashMap<>();
    Map<String, List<Finding>> findings = new HashMap<>();
    List<Detector<?>> detectors = engine.detectors().ports();
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
    Source source =
        new Source(
            DeviceSignals.restore(stored.baselines(), engine.dictionary()), engine.detectors());
    source.lastAt = stored.lastAt();
    for (StoredSource.StoredPort port : stored.ports()) {
      SignalWindow window = source.signals.window(port.port());
      if (window == null) {
        continue;
      }
      restore(port, source.port(state, window, engine.detectors()), unread);
      PortId id = new PortId(device, port.port());
      port.findings().values().forEach(findings -> accuse(state, id, findings));
    }
    StoredSpeaker[] speakers = stored.speakers().toArray(StoredSpeaker[]::new);
    for (int index = 0; index < source.deviceWide.length; index++) {
      DeviceDetector<?> detector = engine.detectors().devices().get(index);
      restore(
          state, source.deviceWide[index], detector.id(), detector.stateType(), speakers, unread);
    }
    state
        .sources
        .computeIfAbsent(device, unknown -> new LinkedHashMap<>())
        .put(stored.baselines().collector(), source);
    return unread;
  }

  private void restore(StoredSource.StoredPort stored, PortState port, List<String> unread) {
    port.isStateKnown = stored.stateKnown();
    port.isUp = stored.up();
    port.pollsWithoutState = stored.pollsWithoutState();
    port.pollsWithoutErrors = stored.pollsWithoutErrors();
    for (int index = 0; index < engine.detectors().ports().size(); index++) {
      Detector<?> detector = engine.detectors().ports().get(index);
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
  }

  private static void accuse(EngineState state, PortId accuser, List<Finding> findings) {
    for (Finding finding : findings) {
      if (finding.subject().type() != SubjectType.LINK) {
        state.accusations.accuse(finding.subject(), accuser);
      }
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
    open.values().forEach(state::put);
    for (Track track : tracks) {
      Track asStored = open.get(track.subject());
      if (asStored == null ? !track.isOpen() : isSameIncident(track, asStored)) {
        state.put(track);
      }
    }
    for (Subject subject : List.copyOf(state.others())) {
      if (!open.containsKey(subject) && !state.accusations.has(subject)) {
        state.remove(subject);
      }
    }
  }
}
