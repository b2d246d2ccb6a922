package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.capture.CaptureReader;
import io.fabrichealth.capture.CaptureWriter;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.simulate.DemoFabric;
import io.fabrichealth.simulate.DemoScript;
import io.fabrichealth.testing.Batches;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Link;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecorderTest {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();

  @TempDir private Path folder;

  @Test
  void a_recording_holds_what_another_reader_of_the_same_devices_reads() throws Exception {
    Instant began = Instant.parse("2026-03-01T00:00:00Z");
    AtomicReference<Instant> now = new AtomicReference<>(began);
    InstantSource frozen = now::get;
    try (DemoFabric fabric = DemoFabric.start(DemoScript.standard(), 7, frozen)) {
      // Where no time passes from here on, no counter moves.
      now.set(began.plusSeconds(60));
      Settings settings = new DemoTargets(fabric).addTo(SettingsLoader.none());
      Path file = folder.resolve("demo.ndjson.gz");

      Recorder recorder = new Recorder(settings, frozen);
      Recorder.Progress progress =
          recorder.record(file, "test/1", Duration.ofMinutes(1), told -> recorder.stop());

      List<EngineInput> read = read(file);
      assertThat(progress.records().get("poll"))
          .isEqualTo(read.stream().filter(EngineInput.Poll.class::isInstance).count());
      assertThat(progress.read()).isEqualTo(14);
      Map<String, PollBatch> expected = readDirectly(settings, frozen);
      Map<String, PollBatch> recorded = new HashMap<>();
      read.forEach(
          input -> {
            if (input instanceof EngineInput.Poll poll) {
              recorded.putIfAbsent(poll.batch().device(), poll.batch());
            }
          });
      assertThat(Batches.lines(expected.get("leaf1"), DICTIONARY).toString())
          .containsPattern("Ethernet1/1 port.in_octets\\[0] [1-9][0-9]{9}");
      assertThat(recorded).containsOnlyKeys(expected.keySet());
      recorded.forEach((device, batch) -> assertSame(batch, expected.get(device)));
      assertThat(topologyOf(read).links().stream().map(Link::id))
          .containsExactlyElementsOf(fabric.plan().links().stream().map(Link::id).toList());
    }
  }

  private static Map<String, PollBatch> readDirectly(Settings settings, InstantSource clock)
      throws InterruptedException {
    Map<String, PollBatch> batches = new HashMap<>();
    try (CollectorFactory factory = new CollectorFactory(DICTIONARY, clock, new LiveJobs())) {
      for (Collector collector : factory.create(settings)) {
        PollBatch batch = collector.collect(clock.instant().plusSeconds(20)).batch();
        assertThat(batch.size()).isPositive();
        batches.put(collector.device(), batch);
      }
    }
    return batches;
  }

  @Test
  void inputs_of_moving_counters_are_read_back_as_they_were() throws Exception {
    Path file = folder.resolve("moving.ndjson.zst");
    List<EngineInput> written = new ArrayList<>();
    try (DemoFabric fabric = DemoFabric.start(DemoScript.standard(), 7, InstantSource.system());
        CollectorFactory factory =
            new CollectorFactory(DICTIONARY, InstantSource.system(), new LiveJobs());
        CaptureWriter out = CaptureWriter.create(file, DICTIONARY, Instant.now(), "test/1")) {
      Settings settings = new DemoTargets(fabric).addTo(SettingsLoader.none());
      Intake intake = new Intake(settings, settings.plan(), Fabric.EMPTY);
      written.addAll(intake.start(Instant.now()));
      List<Collector> collectors = factory.create(settings);
      for (int pass = 0; pass < 3; pass++) {
        for (Collector collector : collectors) {
          CollectOutcome outcome = collector.collect(Instant.now().plusSeconds(20));
          written.addAll(intake.take(collector, outcome, Instant.now()));
        }
      }
      for (EngineInput input : written) {
        out.write(input);
      }
    }

    List<EngineInput> read = read(file);

    assertThat(read).hasSameSizeAs(written).hasSizeGreaterThan(42);
    for (int i = 0; i < read.size(); i++) {
      assertThat(read.get(i).at()).isEqualTo(written.get(i).at());
      if (written.get(i) instanceof EngineInput.Poll poll) {
        assertSame(((EngineInput.Poll) read.get(i)).batch(), poll.batch());
      } else if (written.get(i) instanceof EngineInput.Topology topology) {
        Fabric fabric = ((EngineInput.Topology) read.get(i)).fabric();
        assertThat(fabric.devices()).containsExactlyElementsOf(topology.fabric().devices());
        assertThat(fabric.ports()).containsExactlyElementsOf(topology.fabric().ports());
        assertThat(fabric.links()).containsExactlyElementsOf(topology.fabric().links());
      } else {
        assertThat(read.get(i)).isEqualTo(written.get(i));
      }
    }
  }

  private static void assertSame(PollBatch read, PollBatch written) {
    List<String> lines = Batches.lines(read, DICTIONARY);
    List<String> expected = Batches.lines(written, DICTIONARY);
    assertThat(lines.stream().filter(line -> !expected.contains(line))).isEmpty();
    assertThat(expected.stream().filter(line -> !lines.contains(line))).isEmpty();
    assertThat(lines).hasSameSizeAs(expected);
    assertThat(read.device()).isEqualTo(written.device());
    assertThat(read.collector()).isEqualTo(written.collector());
    assertThat(read.deviceTime()).isEqualTo(written.deviceTime());
    assertThat(read.boot()).isEqualTo(written.boot());
    assertThat(read.complete()).isEqualTo(written.complete());
    assertThat(new HashSet<>(read.ports())).isEqualTo(new HashSet<>(written.ports()));
    written
        .ports()
        .forEach(
            port -> assertThat(read.discontinuity(port)).isEqualTo(written.discontinuity(port)));
    for (int signal = 0; signal < DICTIONARY.size(); signal++) {
      assertThat(read.counterBits(signal)).isEqualTo(written.counterBits(signal));
    }
  }

  private static Fabric topologyOf(List<EngineInput> inputs) {
    return inputs.stream()
        .filter(EngineInput.Topology.class::isInstance)
        .map(input -> ((EngineInput.Topology) input).fabric())
        .toList()
        .getLast();
  }

  private static List<EngineInput> read(Path file) throws Exception {
    List<EngineInput> inputs = new ArrayList<>();
    try (CaptureReader in = CaptureReader.open(file, DICTIONARY)) {
      for (EngineInput input = in.next(); input != null; input = in.next()) {
        inputs.add(input);
      }
      assertThat(in.summary().isDamaged()).isFalse();
      assertThat(in.summary().firstRefused()).isEmpty();
      assertThat(in.summary().passedOver()).isEmpty();
    }
    return inputs;
  }
}
