package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Repeats;
import io.fabrichealth.incident.Resolution;
import io.fabrichealth.incident.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReplayComparisonTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  @Test
  void incidents_of_one_fault_are_matched_by_what_and_when() {
    Incident early = incident("a", 100, 200);
    Incident again = incident("a", 300, null);
    Incident gone = incident("b", 100, 200);
    Incident later = incident("a", 350, null);
    Incident fresh = incident("c", 5, 6);

    ReplayComparison comparison =
        ReplayComparison.of(List.of(early, again, gone), List.of(early, later, fresh));

    assertThat(comparison.same()).isOne();
    assertThat(comparison.lost()).containsExactly(gone);
    assertThat(comparison.gained()).containsExactly(fresh);
    assertThat(comparison.moved())
        .singleElement()
        .satisfies(moved -> assertThat(moved.later()).isEqualTo(Duration.ofSeconds(50)));
  }

  @Test
  void incidents_that_were_never_open_together_are_two() {
    Incident one = incident("a", 100, 200);
    Incident other = incident("a", 201, 300);

    ReplayComparison comparison = ReplayComparison.of(List.of(one), List.of(other));

    assertThat(comparison.lost()).containsExactly(one);
    assertThat(comparison.gained()).containsExactly(other);
  }

  @Test
  void the_same_runs_differ_in_nothing() {
    List<Incident> found = List.of(incident("a", 100, 200), incident("a", 150, null));

    assertThat(ReplayComparison.of(found, found))
        .isEqualTo(new ReplayComparison(List.of(), List.of(), List.of(), 2));
  }

  private static Incident incident(String host, int opened, Integer resolved) {
    return new Incident(
        UUID.nameUUIDFromBytes(new byte[] {(byte) opened}),
        host,
        Subject.host(host),
        Cause.SLOW_RECEIVER,
        Severity.WARNING,
        resolved == null ? Incident.State.OPEN : Incident.State.RESOLVED,
        .99,
        START.plusSeconds(opened),
        START.plusSeconds(opened),
        resolved == null ? null : START.plusSeconds(resolved),
        "",
        List.of(),
        List.of(),
        null,
        resolved == null ? null : Resolution.CLEARED,
        Repeats.NONE,
        List.of(),
        1);
  }
}
