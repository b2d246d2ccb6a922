package io.fabrichealth.incident.internal;

import static io.fabrichealth.incident.internal.TestVerdicts.AT;
import static io.fabrichealth.incident.internal.TestVerdicts.HOST;
import static io.fabrichealth.incident.internal.TestVerdicts.LINK;
import static io.fabrichealth.incident.internal.TestVerdicts.closed;
import static io.fabrichealth.incident.internal.TestVerdicts.link;
import static io.fabrichealth.incident.internal.TestVerdicts.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.incident.Severity;
import io.fabrichealth.testing.EmbeddedPostgresFixture;
import io.fabrichealth.testing.StorageContext;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;

class StoredIncidentsIT {
  private static final Instant LATER = AT.plusSeconds(700);

  @TempDir static Path data;
  private static String url;
  private static ConfigurableApplicationContext context;

  private Incidents incidents;
  private JdbcTemplate jdbc;

  @BeforeAll
  static void start() {
    url = EmbeddedPostgresFixture.newDatabase();
    context = StorageContext.start(data, url);
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  @BeforeEach
  void setUp() {
    incidents = StorageContext.incidents(context);
    jdbc = context.getBean(JdbcTemplate.class);
    incidents.apply(incidents.unresolved().stream().map(one -> closed(one.subject())).toList(), AT);
    awaitWritten(context);
    jdbc.update("DELETE FROM incident");
  }

  @Test
  void opens_follows_and_resolves_one_incident_of_a_link() {
    incidents.apply(List.of(open(LINK, Cause.PHY_LINK, .96)), AT);
    incidents.apply(List.of(open(LINK, Cause.PHY_LANE, .999)), AT.plusSeconds(10));
    awaitWritten(context);

    Incident incident = incidents.unresolved().getFirst();
    assertThat(incidents.unresolved()).hasSize(1);
    assertThat(incident.cause()).isEqualTo(Cause.PHY_LANE);
    assertThat(incident.version()).isEqualTo(2);
    assertThat(stored()).containsExactly(incident);

    incidents.apply(List.of(closed(LINK)), LATER);
    awaitWritten(context);

    assertThat(incidents.unresolved()).isEmpty();
    assertThat(stored())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.id()).isEqualTo(incident.id());
              assertThat(one.state()).isEqualTo(Incident.State.RESOLVED);
              assertThat(one.resolvedAt()).isEqualTo(LATER);
              assertThat(one.evidence()).isEqualTo(incident.evidence());
            });
  }

  @Test
  void counts_what_this_process_opened_and_resolved() {
    Incidents.Counts before = incidents.counts();

    incidents.apply(List.of(open(link(1), Cause.PHY_LINK, .96)), AT);
    incidents.apply(List.of(open(link(2), Cause.PHY_LINK, .96)), AT);
    incidents.apply(List.of(closed(link(1)), closed(link(3))), LATER);

    assertThat(incidents.counts().opened()).isEqualTo(before.opened() + 2);
    assertThat(incidents.counts().resolved()).isEqualTo(before.resolved() + 1);
  }

  @Test
  void the_same_verdict_again_changes_nothing() {
    incidents.apply(List.of(open(LINK, Cause.PHY_LANE, .97)), AT);
    List<Incident> before = incidents.unresolved();

    incidents.apply(List.of(open(LINK, Cause.PHY_LANE, .97)), AT.plusSeconds(90));

    assertThat(incidents.unresolved()).isEqualTo(before);
  }

  @Test
  void another_cause_of_a_host_is_another_incident() {
    incidents.apply(List.of(open(HOST, Cause.SLOW_RECEIVER, .97)), AT);
    incidents.apply(List.of(open(HOST, Cause.PCIE_DOWNGRADE, .98)), AT.plusSeconds(30));
    incidents.apply(List.of(open(HOST, Cause.SLOW_RECEIVER, .97)), AT.plusSeconds(60));
    awaitWritten(context);

    assertThat(incidents.unresolved())
        .extracting(Incident::cause)
        .containsExactly(Cause.SLOW_RECEIVER);
    assertThat(stored())
        .extracting(Incident::state)
        .containsExactlyInAnyOrder(
            Incident.State.OPEN, Incident.State.RESOLVED, Incident.State.RESOLVED);
  }

  @Test
  void a_verdict_that_is_waning_does_not_open_anything() {
    incidents.apply(List.of(open(LINK, null, .3)), AT);

    assertThat(incidents.unresolved()).isEmpty();
  }

  @Test
  void two_threads_with_the_same_verdict_open_one_incident() throws Exception {
    try (var threads = Executors.newFixedThreadPool(2)) {
      Callable<@Nullable Void> work =
          () -> {
            for (int number = 0; number < 50; number++) {
              incidents.apply(List.of(open(link(number), Cause.PHY_LANE, .97)), AT);
            }
            return null;
          };
      for (var done : threads.invokeAll(List.of(work, work))) {
        done.get();
      }
    }
    awaitWritten(context);

    assertThat(incidents.unresolved()).hasSize(50);
    assertThat(stored()).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void the_database_itself_refuses_a_second_unresolved_incident_of_a_fault() {
    incidents.apply(List.of(open(LINK, Cause.PHY_LANE, .97)), AT);
    awaitWritten(context);

    assertThatThrownBy(
            () ->
                jdbc.update(
                    """
                    INSERT INTO incident SELECT gen_random_uuid(), fingerprint, subject_type,
                      subject_id, cause, severity, state, probability, opened_at, updated_at,
                      resolved_at, summary, members, evidence, suppressed_by, version FROM incident
                    """))
        .isInstanceOf(DataIntegrityViolationException.class)
        .hasMessageContaining("incident_unresolved_fingerprint");
  }

  @Test
  void a_second_process_goes_on_with_the_incident_that_the_first_one_opened(@TempDir Path other) {
    try (var second = StorageContext.start(other, url)) {
      incidents.apply(List.of(open(LINK, Cause.PHY_LANE, .97)), AT);
      awaitWritten(context);
      Incident first = incidents.unresolved().getFirst();

      Incidents theirs = StorageContext.incidents(second);
      theirs.apply(
          List.of(open(LINK, Cause.LINK_FLAP, .999, AT.plusSeconds(5))), AT.plusSeconds(5));
      awaitWritten(second);

      assertThat(theirs.unresolved()).extracting(Incident::id).containsExactly(first.id());
      assertThat(stored())
          .singleElement()
          .satisfies(
              one -> {
                assertThat(one.id()).isEqualTo(first.id());
                assertThat(one.openedAt()).isEqualTo(first.openedAt());
                assertThat(one.cause()).isEqualTo(Cause.LINK_FLAP);
              });

      theirs.apply(List.of(closed(LINK)), LATER);
      awaitWritten(second);
      assertThat(stored()).extracting(Incident::state).containsExactly(Incident.State.RESOLVED);
    }
  }

  @Test
  void a_fault_that_the_engine_still_sees_after_a_restart_is_opened_again_not_doubled() {
    incidents.apply(List.of(open(LINK, Cause.PHY_LANE, .97)), AT);
    incidents.apply(List.of(closed(LINK)), LATER);
    awaitWritten(context);

    // The engine came back with a snapshot from before the end.
    incidents.apply(List.of(open(LINK, Cause.PHY_LANE, .97)), LATER.plusSeconds(5));
    awaitWritten(context);

    assertThat(stored()).extracting(Incident::state).containsExactly(Incident.State.OPEN);
    assertThat(incidents.unresolved()).isEqualTo(stored());
  }

  @Test
  void names_that_the_database_does_not_take_do_not_stop_the_others() {
    Subject hostile = new Subject(SubjectType.HOST, "a\0b\ud800'; DROP TABLE incident --");
    incidents.apply(
        List.of(open(hostile, Cause.SLOW_RECEIVER, .97), open(LINK, Cause.PHY_LANE, .97)), AT);
    awaitWritten(context);
    assertThat(stored()).hasSize(2);

    incidents.apply(List.of(closed(hostile)), LATER);
    assertThat(incidents.unresolved()).extracting(Incident::subject).containsExactly(LINK);
  }

  @Test
  void what_the_database_refuses_is_counted_and_does_not_stop_the_others() {
    double before = rejected();
    incidents.apply(
        List.of(open(link(1), Cause.PHY_LANE, Double.NaN), open(link(2), Cause.PHY_LANE, .97)), AT);
    awaitWritten(context);

    assertThat(stored()).extracting(Incident::subject).containsExactly(link(2));
    assertThat(rejected()).isEqualTo(before + 1);
  }

  @Test
  void pages_go_from_the_newest_to_the_oldest_without_gap_or_repetition() {
    // Groups of four at the same moment, so that the id decides within a group.
    IntStream.range(0, 23)
        .forEach(
            number ->
                incidents.apply(
                    List.of(
                        open(
                            link(number), Cause.PHY_LANE, .97, AT.plusNanos(1000L * (number / 4)))),
                    AT.plusSeconds(1)));
    incidents.apply(List.of(closed(link(3)), closed(link(9)), closed(link(22))), LATER);
    awaitWritten(context);

    List<Incident> all = new ArrayList<>();
    String cursor = null;
    do {
      Incidents.Page page = incidents.find(query(Set.of(), cursor, 5));
      assertThat(page.items().size()).isBetween(1, 5);
      all.addAll(page.items());
      cursor = page.nextCursor();
    } while (cursor != null);

    assertThat(all).hasSize(23).doesNotHaveDuplicates().isSortedAccordingTo(Cursor.NEWEST_FIRST);
    assertThat(all).filteredOn(one -> one.state() == Incident.State.RESOLVED).hasSize(3);
  }

  @Test
  void pages_from_memory_are_those_from_the_database() {
    IntStream.range(0, 12)
        .forEach(number -> incidents.apply(List.of(open(link(number), Cause.PHY_LANE, .97)), AT));
    awaitWritten(context);

    Incidents.Page memory = incidents.find(query(Set.of(Incident.State.OPEN), null, 5));
    Incidents.Page database = incidents.find(query(Set.of(), null, 5));

    assertThat(memory).isEqualTo(database);
    assertThat(incidents.find(query(Set.of(Incident.State.OPEN), memory.nextCursor(), 5)))
        .isEqualTo(incidents.find(query(Set.of(), database.nextCursor(), 5)));
  }

  @Test
  void every_filter_restricts() {
    incidents.apply(
        List.of(
            open(link(1), Cause.PHY_LANE, .97),
            open(link(2), Cause.LINK_FLAP, .999),
            open(HOST, Cause.SLOW_RECEIVER, .97)),
        AT);
    incidents.apply(List.of(closed(link(1))), LATER);
    awaitWritten(context);

    assertThat(subjects(Set.of(Incident.State.RESOLVED), Set.of(), Set.of(), null, null))
        .containsExactly(link(1));
    assertThat(subjects(Set.of(), Set.of(Severity.CRITICAL), Set.of(), null, null))
        .containsExactly(link(2));
    assertThat(
            subjects(Set.of(), Set.of(), Set.of(Cause.SLOW_RECEIVER, Cause.PHY_LANE), null, null))
        .containsExactlyInAnyOrder(HOST, link(1));
    assertThat(subjects(Set.of(), Set.of(), Set.of(), HOST, null)).containsExactly(HOST);
    assertThat(subjects(Set.of(), Set.of(), Set.of(), null, AT.plusSeconds(1)))
        .containsExactly(link(1));
    assertThat(subjects(Set.of(Incident.State.OPEN), Set.of(Severity.INFO), Set.of(), null, null))
        .isEmpty();
  }

  @Test
  void a_cursor_or_limit_that_is_wrong_is_refused() {
    assertThatThrownBy(() -> incidents.find(query(Set.of(), "xyz", 5)))
        .isInstanceOf(Incidents.InvalidCursorException.class);
    assertThatThrownBy(() -> incidents.find(query(Set.of(), null, 0)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> incidents.find(query(Set.of(), null, 1001)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void finds_one_by_its_id_open_or_resolved() {
    incidents.apply(List.of(open(LINK, Cause.PHY_LANE, .97)), AT);
    Incident incident = incidents.unresolved().getFirst();

    assertThat(incidents.find(incident.id())).contains(incident);
    incidents.apply(List.of(closed(LINK)), LATER);
    awaitWritten(context);
    assertThat(incidents.find(incident.id()))
        .hasValueSatisfying(one -> assertThat(one.resolvedAt()).isEqualTo(LATER));
    assertThat(incidents.find(new java.util.UUID(1, 2))).isEmpty();
  }

  private List<Subject> subjects(
      Set<Incident.State> states,
      Set<Severity> severities,
      Set<Cause> causes,
      @Nullable Subject subject,
      @Nullable Instant since) {
    return incidents
        .find(new Incidents.Query(states, severities, causes, subject, since, null, 100))
        .items()
        .stream()
        .map(Incident::subject)
        .toList();
  }

  private List<Incident> stored() {
    return context.getBean(IncidentTable.class).newest((row, query, all) -> all.and(), 100);
  }

  private double rejected() {
    return context.getBean(MeterRegistry.class).get("fabric.incident.rejected").counter().count();
  }

  private static Incidents.Query query(
      Set<Incident.State> states, @Nullable String cursor, int limit) {
    return new Incidents.Query(states, Set.of(), Set.of(), null, null, cursor, limit);
  }

  private static void awaitWritten(ConfigurableApplicationContext of) {
    StorageContext.awaitWritten(of);
  }
}
