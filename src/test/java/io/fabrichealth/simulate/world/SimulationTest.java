package io.fabrichealth.simulate.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabrichealth.capture.CaptureWriter;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.runtime.SignalCatalogue;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Fabric;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
  private static final SignalDictionary DICTIONARY = SignalCatalogue.load();
  private static final Duration POLL = Duration.ofSeconds(10);

  @ParameterizedTest
  @CsvSource({"F1-part, 128", "F1, 2304", "F2, 24576"})
  void fabrics_have_the_links_of_the_benchmark(String fabric, int links) {
    Simulation simulation = Simulation.of(healthy(fabric, 1, Duration.ofSeconds(30)), DICTIONARY);

    EngineInput first = simulation.next();

    assertThat(simulation.truth().links()).isEqualTo(links);
    assertThat(first).isInstanceOf(EngineInput.Topology.class);
    Fabric plan = ((EngineInput.Topology) first).fabric();
    assertThat(plan.links()).hasSize(links);
    assertThat(plan.ports()).hasSize(2 * links);
  }

  @Test
  void the_same_seed_gives_the_same_bytes() throws IOException {
    Scenario scenario = healthy("F1-part", 5, Duration.ofMinutes(5));

    assertThat(written(scenario)).isEqualTo(written(scenario));
    assertThat(written(healthy("F1-part", 6, Duration.ofMinutes(5))))
        .isNotEqualTo(written(scenario));
  }

  @Test
  void records_come_in_order_but_for_stragglers_of_less_than_a_minute() {
    Simulation simulation = Simulation.of(healthy("F1-part", 2, Duration.ofHours(1)), DICTIONARY);
    Instant newest = Scenario.START;
    int late = 0;
    for (EngineInput input = simulation.next(); input != null; input = simulation.next()) {
      assertThat(input.at()).isAfter(newest.minusSeconds(60));
      late += input.at().isBefore(newest) ? 1 : 0;
      newest = input.at().isAfter(newest) ? input.at() : newest;
    }
    assertThat(late).isBetween(5, 200);
  }

  @Test
  void what_goes_into_a_switch_comes_out_of_it() {
    Map<String, Long> first = new HashMap<>();
    Map<String, Long> last = new HashMap<>();
    int in = DICTIONARY.ordinal("port.in_packets");
    int out = DICTIONARY.ordinal("port.out_packets");
    for (PollBatch batch : polls(Scenario.healthy("F1-part", 3, Duration.ofHours(1), POLL))) {
      if (batch.complete() && batch.device().startsWith("spine")) {
        long surplus = 0;
        for (int i = 0; i < batch.size(); i++) {
          surplus += batch.signal(i) == in ? batch.raw(i) : 0;
          surplus -= batch.signal(i) == out ? batch.raw(i) : 0;
        }
        first.putIfAbsent(batch.device(), surplus);
        last.put(batch.device(), surplus);
      }
    }

    assertThat(first).hasSize(8);
    first.forEach(
        (device, surplus) ->
            assertThat(last.get(device) - surplus).as(device).isBetween(-20L, 20L));
  }

  @Test
  void counters_of_a_healthy_fabric_never_fall() {
    int in = DICTIONARY.ordinal("port.in_packets");
    int total = DICTIONARY.ordinal("fec.total_codewords");
    Map<String, Long> before = new HashMap<>();
    Scenario scenario = Scenario.healthy("F1-part", 4, Duration.ofMinutes(40), POLL);
    for (PollBatch batch : polls(scenario).stream().distinct().sorted(byTime()).toList()) {
      for (int i = 0; i < batch.size(); i++) {
        if (batch.signal(i) == in || batch.signal(i) == total) {
          String key = batch.device() + batch.ports().get(batch.portIndex(i)) + batch.signal(i);
          Long earlier = before.put(key, batch.raw(i));
          assertThat(earlier == null || earlier <= batch.raw(i)).as(key).isTrue();
        }
      }
    }
    assertThat(before).hasSize(512);
  }

  @Test
  void a_healthy_fabric_counts_hardly_any_errors() {
    int[] errors = {
      DICTIONARY.ordinal("port.in_errors"),
      DICTIONARY.ordinal("port.out_errors"),
      DICTIONARY.ordinal("port.in_discards"),
      DICTIONARY.ordinal("fec.uncorrectable_codewords")
    };
    Map<String, Long> first = new HashMap<>();
    Map<String, Long> last = new HashMap<>();
    for (PollBatch batch : polls(healthy("F1-part", 8, Duration.ofHours(1)))) {
      for (int i = 0; i < batch.size(); i++) {
        for (int error : errors) {
          if (batch.signal(i) == error) {
            String key = batch.device() + batch.ports().get(batch.portIndex(i)) + error;
            first.putIfAbsent(key, batch.raw(i));
            last.merge(key, batch.raw(i), Math::max);
          }
        }
      }
    }

    long grown = first.keySet().stream().mapToLong(key -> last.get(key) - first.get(key)).sum();
    assertThat(first).hasSizeGreaterThan(800);
    assertThat(grown).isLessThan(10);
  }

  private static Comparator<PollBatch> byTime() {
    return Comparator.comparing(PollBatch::at);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 26, 99})
  void a_class_that_cannot_be_simulated_is_named(int faultClass) {
    assertThatThrownBy(() -> Scenario.of("F1-part", faultClass, Severity.LOW, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("class " + faultClass + " cannot be simulated, only [0, ");
  }

  @Test
  void a_fabric_that_is_not_known_is_named() {
    assertThatThrownBy(() -> Scenario.of("F9", 0, Severity.LOW, 1))
        .hasMessage("fabric 'F9' is not known, only [F1, F1-part, F2, F3]");
  }

  static Scenario healthy(String fabric, long seed, Duration length) {
    return Scenario.of(fabric, 0, Severity.MEDIUM, seed).with(length, POLL);
  }

  static List<PollBatch> polls(Scenario scenario) {
    Simulation simulation = Simulation.of(scenario, DICTIONARY);
    List<PollBatch> polls = new ArrayList<>();
    for (EngineInput input = simulation.next(); input != null; input = simulation.next()) {
      if (input instanceof EngineInput.Poll poll) {
        polls.add(poll.batch());
      }
    }
    return polls;
  }

  private static byte[] written(Scenario scenario) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    Simulation simulation = Simulation.of(scenario, DICTIONARY);
    try (CaptureWriter out =
        CaptureWriter.create(file, DICTIONARY, scenario.start(), "simulate/1")) {
      for (EngineInput input = simulation.next(); input != null; input = simulation.next()) {
        out.write(input);
      }
    }
    return file.toByteArray();
  }
}
