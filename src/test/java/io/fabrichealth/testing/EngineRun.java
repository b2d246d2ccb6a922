package io.fabrichealth.testing;

import io.fabrichealth.detect.Detectors;
import io.fabrichealth.engine.Engine;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.engine.EngineMemory;
import io.fabrichealth.engine.EngineState;
import io.fabrichealth.engine.StateCodec;
import io.fabrichealth.engine.StoredSource;
import io.fabrichealth.engine.StoredSpeaker;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.Signal;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.simulate.world.Scenario;
import io.fabrichealth.simulate.world.Simulation;
import io.fabrichealth.verdict.Track;
import io.fabrichealth.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.dataformat.smile.SmileMapper;

/** The standard detectors in an engine, over records; and what is kept of it. */
public final class EngineRun {
  public static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  public static final Detectors DETECTORS =
      Detectors.standard(DICTIONARY, ThresholdCatalogue.load());

  private static final SmileMapper SMILE = SmileMapper.builder().build();

  public static final StateCodec CODEC =
      new StateCodec() {
        @Override
        public byte[] encode(Object state) {
          return SMILE.writeValueAsBytes(state);
        }

        @Override
        public <S> S decode(byte[] bytes, Class<S> type) {
          return SMILE.readValue(bytes, type);
        }
      };

  private final Engine engine = new Engine(DICTIONARY, DETECTORS);
  private final EngineMemory memory = new EngineMemory(engine, CODEC);
  private final TreeMap<String, String> opened = new TreeMap<>();
  private EngineState state = engine.initial();

  /** All records of a simulated run. */
  public static List<EngineInput> records(Scenario scenario) {
    Simulation simulation = Simulation.of(scenario, DICTIONARY);
    List<EngineInput> records = new ArrayList<>();
    for (EngineInput next = simulation.next(); next != null; next = simulation.next()) {
      records.add(next);
    }
    return records;
  }

  /** The same readings at another time of the reader. */
  public static PollBatch at(PollBatch batch, Instant at) {
    return copy(batch, none -> false, at, batch.boot());
  }

  /** The same readings without some signals, at another time, of another boot. */
  public static PollBatch copy(
      PollBatch batch, IntPredicate missing, Instant at, @Nullable String boot) {
    PollBatch.Builder copy = begin(batch, at, boot);
    for (int reading = 0; reading < batch.size(); reading++) {
      int port = batch.portIndex(reading);
      int signal = batch.signal(reading);
      int element = batch.element(reading);
      if (missing.test(signal)) {
        continue;
      }
      Quality quality = batch.quality(reading);
      if (!quality.hasValue()) {
        copy.absent(port, signal, element, quality, batch.reason(reading));
      } else if (DICTIONARY.signal(signal).kind() == Signal.Kind.COUNTER) {
        copy.counter(port, signal, element, batch.raw(reading));
      } else {
        copy.value(port, signal, element, batch.value(reading));
      }
    }
    return copy.build(batch.complete());
  }

  /** A batch of the same ports without readings yet; the device's clock moves with the reader's. */
  public static PollBatch.Builder begin(PollBatch batch, Instant at, @Nullable String boot) {
    PollBatch.Builder copy = PollBatch.builder(batch.device(), batch.collector(), at).boot(boot);
    Instant deviceTime = batch.deviceTime();
    if (deviceTime != null) {
      copy.deviceTime(deviceTime.plus(Duration.between(batch.at(), at)));
    }
    batch.ports().forEach(copy::port);
    return copy;
  }

  public EngineRun step(EngineInput record) {
    return step(List.of(record));
  }

  public EngineRun step(List<EngineInput> moment) {
    for (Verdict verdict : engine.step(state, moment)) {
      if (verdict.isOpen()) {
        opened.put(verdict.subject().type().label() + " " + verdict.subject().id(), cause(verdict));
      }
    }
    return this;
  }

  private static String cause(Verdict verdict) {
    return Objects.requireNonNull(verdict.cause()).name();
  }

  public EngineRun steps(Iterable<EngineInput> records) {
    records.forEach(this::step);
    return this;
  }

  /** Cause by subject of all incidents that were ever open. */
  public Map<String, String> opened() {
    return opened;
  }

  /** Times that a detector failed. */
  public long faults() {
    return state.detectorFaults();
  }

  /** What every detector remembers, by its id and where. */
  public Map<String, byte[]> memories() {
    Map<String, byte[]> all = new TreeMap<>();
    for (StoredSource source : sources()) {
      String device = source.baselines().device() + " " + source.baselines().collector();
      source
          .ports()
          .forEach(
              port ->
                  port.states()
                      .forEach(
                          (id, bytes) -> all.put(id + " " + device + " " + port.port(), bytes)));
      source.speakers().forEach(one -> all.put(one.detector() + " " + device, one.memory()));
    }
    for (StoredSpeaker speaker : memory.fabric(state)) {
      all.put(speaker.detector(), speaker.memory());
    }
    return all;
  }

  private List<StoredSource> sources() {
    List<StoredSource> sources = new ArrayList<>();
    state.forEachSource(
        (device, collector) ->
            sources.add(Objects.requireNonNull(memory.source(state, device, collector))));
    return sources;
  }

  /** The service ends and starts again with what was stored; the wiring comes from {@code last}. */
  public EngineRun restart(EngineInput.Topology last) {
    List<StoredSource> sources = sources();
    StoredSpeaker[] fabric = memory.fabric(state);
    List<Track> tracks = memory.tracks(state);
    Map<Subject, Track> open = new HashMap<>();
    tracks.stream().filter(Track::isOpen).forEach(track -> open.put(track.subject(), track));
    state = engine.initial();
    engine.step(state, last);
    sources.forEach(source -> memory.restore(state, source));
    memory.restore(state, fabric);
    memory.restore(state, tracks, open);
    return this;
  }
}
