package io.fabrichealth.incident.internal;

import static io.fabrichealth.incident.internal.TestVerdicts.AT;
import static io.fabrichealth.incident.internal.TestVerdicts.HOST;
import static io.fabrichealth.incident.internal.TestVerdicts.LINK;
import static io.fabrichealth.incident.internal.TestVerdicts.evidence;
import static io.fabrichealth.incident.internal.TestVerdicts.open;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Lifecycle;
import io.fabrichealth.incident.Repeats;
import io.fabrichealth.incident.Resolution;
import io.fabrichealth.incident.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LifecycleTest {
  private static final Instant SOON = AT.plusSeconds(10);
  private static final Instant LATER = AT.plusSeconds(60);

  private final Incident incident = opened(Cause.PHY_LANE, .97, AT);

  @Test
  void a_link_has_one_fingerprint_whatever_the_cause() {
    assertThat(Lifecycle.fingerprint(LINK, Cause.PHY_LANE))
        .isEqualTo("link:" + LINK.id())
        .isEqualTo(Lifecycle.fingerprint(LINK, Cause.LINK_FLAP));
  }

  @Test
  void another_subject_has_one_fingerprint_a_cause() {
    assertThat(Lifecycle.fingerprint(HOST, Cause.SLOW_RECEIVER))
        .isEqualTo("host:gpu-001:SLOW_RECEIVER");
  }

  @Test
  void the_id_is_that_of_fingerprint_and_opening() {
    assertThat(opened(Cause.LINK_FLAP, .99, AT).id()).isEqualTo(incident.id());
    assertThat(opened(Cause.PHY_LANE, .97, SOON).id()).isNotEqualTo(incident.id());
  }

  @Test
  void instants_are_those_that_the_database_can_keep() {
    Incident opened = opened(Cause.PHY_LANE, .97, AT.plusNanos(1234));

    assertThat(opened.openedAt()).isEqualTo(AT.plusNanos(1000));
    assertThat(opened.updatedAt()).isEqualTo(AT.plusNanos(1000));
  }

  @Test
  void a_poll_that_says_the_same_is_not_a_write() {
    assertThat(Lifecycle.update(incident, open(LINK, Cause.PHY_LANE, .97), LATER)).isEmpty();
  }

  @Test
  void a_probability_that_hardly_moves_waits_for_a_minute() {
    var verdict = open(LINK, Cause.PHY_LANE, .975);

    assertThat(Lifecycle.update(incident, verdict, LATER.minusMillis(1))).isEmpty();
    assertThat(Lifecycle.update(incident, verdict, LATER))
        .hasValueSatisfying(
            next -> {
              assertThat(next.probability()).isEqualTo(.975);
              assertThat(next.version()).isEqualTo(2);
              assertThat(next.updatedAt()).isEqualTo(LATER);
              assertThat(next.openedAt()).isEqualTo(AT);
            });
  }

  @Test
  void a_probability_that_moves_is_written_at_once() {
    assertThat(Lifecycle.update(incident, open(LINK, Cause.PHY_LANE, .985), SOON)).isPresent();
  }

  @Test
  void another_cause_or_new_evidence_is_written_at_once() {
    List<Evidence> more = List.of(evidence("prior", -9), evidence("port.link_downs", 5));

    assertThat(Lifecycle.update(incident, open(LINK, Cause.PHY_LINK, .97), SOON)).isPresent();
    assertThat(Lifecycle.update(incident, open(LINK, Cause.PHY_LANE, .97, more), SOON)).isPresent();
  }

  @Test
  void a_verdict_without_cause_keeps_the_cause_of_the_incident() {
    assertThat(Lifecycle.update(incident, open(LINK, null, .3), SOON))
        .hasValueSatisfying(next -> assertThat(next.cause()).isEqualTo(Cause.PHY_LANE));
  }

  @Test
  void the_severity_never_falls_while_it_is_open() {
    Incident flap = opened(Cause.LINK_FLAP, .999, AT);

    assertThat(flap.severity()).isEqualTo(Severity.CRITICAL);
    assertThat(Lifecycle.update(flap, open(LINK, Cause.LINK_FLAP, .6), SOON))
        .hasValueSatisfying(next -> assertThat(next.severity()).isEqualTo(Severity.CRITICAL));
  }

  @Test
  void an_impact_that_would_page_needs_certainty() {
    assertThat(opened(Cause.LINK_FLAP, .96, AT).severity()).isEqualTo(Severity.WARNING);
    assertThat(opened(Cause.SLOW_RECEIVER, .999, AT).severity()).isEqualTo(Severity.WARNING);
    assertThat(opened(Cause.CONGESTION, .999, AT).severity()).isEqualTo(Severity.INFO);
  }

  @Test
  void a_clock_that_goes_back_does_not_take_the_incident_with_it() {
    Incident updated =
        Lifecycle.update(incident, open(LINK, Cause.LINK_DOWN, .999), AT.minusSeconds(5))
            .orElseThrow();
    Incident resolved =
        Lifecycle.resolve(updated, Resolution.CLEARED, AT.minus(Duration.ofDays(1)));

    assertThat(updated.updatedAt()).isEqualTo(AT);
    assertThat(resolved.resolvedAt()).isEqualTo(AT);
  }

  @Test
  void resolving_keeps_evidence_and_probability() {
    Incident resolved = Lifecycle.resolve(incident, Resolution.CLEARED, SOON);

    assertThat(resolved.state()).isEqualTo(Incident.State.RESOLVED);
    assertThat(resolved.evidence()).isEqualTo(incident.evidence());
    assertThat(resolved.probability()).isEqualTo(incident.probability());
    assertThat(resolved.version()).isEqualTo(2);
  }

  @Test
  void adopting_takes_the_identity_of_what_is_stored() {
    Incident stored = opened(Cause.PHY_LINK, .96, AT.minusSeconds(30));

    Incident adopted = Lifecycle.adopt(stored, incident);

    assertThat(adopted.id()).isEqualTo(stored.id());
    assertThat(adopted.openedAt()).isEqualTo(stored.openedAt());
    assertThat(adopted.cause()).isEqualTo(Cause.PHY_LANE);
    assertThat(adopted.version()).isEqualTo(2);
  }

  private static Incident opened(Cause cause, double probability, Instant at) {
    return Lifecycle.open(LINK, open(LINK, cause, probability), cause, at, at, Repeats.NONE, null);
  }
}
