package io.fabrichealth.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Finding;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Tier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrackTest {
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final Link A_LINK =
      Link.between(
          new PortId("gpu-001", "mlx5_0/1"), new PortId("leaf1", "Ethernet1/1"), Tier.OTHER, 0);
  private static final Subject LINK = Subject.of(A_LINK);
  private static final Coverage FULL = new Coverage(1, List.of());

  private Instant now = START;
  private Track track = Track.fresh(LINK, START);
  private Fused fused = fuse();

  private Fused fuse(Object... causesAndNats) {
    List<Finding> findings = new ArrayList<>();
    for (int index = 0; index < causesAndNats.length; index += 2) {
      Cause cause = (Cause) causesAndNats[index];
      double nats = ((Number) causesAndNats[index + 1]).doubleValue();
      Family family =
          switch (cause) {
            case LINK_FLAP, LINK_DOWN -> Family.EVENT;
            case PACKET_LOSS -> Family.LOSS;
            default -> Family.PHY;
          };
      findings.add(
          new Finding(
              "detector",
              LINK,
              cause,
              new Evidence(
                  family, "a.signal", LINK, "much", "little", Reference.LIMIT, nats, now, now, "x"),
              now));
    }
    return Fusion.fuse(LINK, A_LINK.ends(), findings, now);
  }

  private TrackTest poll(Object... causesAndNats) {
    return advance(true, true, causesAndNats);
  }

  private TrackTest advance(boolean known, boolean clean, Object... causesAndNats) {
    now = now.plusSeconds(10);
    fused = fuse(causesAndNats);
    track = track.advance(fused, known, clean, false, now);
    return this;
  }

  private TrackTest polls(int times, Object... causesAndNats) {
    for (int time = 0; time < times; time++) {
      poll(causesAndNats);
    }
    return this;
  }

  private Verdict verdict() {
    return track.verdict(fused, FULL);
  }

  @Test
  void it_begins_unknown_and_is_healthy_when_read() {
    assertThat(verdict().state()).isEqualTo(LinkState.UNKNOWN);
    assertThat(verdict().summary()).contains("not read well enough");

    poll();

    assertThat(verdict().state()).isEqualTo(LinkState.HEALTHY);
    assertThat(verdict().since()).isEqualTo(now);
    assertThat(verdict().cause()).isNull();
  }

  @Test
  void from_one_half_it_is_suspect_and_above_95_per_cent_its_incident_opens() {
    poll(Cause.PHY_LINK, 5);
    assertThat(verdict().state()).isEqualTo(LinkState.HEALTHY);
    poll(Cause.PHY_LINK, 7);
    assertThat(verdict().state()).isEqualTo(LinkState.SUSPECT);
    assertThat(verdict().isOpen()).isFalse();
    poll(Cause.PHY_LINK, 9);

    assertThat(verdict().state()).isEqualTo(LinkState.DEGRADED);
    assertThat(verdict().openedAt()).isEqualTo(now);
    assertThat(verdict().cause()).isEqualTo(Cause.PHY_LINK);
  }

  @Test
  void it_closes_after_ten_quiet_minutes_and_not_before() {
    poll(Cause.PHY_LINK, 15);
    polls(60);
    assertThat(verdict().state()).isEqualTo(LinkState.DEGRADED);
    assertThat(verdict().probability()).isLessThan(.5);
    assertThat(verdict().cause()).isEqualTo(Cause.PHY_LINK);
    assertThat(verdict().summary()).contains("has too many bit errors");

    poll();

    assertThat(verdict().state()).isEqualTo(LinkState.HEALTHY);
    assertThat(verdict().isOpen()).isFalse();
    assertThat(verdict().cause()).isNull();
  }

  @Test
  void one_relapse_begins_the_ten_minutes_anew() {
    poll(Cause.PHY_LINK, 15);
    Instant openedAt = verdict().openedAt();
    polls(50);
    poll(Cause.PHY_LINK, 7);
    polls(60);

    assertThat(verdict().isOpen()).isTrue();
    assertThat(verdict().openedAt()).isEqualTo(openedAt);
    poll();
    assertThat(verdict().isOpen()).isFalse();
  }

  @Test
  void ten_minutes_without_three_clean_polls_prove_nothing() {
    poll(Cause.PHY_LINK, 15);
    for (int tick = 0; tick < 100; tick++) {
      advance(true, tick < 2);
    }
    assertThat(verdict().isOpen()).isTrue();

    poll();

    assertThat(verdict().isOpen()).isFalse();
  }

  @Test
  void lost_coverage_closes_nothing_and_its_time_does_not_count() {
    poll(Cause.PHY_LINK, 15);
    polls(55);
    for (int tick = 0; tick < 200; tick++) {
      advance(false, false);
    }
    assertThat(verdict().state()).isEqualTo(LinkState.UNKNOWN);
    assertThat(verdict().isOpen()).isTrue();

    polls(60);
    assertThat(verdict().isOpen()).isTrue();
    poll();
    assertThat(verdict().isOpen()).isFalse();
  }

  @Test
  void a_link_that_is_down_is_down_and_a_flapping_one_is_degraded() {
    poll(Cause.LINK_DOWN, 12);
    assertThat(verdict().state()).isEqualTo(LinkState.DOWN);
    assertThat(verdict().isOpen()).isTrue();

    poll();
    assertThat(verdict().state()).isEqualTo(LinkState.DEGRADED);
    poll(Cause.LINK_DOWN, 12, Cause.LINK_FLAP, 9.5);

    assertThat(verdict().state()).isEqualTo(LinkState.DEGRADED);
    assertThat(verdict().cause()).isEqualTo(Cause.LINK_FLAP);
    poll(Cause.LINK_FLAP, 9.4);
    assertThat(verdict().cause()).isEqualTo(Cause.LINK_FLAP);
  }

  @Test
  void a_flapping_link_that_stays_down_becomes_down_when_flapping_ended_long_ago() {
    polls(3, Cause.LINK_FLAP, 12);
    polls(30, Cause.LINK_DOWN, 12, Cause.LINK_FLAP, 4);
    assertThat(verdict().cause()).isEqualTo(Cause.LINK_FLAP);

    polls(40, Cause.LINK_DOWN, 12, Cause.LINK_FLAP, 4);

    assertThat(verdict().cause()).isEqualTo(Cause.LINK_DOWN);
    assertThat(verdict().state()).isEqualTo(LinkState.DOWN);
    assertThat(verdict().openedAt()).isEqualTo(START.plusSeconds(10));
  }

  @Test
  void a_stronger_cause_replaces_the_one_it_opened_with_and_a_weaker_one_does_not() {
    poll(Cause.LINK_FLAP, 10);
    poll(Cause.LINK_FLAP, 9, Cause.PHY_LINK, 9.5);
    assertThat(verdict().cause()).isEqualTo(Cause.LINK_FLAP);
    poll(Cause.LINK_FLAP, 9, Cause.PHY_LINK, 14);
    assertThat(verdict().cause()).isEqualTo(Cause.PHY_LINK);
  }

  @Test
  void a_symptom_does_not_replace_what_explains_it_however_strong() {
    poll(Cause.PHY_LANE, 10);
    poll(Cause.PHY_LANE, 3, Cause.PACKET_LOSS, 20);

    assertThat(verdict().cause()).isEqualTo(Cause.PHY_LANE);
  }

  @Test
  void a_stored_incident_goes_on_with_its_cause_and_closes_by_the_same_rule() {
    Instant openedAt = START.minusSeconds(3_600);
    track = Track.reopen(LINK, openedAt, Cause.PHY_LANE, "The link has one bad lane.");
    poll();

    assertThat(verdict().state()).isEqualTo(LinkState.DEGRADED);
    assertThat(verdict().openedAt()).isEqualTo(openedAt);
    assertThat(verdict().cause()).isEqualTo(Cause.PHY_LANE);
    assertThat(verdict().summary()).isEqualTo("The link has one bad lane.");
    polls(60);
    assertThat(verdict().isOpen()).isFalse();
  }

  @Test
  void a_link_that_is_down_for_a_reason_that_is_no_fault_is_down_without_an_incident() {
    now = now.plusSeconds(10);
    fused = fuse().orDown(true);
    track = track.advance(fused, true, true, false, now);

    assertThat(verdict().state()).isEqualTo(LinkState.DOWN);
    assertThat(verdict().isOpen()).isFalse();
    assertThat(verdict().summary()).endsWith("is down.");
  }

  @Test
  void the_state_keeps_its_beginning_while_it_lasts() {
    poll();
    Instant healthySince = now;
    polls(20);

    assertThat(verdict().since()).isEqualTo(healthySince);
  }
}
