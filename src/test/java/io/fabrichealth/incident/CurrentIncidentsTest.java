package io.fabrichealth.incident;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.verdict.Coverage;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Verdict;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CurrentIncidentsTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Subject LINK =
      new Subject(SubjectType.LINK, "leaf1:Ethernet1--spine1:Ethernet1");
  private static final Subject COMPONENT =
      new Subject(SubjectType.SHARED_COMPONENT, "leaf1:Ethernet1+leaf1:Ethernet2");

  private final CurrentIncidents current = new CurrentIncidents(Suppressor.NONE);

  private List<CurrentIncidents.Change> apply(
      int second, Subject subject, LinkState state, @Nullable Cause cause, String... members) {
    Instant at = START.plusSeconds(second);
    Verdict verdict =
        new Verdict(
            subject,
            state,
            cause == null ? .01 : .999,
            cause,
            at,
            cause == null ? null : at,
            List.of(),
            List.of(members),
            Coverage.NONE,
            "a sentence");
    return current.apply(verdict, at);
  }

  @Test
  void an_incident_of_a_link_becomes_part_of_that_of_its_component() {
    apply(0, LINK, LinkState.DEGRADED, Cause.PHY_LINK);
    Incident component =
        apply(5, COMPONENT, LinkState.DEGRADED, Cause.SHARED_COMPONENT, LINK.id())
            .getFirst()
            .incident();
    Incident merged = apply(5, LINK, LinkState.DEGRADED, null).getFirst().incident();

    assertThat(merged.state()).isEqualTo(Incident.State.RESOLVED);
    assertThat(merged.suppressedBy()).isEqualTo(component.id().toString());
    assertThat(current.all()).containsExactly(component);
  }

  @Test
  void an_incident_that_ends_because_the_link_is_well_again_is_part_of_nothing() {
    apply(0, LINK, LinkState.DEGRADED, Cause.PHY_LINK);
    apply(5, COMPONENT, LinkState.DEGRADED, Cause.SHARED_COMPONENT, LINK.id());

    assertThat(apply(900, LINK, LinkState.HEALTHY, null).getFirst().incident().suppressedBy())
        .isNull();
  }

  @Test
  void an_incident_is_no_part_of_one_that_does_not_touch_its_link() {
    apply(0, LINK, LinkState.DEGRADED, Cause.PHY_LINK);
    apply(5, COMPONENT, LinkState.DEGRADED, Cause.SHARED_COMPONENT, "leaf1:Ethernet2");

    assertThat(apply(5, LINK, LinkState.DEGRADED, null).getFirst().incident().suppressedBy())
        .isNull();
  }
}
