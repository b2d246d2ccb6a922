package io.fabrichealth.runtime;

import static io.fabrichealth.testing.SmallCapture.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.testing.SmallCapture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplayTest {

  @Test
  void a_link_that_goes_down_is_one_incident_from_when_it_did() {
    Replay.Outcome outcome = replay(SmallCapture.withLinkDown());

    assertThat(outcome.incidents()).hasSize(1);
    Incident incident = outcome.incidents().getFirst();
    assertThat(incident.subject().id()).isEqualTo(SmallCapture.BAD);
    assertThat(incident.cause()).isEqualTo(Cause.LINK_DOWN);
    assertThat(incident.openedAt())
        .isBetween(
            START.plusSeconds(SmallCapture.DOWN_FROM),
            START.plusSeconds(SmallCapture.DOWN_FROM + 60));
    assertThat(incident.resolvedAt()).isNull();
    assertThat(incident.suppressedBy()).isNull();
    assertThat(outcome.links()).isEqualTo(2);
    assertThat(outcome.records()).isEqualTo(361);
    assertThat(outcome.virtualTime()).isEqualTo(Duration.ofSeconds(1_190));
    assertThat(outcome.coverageRatio()).isBetween(.05, .9);
  }

  @Test
  void the_nats_of_the_evidence_are_the_logit_of_the_probability() {
    Incident incident = replay(SmallCapture.withLinkDown()).incidents().getFirst();

    double sum = incident.evidence().stream().mapToDouble(Evidence::nats).sum();
    double p = incident.probability();
    assertThat(sum).isCloseTo(Math.log(p) - Math.log1p(-p), within(1e-6));
  }

  @Test
  void a_healthy_capture_gives_nothing() {
    assertThat(replay(SmallCapture.healthy()).incidents()).isEmpty();
  }

  @Test
  void the_same_capture_gives_the_same_in_any_order_of_equal_times() {
    List<EngineInput> inputs = new ArrayList<>(SmallCapture.withLinkDown());
    inputs.add(SmallCapture.maintenance("gpu-001", 0, 60));
    List<Incident> incidents = replay(inputs).incidents();

    for (int seed = 0; seed < 5; seed++) {
      List<EngineInput> shuffled = new ArrayList<>(inputs);
      Collections.shuffle(shuffled, new Random(seed));
      shuffled.sort(Comparator.comparing(EngineInput::at));

      assertThat(replay(shuffled).incidents()).as("seed %d", seed).isEqualTo(incidents);
    }
  }

  @Test
  void announced_work_makes_an_incident_expected_until_it_is_over() {
    List<EngineInput> inputs = new ArrayList<>(SmallCapture.withLinkDown());
    inputs.add(1, SmallCapture.maintenance("gpu-002", 300, 3_600));

    assertThat(replay(inputs).incidents()).hasSize(1).allMatch(one -> isSuppressed(one));

    inputs.set(1, SmallCapture.maintenance("gpu-001", 300, 3_600));
    assertThat(replay(inputs).incidents()).hasSize(1).noneMatch(one -> isSuppressed(one));

    inputs.set(1, SmallCapture.maintenance("leaf1", 300, 500));
    assertThat(replay(inputs).incidents()).hasSize(1).noneMatch(one -> isSuppressed(one));
  }

  @Test
  void nothing_is_found_in_nothing() {
    Replay.Outcome outcome = replay(List.of());

    assertThat(outcome.incidents()).isEmpty();
    assertThat(outcome.virtualTime()).isZero();
  }

  private static boolean isSuppressed(Incident incident) {
    return "change-1".equals(incident.suppressedBy());
  }

  private static Replay.Outcome replay(List<EngineInput> inputs) {
    Replay replay = new Replay(Replay.engine(ThresholdCatalogue.load()));
    inputs.forEach(replay::take);
    return replay.outcome();
  }
}
