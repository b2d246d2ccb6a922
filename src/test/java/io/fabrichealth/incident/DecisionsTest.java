package io.fabrichealth.incident;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.incident.IncidentChange.Kind;
import io.fabrichealth.verdict.Coverage;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DecisionsTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Subject LINK =
      new Subject(SubjectType.LINK, "leaf1:Ethernet1--spine1:Ethernet1");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private CurrentIncidents current = new CurrentIncidents(Suppressor.NONE);

  @Test
  void an_acknowledged_incident_is_followed_and_stays_acknowledged() {
    Incident incident = say(seen(Duration.ZERO, .97), acknowledgement("ada"), MINUTE);

    assertThat(incident.state()).isEqualTo(Incident.State.ACKNOWLEDGED);
    assertThat(seen(MINUTE.multipliedBy(2), .999).state()).isEqualTo(Incident.State.ACKNOWLEDGED);
  }

  @Test
  void who_says_the_same_again_changes_nothing_and_another_person_takes_over() {
    Incident incident = say(seen(Duration.ZERO, .97), acknowledgement("ada"), MINUTE);

    assertThat(say(incident, acknowledgement("ada"), MINUTE.multipliedBy(2))).isSameAs(incident);
    Incident taken = say(incident, acknowledgement("bob"), MINUTE.multipliedBy(3));
    assertThat(taken.version()).isEqualTo(incident.version() + 1);
    assertThat(taken.changes())
        .extracting(IncidentChange::by)
        .containsExactly(IncidentChange.SERVICE, "ada", "bob");
  }

  @Test
  void a_repair_is_believed_until_its_evidence_should_have_gone() {
    say(seen(Duration.ZERO, .99), resolution(Resolution.REPAIRED), MINUTE);

    assertThat(open(MINUTE.multipliedBy(2), Cause.PHY_LINK, .99)).isNull();
    assertThat(open(MINUTE.multipliedBy(10), Cause.PHY_LINK, .99)).isNull();
    assertThat(current.all()).isEmpty();
  }

  @Test
  void a_fault_still_seen_after_its_repair_opens_again_and_says_so() {
    Incident first = seen(Duration.ZERO, .99);
    say(first, resolution(Resolution.REPAIRED), MINUTE);

    Incident again = open(MINUTE.multipliedBy(11), Cause.PHY_LINK, .99);

    assertThat(again).isNotNull();
    assertThat(again.id()).isNotEqualTo(first.id());
    assertThat(again.openedAt()).isEqualTo(START.plus(MINUTE.multipliedBy(11)));
    assertThat(again.repeats()).isEqualTo(new Repeats(1, START.plus(MINUTE)));
    assertThat(again.changes().getFirst().detail())
        .isEqualTo("still seen after it was resolved as REPAIRED");
  }

  @Test
  void a_fault_that_wanes_after_its_repair_does_not_open_again() {
    say(seen(Duration.ZERO, .99), resolution(Resolution.REPAIRED), MINUTE);

    assertThat(open(MINUTE.multipliedBy(11), Cause.PHY_LINK, .7)).isNull();
  }

  @Test
  void a_false_alarm_stays_quiet_for_a_day_unless_the_cause_is_another_one() {
    say(seen(Duration.ZERO, .99), resolution(Resolution.FALSE_ALARM), MINUTE);

    assertThat(open(Duration.ofHours(23), Cause.PHY_LINK, .999)).isNull();
    assertThat(open(Duration.ofHours(23), Cause.LINK_FLAP, .999)).isNotNull();
  }

  @Test
  void a_false_alarm_that_is_seen_for_longer_than_a_day_opens_again() {
    say(seen(Duration.ZERO, .99), resolution(Resolution.FALSE_ALARM), MINUTE);

    Incident again = open(Duration.ofHours(25), Cause.PHY_LINK, .999);
    assertThat(again).isNotNull();
    assertThat(again.repeats()).as("no fault is no repetition").isEqualTo(Repeats.NONE);
  }

  @Test
  void a_fault_that_went_away_and_came_back_is_another_one() {
    say(seen(Duration.ZERO, .99), resolution(Resolution.ACCEPTED), MINUTE);
    apply(Duration.ofMinutes(20), null, .01);

    Incident again = open(Duration.ofMinutes(30), Cause.PHY_LINK, .99);
    assertThat(again).isNotNull();
    assertThat(again.changes().getFirst().detail()).isNull();
  }

  @Test
  void a_restart_does_not_make_a_fault_another_one() {
    Incident ended = say(seen(Duration.ZERO, .99), resolution(Resolution.FALSE_ALARM), MINUTE);
    current = new CurrentIncidents(Suppressor.NONE);
    current.remember(List.of(EndedIncident.of(ended)));

    apply(Duration.ofMinutes(20), null, .01);
    assertThat(open(Duration.ofMinutes(21), Cause.PHY_LINK, .99)).isNull();

    apply(Duration.ofMinutes(40), null, .01);
    assertThat(open(Duration.ofMinutes(41), Cause.PHY_LINK, .99)).isNotNull();
  }

  @Test
  void who_offends_again_within_thirty_days_is_counted() {
    for (int day : new int[] {0, 10, 20}) {
      seen(Duration.ofDays(day), .99);
      apply(Duration.ofDays(day).plus(MINUTE), null, .01);
    }

    Incident fourth = seen(Duration.ofDays(35), .99);

    assertThat(fourth.repeats())
        .isEqualTo(new Repeats(2, START.plus(Duration.ofDays(20)).plus(MINUTE)));
  }

  @Test
  void what_the_service_changes_is_in_the_trail() {
    seen(Duration.ZERO, .97);
    Incident raised = apply(MINUTE, Cause.LINK_FLAP, .999).getLast().incident();
    Incident ended = apply(MINUTE.multipliedBy(30), null, .01).getLast().incident();

    assertThat(raised.changes())
        .extracting(IncidentChange::detail)
        .containsExactly(null, "PHY_LINK to LINK_FLAP", "WARNING to CRITICAL");
    assertThat(ended.changes())
        .extracting(IncidentChange::kind)
        .containsExactly(Kind.OPENED, Kind.CAUSE_CHANGED, Kind.SEVERITY_RAISED, Kind.RESOLVED);
    assertThat(ended.resolution()).isEqualTo(Resolution.CLEARED);
    assertThat(ended.changes()).extracting(IncidentChange::by).containsOnly("fabric-health");
  }

  private Incident say(Incident incident, Decision decision, Duration after) {
    return current.decide(incident, decision, START.plus(after));
  }

  private static Decision acknowledgement(String by) {
    return new Decision.Acknowledgement(by, "on my way");
  }

  private static Decision resolution(Resolution reason) {
    return new Decision.End("ada", reason, null);
  }

  private Incident seen(Duration after, double probability) {
    return apply(after, Cause.PHY_LINK, probability).getLast().incident();
  }

  private @Nullable Incident open(Duration after, Cause cause, double probability) {
    List<CurrentIncidents.Change> changes = apply(after, cause, probability);
    return changes.isEmpty() ? null : changes.getLast().incident();
  }

  /** The engine goes on with the time at which it first saw the fault. */
  private List<CurrentIncidents.Change> apply(
      Duration after, @Nullable Cause cause, double probability) {
    Instant at = START.plus(after);
    Instant opened = after.compareTo(Duration.ofHours(25)) <= 0 ? START : at;
    return current.apply(
        new Verdict(
            LINK,
            cause == null ? LinkState.HEALTHY : LinkState.DEGRADED,
            probability,
            cause,
            at,
            cause == null ? null : opened,
            List.of(),
            List.of(),
            Coverage.NONE,
            "a sentence"),
        at);
  }
}
