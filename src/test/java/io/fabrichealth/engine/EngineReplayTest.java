package io.fabrichealth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.simulate.world.Scenario;
import io.fabrichealth.simulate.world.Severity;
import io.fabrichealth.testing.EngineRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same records give the same incidents, however they come. */
class EngineReplayTest {
  private static final Duration LENGTH = Duration.ofMinutes(30);
  private static final Duration POLL = Duration.ofSeconds(30);

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 11, 21, 22})
  void records_of_one_time_in_another_order_give_the_same_incidents(int faultClass) {
    TreeMap<Instant, List<EngineInput>> moments = new TreeMap<>();
    for (EngineInput input : records(faultClass)) {
      EngineInput rounded = rounded(input);
      moments.computeIfAbsent(rounded.at(), none -> new ArrayList<>()).add(rounded);
    }
    EngineRun forwards = new EngineRun();
    moments.values().forEach(forwards::step);
    moments.values().forEach(Collections::reverse);
    EngineRun backwards = new EngineRun();
    moments.values().forEach(backwards::step);

    assertThat(forwards.opened()).isNotEmpty();
    assertThat(backwards.opened()).isEqualTo(forwards.opened());
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 11, 21, 22})
  void a_restart_in_between_gives_the_same_incidents(int faultClass) {
    List<EngineInput> records = records(faultClass);
    EngineRun whole = new EngineRun().steps(records);
    EngineRun parted = new EngineRun();
    EngineInput.Topology wiring = null;
    for (int index = 0; index < records.size(); index++) {
      if (records.get(index) instanceof EngineInput.Topology topology) {
        wiring = topology;
      }
      parted.step(records.get(index));
      if (wiring != null && index % (records.size() / 5) == records.size() / 10) {
        parted.restart(wiring);
      }
    }

    assertThat(whole.opened()).isNotEmpty();
    assertThat(parted.opened()).isEqualTo(whole.opened());
  }

  private static List<EngineInput> records(int faultClass) {
    return EngineRun.records(
        Scenario.of("F1-part", faultClass, Severity.HIGH, 5).with(LENGTH, POLL));
  }

  /** As if all devices were read at the same time. */
  private static EngineInput rounded(EngineInput input) {
    if (!(input instanceof EngineInput.Poll(PollBatch batch))) {
      return input;
    }
    long seconds = Math.floorDiv(batch.at().getEpochSecond(), POLL.toSeconds()) * POLL.toSeconds();
    return new EngineInput.Poll(EngineRun.at(batch, Instant.ofEpochSecond(seconds)));
  }
}
