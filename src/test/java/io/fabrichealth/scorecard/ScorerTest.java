package io.fabrichealth.scorecard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Family;
import io.fabrichealth.finding.Reference;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Repeats;
import io.fabrichealth.incident.Severity;
import io.fabrichealth.simulate.world.Truth;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The scorer is strict, and it counts each incident once. */
class ScorerTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Truth.Subject LINK = new Truth.Subject("link", "a:1--b:1");

  @Test
  void an_incident_at_the_entity_or_its_alias_is_right() {
    assertThat(score(incident("a:1--b:1", Cause.PHY_LINK, .99)).right()).isOne();

    RunScore alias = score(incident(SubjectType.PORT, "a:1", Cause.PHY_LINK, .99, 700));
    assertThat(alias.right()).isOne();
    assertThat(alias.faults().getFirst().rank()).isOne();
    assertThat(alias.faults().getFirst().secondsFromObservable()).isEqualTo(100);
    assertThat(alias.faults().getFirst().secondsFromOnset()).isEqualTo(200);
  }

  @Test
  void the_cause_has_to_be_one_of_those_accepted() {
    assertThat(fault(incident("a:1--b:1", Cause.PHY_LINK, .99)).causeRight()).isTrue();
    assertThat(fault(incident("a:1--b:1", Cause.PHY_LANE, .99)).causeRight()).isTrue();
    assertThat(fault(incident("a:1--b:1", Cause.CONGESTION, .99)).causeRight()).isFalse();
  }

  @Test
  void an_incident_at_what_the_fault_touches_is_an_echo_and_does_not_find_it() {
    RunScore score = score(incident(SubjectType.HOST, "victim", Cause.SLOW_RECEIVER, .99, 700));

    assertThat(score.right()).isZero();
    assertThat(score.echoes()).hasSize(1);
    assertThat(score.wrong()).isEmpty();
    assertThat(score.faults().getFirst().isFound()).isFalse();
  }

  @Test
  void any_other_incident_is_wrong_and_ranks_before_a_less_likely_right_one() {
    RunScore score =
        score(
            incident("c:1--d:1", Cause.PHY_LINK, .999), incident("a:1--b:1", Cause.PHY_LINK, .97));

    assertThat(score.wrong()).hasSize(1);
    assertThat(score.faults().getFirst().rank()).isEqualTo(2);
  }

  @Test
  void an_incident_before_the_fault_is_wrong_even_at_the_entity() {
    RunScore score = score(incident(SubjectType.LINK, "a:1--b:1", Cause.PHY_LINK, .99, 100));

    assertThat(score.wrong()).hasSize(1);
    assertThat(score.faults().getFirst().isFound()).isFalse();
  }

  @Test
  void what_a_confounder_may_have_is_neither_right_nor_wrong() {
    RunScore score =
        score(
            incident("busy:1--e:1", Cause.CONGESTION, .99),
            incident("busy:1--e:1", Cause.PHY_LINK, .99));

    assertThat(score.allowed()).isOne();
    assertThat(score.wrong()).hasSize(1);
  }

  @Test
  void a_link_is_blamed_by_a_cause_of_links_unless_a_confounder_may_have_it() {
    RunScore score =
        score(
            incident("a:1--b:1", Cause.PHY_LINK, .99),
            incident("busy:1--e:1", Cause.CONGESTION, .99),
            incident(SubjectType.HOST, "victim", Cause.PCIE_DOWNGRADE, .99, 700));

    assertThat(score.linksBlamed()).isOne();
  }

  @Test
  void an_announced_fault_is_found_by_a_suppressed_incident_and_wrong_otherwise() {
    Truth truth = truth(Map.of("announced", true));
    Incident alarm = incident("a:1--b:1", Cause.PHY_LINK, .99);
    Incident expected =
        new Incident(
            alarm.id(),
            alarm.fingerprint(),
            alarm.subject(),
            alarm.cause(),
            alarm.severity(),
            alarm.state(),
            alarm.probability(),
            alarm.openedAt(),
            alarm.updatedAt(),
            null,
            "",
            List.of(),
            alarm.evidence(),
            "work",
            null,
            Repeats.NONE,
            List.of(),
            1);

    assertThat(score(truth, expected).suppressed()).isOne();
    assertThat(score(truth, expected).wrong()).isEmpty();
    assertThat(score(truth, expected).faults().getFirst().isFound()).isTrue();
    assertThat(score(truth, alarm).wrong()).hasSize(1);
  }

  @Test
  void evidence_that_does_not_add_up_is_told() {
    assertThat(score(incident("a:1--b:1", Cause.PHY_LINK, .99)).auditFailures()).isZero();

    Incident sound = incident("a:1--b:1", Cause.PHY_LINK, .99);
    Incident unsound =
        new Incident(
            sound.id(),
            sound.fingerprint(),
            sound.subject(),
            sound.cause(),
            sound.severity(),
            sound.state(),
            .98,
            sound.openedAt(),
            sound.updatedAt(),
            null,
            "",
            List.of(),
            sound.evidence(),
            null,
            null,
            Repeats.NONE,
            List.of(),
            1);
    assertThat(score(unsound).auditFailures()).isOne();
  }

  @Test
  void calibration_is_the_mean_distance_of_bins_of_equal_mass() {
    Calibration calibration = new Calibration();
    for (int i = 0; i < 150; i++) {
      calibration.add(0, false);
      calibration.add(1, i % 10 != 0);
    }

    assertThat(calibration.bins()).hasSize(15);
    assertThat(calibration.brier()).isEqualTo(15 / 300.0);
    assertThat(calibration.error()).isBetween(.05, .06);
    assertThat(calibration.rate()).isEqualTo(135 / 300.0);
  }

  private static FaultScore fault(Incident... incidents) {
    return score(incidents).faults().getFirst();
  }

  private static RunScore score(Incident... incidents) {
    return score(truth(Map.of()), incidents);
  }

  private static RunScore score(Truth truth, Incident... incidents) {
    return new Scorer(truth, List.of(incidents), fault -> Double.NaN).score("test");
  }

  private static Truth truth(Map<String, Object> parameters) {
    Truth.Fault fault =
        new Truth.Fault(
            "f1",
            2,
            "PHY_LINK",
            LINK,
            List.of(new Truth.Subject("host", "victim")),
            START.plusSeconds(500),
            START.plusSeconds(600),
            null,
            "medium",
            parameters,
            List.of("PHY_LANE"),
            List.of(new Truth.Subject("port", "a:1")));
    Truth.Confounder busy =
        new Truth.Confounder(
            17,
            new Truth.Subject("link", "busy:1--e:1"),
            START,
            START.plusSeconds(7_200),
            "",
            List.of("CONGESTION"));
    return new Truth(
        1, 2, "", "medium", false, "F1", "roce", 2, 7_200, 10, 0, List.of(fault), List.of(busy));
  }

  private static Incident incident(String link, Cause cause, double probability) {
    return incident(SubjectType.LINK, link, cause, probability, 700);
  }

  private static Incident incident(
      SubjectType type, String id, Cause cause, double probability, int second) {
    Subject subject = new Subject(type, id);
    Instant at = START.plusSeconds(second);
    double nats = Math.log(probability) - Math.log1p(-probability);
    Evidence evidence =
        new Evidence(Family.PHY, "s", subject, "", "", Reference.LIMIT, nats, at, at, "test");
    return new Incident(
        UUID.nameUUIDFromBytes((id + cause).getBytes(UTF_8)),
        id + cause,
        subject,
        cause,
        Severity.WARNING,
        Incident.State.OPEN,
        probability,
        at,
        at,
        null,
        "",
        List.of(),
        List.of(evidence),
        null,
        null,
        Repeats.NONE,
        List.of(),
        1);
  }
}
