package io.fabrichealth.incident;

import static io.fabrichealth.incident.Incident.State.ACKNOWLEDGED;
import static io.fabrichealth.incident.Incident.State.OPEN;
import static io.fabrichealth.incident.Incident.State.RESOLVED;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.incident.Standing.Event;
import org.junit.jupiter.api.Test;

class StandingTest {
  private static final Standing OPENED = standing(OPEN, false);
  private static final Standing SUPPRESSED = standing(OPEN, true);
  private static final Standing ENDED = standing(RESOLVED, false);

  @Test
  void a_new_incident_is_told_of_unless_it_is_expected() {
    assertThat(Event.between(null, OPENED)).isEqualTo(Event.OPENED);
    assertThat(Event.between(null, SUPPRESSED)).isNull();
    assertThat(Event.between(SUPPRESSED, SUPPRESSED)).isNull();
    assertThat(Event.between(SUPPRESSED, OPENED)).isEqualTo(Event.OPENED);
    assertThat(Event.between(OPENED, SUPPRESSED)).isEqualTo(Event.SUPPRESSED);
  }

  @Test
  void the_end_is_told_to_who_heard_of_the_beginning() {
    assertThat(Event.between(OPENED, ENDED)).isEqualTo(Event.RESOLVED);
    assertThat(Event.between(OPENED, standing(RESOLVED, true))).isEqualTo(Event.RESOLVED);
    assertThat(Event.between(SUPPRESSED, ENDED)).isNull();
    assertThat(Event.between(ENDED, ENDED)).isNull();
  }

  @Test
  void one_that_came_and_went_unwritten_is_told_of_once() {
    assertThat(Event.between(null, ENDED)).isEqualTo(Event.RESOLVED);
    assertThat(Event.between(null, standing(RESOLVED, true))).isNull();
  }

  @Test
  void what_is_new_to_a_person_is_told_and_nothing_else() {
    assertThat(Event.between(OPENED, OPENED)).isNull();
    assertThat(Event.between(OPENED, standing(ACKNOWLEDGED, false))).isEqualTo(Event.ACKNOWLEDGED);
    assertThat(Event.between(standing(ACKNOWLEDGED, false), standing(ACKNOWLEDGED, false)))
        .isNull();
    assertThat(Event.between(OPENED, new Standing(OPEN, false, Cause.PHY_LINK, Severity.CRITICAL)))
        .isEqualTo(Event.CHANGED);
  }

  @Test
  void one_that_opens_again_is_told_of_again() {
    assertThat(Event.between(ENDED, OPENED)).isEqualTo(Event.OPENED);
  }

  private static Standing standing(Incident.State state, boolean suppressed) {
    return new Standing(state, suppressed, Cause.PHY_LINK, Severity.WARNING);
  }
}
