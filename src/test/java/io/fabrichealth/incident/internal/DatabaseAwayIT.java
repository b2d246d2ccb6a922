package io.fabrichealth.incident.internal;

import static io.fabrichealth.incident.internal.TestVerdicts.AT;
import static io.fabrichealth.incident.internal.TestVerdicts.closed;
import static io.fabrichealth.incident.internal.TestVerdicts.link;
import static io.fabrichealth.incident.internal.TestVerdicts.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.incident.Decision;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.store.EngineSnapshots;
import io.fabrichealth.store.Inventory;
import io.fabrichealth.testing.RestartablePostgres;
import io.fabrichealth.testing.StorageContext;
import io.fabrichealth.topology.Fabric;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataAccessException;

class DatabaseAwayIT {
  @TempDir Path directory;
  private Path data;
  private RestartablePostgres postgres;

  @BeforeEach
  void setUp() {
    data = directory.resolve("data");
    postgres = new RestartablePostgres(directory.resolve("cluster"));
    postgres.start();
  }

  @AfterEach
  void tearDown() {
    postgres.close();
  }

  @Test
  void nothing_is_lost_or_doubled_when_the_database_goes_and_comes_back() {
    try (var context = StorageContext.start(data, postgres.url())) {
      Incidents incidents = StorageContext.incidents(context);
      incidents.apply(List.of(open(link(1), Cause.PHY_LANE, .97)), AT);
      incidents.apply(List.of(open(link(2), Cause.PHY_LANE, .97)), AT);
      StorageContext.awaitWritten(context);

      postgres.stop();
      incidents.apply(List.of(open(link(3), Cause.PHY_LANE, .97)), AT);
      incidents.apply(List.of(closed(link(1))), AT.plusSeconds(700));
      incidents.apply(List.of(open(link(2), Cause.LINK_FLAP, .999)), AT.plusSeconds(10));
      List<Incident> seen = incidents.unresolved();

      assertThat(seen).extracting(Incident::subject).containsExactlyInAnyOrder(link(2), link(3));
      assertThat(incidents.find(query(Set.of(Incident.State.OPEN))).items()).isEqualTo(seen);
      assertThat(incidents.find(seen.getFirst().id())).contains(seen.getFirst());
      assertThatThrownBy(() -> incidents.find(query(Set.of())))
          .isInstanceOf(DataAccessException.class);
      assertThatThrownBy(() -> incidents.find(new UUID(0, 1)))
          .isInstanceOf(DataAccessException.class);

      postgres.start();
      StorageContext.awaitWritten(context);

      assertThat(table(context).unresolved()).containsExactlyInAnyOrderElementsOf(seen);
      assertThat(incidents.find(query(Set.of())).items())
          .extracting(Incident::subject)
          .containsExactlyInAnyOrder(link(1), link(2), link(3));
      assertThat(failures(context, "write")).isPositive();
      assertThat(failures(context, "journal")).isZero();
    }
  }

  @Test
  void what_a_process_could_not_write_is_written_by_the_next_one() {
    List<Incident> seen;
    try (var context = StorageContext.start(data, postgres.url())) {
      Incidents incidents = StorageContext.incidents(context);
      incidents.apply(List.of(open(link(1), Cause.PHY_LANE, .97)), AT);
      StorageContext.awaitWritten(context);
      postgres.stop();
      incidents.apply(
          List.of(closed(link(1)), open(link(2), Cause.PHY_LANE, .97)), AT.plusSeconds(700));
      incidents.decide(
          incidents.unresolved().getFirst().id(),
          new Decision.Acknowledgement("ada", "on my way"),
          Set.of(),
          AT.plusSeconds(710));
      seen = incidents.unresolved();
      assertThat(seen).extracting(Incident::state).containsExactly(Incident.State.ACKNOWLEDGED);
    }
    assertThat(data.resolve("journal/incidents.ndjson")).isNotEmptyFile();

    postgres.start();
    try (var context = StorageContext.start(data, postgres.url())) {
      assertThat(StorageContext.incidents(context).unresolved()).isEqualTo(seen);
      StorageContext.awaitWritten(context);

      assertThat(table(context).unresolved()).isEqualTo(seen);
      assertThat(data.resolve("journal/incidents.ndjson")).isEmptyFile();
    }
  }

  @Test
  void a_journal_without_room_is_counted_and_loses_nothing_while_the_process_lives()
      throws IOException {
    try (var context =
        StorageContext.start(data, postgres.url(), "fabric-health.journal.max-bytes=2000B")) {
      Incidents incidents = StorageContext.incidents(context);
      postgres.stop();
      for (int number = 0; number < 20; number++) {
        incidents.apply(List.of(open(link(number), Cause.PHY_LANE, .97)), AT);
      }
      assertThat(failures(context, "journal")).isPositive();
      assertThat(Files.size(data.resolve("journal/incidents.ndjson"))).isBetween(1L, 2000L);

      postgres.start();
      StorageContext.awaitWritten(context);
      assertThat(table(context).unresolved()).hasSize(20);
    }
  }

  @Test
  void snapshots_and_inventory_say_that_they_were_not_saved() {
    try (var context = StorageContext.start(data, postgres.url())) {
      EngineSnapshots snapshots = context.getBean(EngineSnapshots.class);
      Inventory inventory = context.getBean(Inventory.class);
      postgres.stop();

      assertThatThrownBy(() -> snapshots.save(Map.of("leaf1", new byte[] {1}), 1, AT))
          .isInstanceOf(DataAccessException.class);
      assertThatThrownBy(() -> snapshots.load(1)).isInstanceOf(DataAccessException.class);
      assertThatThrownBy(() -> inventory.save(Fabric.EMPTY, AT))
          .isInstanceOf(DataAccessException.class);
      assertThatThrownBy(inventory::load).isInstanceOf(DataAccessException.class);

      postgres.start();
      // The pool of connections needs its time to notice.
      StorageContext.incidents(context).apply(List.of(open(link(1), Cause.PHY_LANE, .97)), AT);
      StorageContext.awaitWritten(context);
      snapshots.save(Map.of("leaf1", new byte[] {1}), 1, AT);
      assertThat(snapshots.load(1)).containsOnlyKeys("leaf1");
    }
  }

  private static IncidentTable table(ConfigurableApplicationContext context) {
    return context.getBean(IncidentTable.class);
  }

  private static double failures(ConfigurableApplicationContext context, String of) {
    return context
        .getBean(MeterRegistry.class)
        .get("fabric.incident." + of + ".failures")
        .counter()
        .count();
  }

  private static Incidents.Query query(Set<Incident.State> states) {
    return new Incidents.Query(states, Set.of(), Set.of(), null, null, null, 100);
  }
}
