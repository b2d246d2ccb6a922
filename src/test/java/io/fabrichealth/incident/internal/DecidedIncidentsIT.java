package io.fabrichealth.incident.internal;

import static io.fabrichealth.incident.internal.TestVerdicts.AT;
import static io.fabrichealth.incident.internal.TestVerdicts.LINK;
import static io.fabrichealth.incident.internal.TestVerdicts.closed;
import static io.fabrichealth.incident.internal.TestVerdicts.open;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.incident.Decision;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.IncidentChange;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.incident.Incidents.Decided;
import io.fabrichealth.incident.Resolution;
import io.fabrichealth.testing.EmbeddedPostgresFixture;
import io.fabrichealth.testing.StorageContext;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

class DecidedIncidentsIT {
  private static final Decision ACKNOWLEDGED = new Decision.Acknowledgement("ada", "o\0n my way");
  private static final Decision REPAIRED =
      new Decision.End("ada", Resolution.REPAIRED, "new module");

  @TempDir private Path data;
  private String url;

  @BeforeEach
  void newDatabase() {
    url = EmbeddedPostgresFixture.newDatabase();
  }

  @Test
  void what_was_said_is_there_after_a_restart_and_the_fault_does_not_open_again_at_once() {
    Instant now = Instant.now();
    Incident resolved;
    try (var context = StorageContext.start(data, url)) {
      Incidents incidents = StorageContext.incidents(context);
      incidents.apply(List.of(open(LINK, Cause.PHY_LANE, .97, now)), now);
      Incident opened = incidents.unresolved().getFirst();
      decide(incidents, opened, ACKNOWLEDGED, now.plusSeconds(1));
      resolved = decide(incidents, opened, REPAIRED, now.plusSeconds(2)).incident();
      incidents.apply(List.of(open(LINK, Cause.PHY_LANE, .97, now)), now.plusSeconds(3));
      assertThat(incidents.unresolved()).isEmpty();
      StorageContext.awaitWritten(context);
      assertThat(
              context
                  .getBean(JdbcTemplate.class)
                  .queryForList(
                      "SELECT changed_by || ' ' || kind FROM incident_change ORDER BY number",
                      String.class))
          .containsExactly("fabric-health OPENED", "ada ACKNOWLEDGED", "ada RESOLVED");
    }
    try (var context = StorageContext.start(data, url)) {
      Incidents incidents = StorageContext.incidents(context);
      Incident found = incidents.find(resolved.id()).orElseThrow();
      assertThat(found.resolution()).isEqualTo(Resolution.REPAIRED);
      assertThat(found.changes())
          .extracting(IncidentChange::comment)
          .containsExactly(null, "o\uFFFDn my way", "new module");
      incidents.apply(List.of(open(LINK, Cause.PHY_LANE, .97, now)), now.plusSeconds(30));
      assertThat(incidents.unresolved()).isEmpty();

      incidents.apply(List.of(open(LINK, Cause.PHY_LANE, .97, now)), now.plusSeconds(700));
      assertThat(incidents.unresolved())
          .singleElement()
          .satisfies(again -> assertThat(again.repeats().count()).isOne());
      StorageContext.awaitWritten(context);
    }
  }

  @Test
  void a_decision_on_what_was_seen_before_is_stale_unless_it_was_taken_already() {
    try (var context = StorageContext.start(data, url)) {
      Incidents incidents = StorageContext.incidents(context);
      incidents.apply(List.of(open(LINK, Cause.PHY_LANE, .97)), AT);
      Incident opened = incidents.unresolved().getFirst();
      Incident acknowledged = decide(incidents, opened, ACKNOWLEDGED, AT).incident();

      assertThat(incidents.decide(opened.id(), REPAIRED, Set.of(opened.version()), AT))
          .hasValueSatisfying(one -> assertThat(one.outcome()).isEqualTo(Decided.Outcome.STALE));
      assertThat(incidents.decide(opened.id(), ACKNOWLEDGED, Set.of(opened.version()), AT))
          .contains(new Decided(Decided.Outcome.DONE, acknowledged));
    }
  }

  @Test
  void an_incident_that_ended_takes_no_other_decision() {
    try (var context = StorageContext.start(data, url)) {
      Incidents incidents = StorageContext.incidents(context);
      incidents.apply(List.of(open(LINK, Cause.PHY_LANE, .97)), AT);
      Incident opened = incidents.unresolved().getFirst();
      incidents.apply(List.of(closed(LINK)), AT.plusSeconds(700));
      StorageContext.awaitWritten(context);

      Decided decided = incidents.decide(opened.id(), ACKNOWLEDGED, Set.of(), AT).orElseThrow();
      assertThat(decided.outcome()).isEqualTo(Decided.Outcome.RESOLVED_BEFORE);
      assertThat(decided.incident().resolution()).isEqualTo(Resolution.CLEARED);
    }
  }

  private static Decided decide(
      Incidents incidents, Incident incident, Decision decision, Instant at) {
    return incidents.decide(incident.id(), decision, Set.of(), at).orElseThrow();
  }
}
