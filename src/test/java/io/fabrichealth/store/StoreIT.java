package io.fabrichealth.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.store.JobStore.JobHead;
import io.fabrichealth.store.JobStore.StoredAnalysis;
import io.fabrichealth.store.JobStore.StoredJob;
import io.fabrichealth.testing.EmbeddedPostgresFixture;
import io.fabrichealth.testing.StorageContext;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.ErrorBin;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.FecMode;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.Media;
import io.fabrichealth.topology.Port;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Tier;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

class StoreIT {
  private static final Instant AT = Instant.parse("2026-11-01T10:00:00Z");
  private static final Instant LATER = AT.plusSeconds(60);
  private static final PortId HOST_END = new PortId("gpu-001", "mlx5_0/1");
  private static final PortId LEAF_END = new PortId("leaf1", "Ethernet1/1");

  @TempDir static Path data;
  private static ConfigurableApplicationContext context;

  private EngineSnapshots snapshots;
  private Inventory inventory;
  private JdbcTemplate jdbc;

  @BeforeAll
  static void start() {
    context = StorageContext.start(data, EmbeddedPostgresFixture.newDatabase());
  }

  @AfterAll
  static void stop() {
    context.close();
  }

  @BeforeEach
  void setUp() {
    snapshots = context.getBean(EngineSnapshots.class);
    inventory = context.getBean(Inventory.class);
    jdbc = context.getBean(JdbcTemplate.class);
    jdbc.execute("TRUNCATE engine_snapshot, device, port, link, job, job_analysis");
  }

  @Test
  void snapshots_come_back_piece_by_piece_in_their_last_state() {
    Map<String, byte[]> many = new HashMap<>();
    for (int number = 0; number < 1201; number++) {
      many.put("device-" + number, new byte[] {0, -1, (byte) number});
    }
    snapshots.save(many, 7, AT);
    snapshots.save(Map.of("device-1", new byte[0], "nul\0", new byte[] {9}), 7, LATER);

    Map<String, byte[]> loaded = snapshots.load(7);

    assertThat(loaded).hasSize(1202);
    assertThat(loaded.get("device-0")).containsExactly(0, -1, 0);
    assertThat(loaded.get("device-1")).isEmpty();
  }

  @Test
  void a_snapshot_of_another_version_is_not_read_and_never_mixed() {
    snapshots.save(Map.of("a", new byte[] {1}, "b", new byte[] {2}), 1, AT);
    assertThat(snapshots.load(2)).isEmpty();
    assertThat(snapshots.load(1)).hasSize(2);

    snapshots.save(Map.of("a", new byte[] {3}), 2, LATER);

    assertThat(snapshots.load(2)).containsOnlyKeys("a");
    assertThat(snapshots.load(1)).isEmpty();
  }

  @Test
  void a_fabric_comes_back_as_it_was() {
    Fabric fabric = fabric(400_000_000_000L);
    assertThat(inventory.load()).isEmpty();

    inventory.save(fabric, AT);

    assertThat(inventory.load())
        .hasValueSatisfying(
            loaded -> {
              assertThat(loaded.devices()).containsExactlyInAnyOrderElementsOf(fabric.devices());
              assertThat(loaded.ports()).containsExactlyInAnyOrderElementsOf(fabric.ports());
              assertThat(loaded.links()).containsExactlyElementsOf(fabric.links());
            });
  }

  @Test
  void only_rows_that_changed_are_written_and_what_is_gone_goes() {
    inventory.save(fabric(400_000_000_000L), AT);
    inventory.save(fabric(200_000_000_000L), LATER);

    assertThat(changedAt("port", LEAF_END.id())).isEqualTo(LATER);
    assertThat(changedAt("port", HOST_END.id())).isEqualTo(AT);

    inventory.save(Fabric.builder().device(Device.of("leaf1", Role.LEAF)).build(), LATER);

    assertThat(inventory.load())
        .hasValueSatisfying(
            left -> {
              assertThat(left.devices()).containsExactly(Device.of("leaf1", Role.LEAF));
              assertThat(left.ports()).isEmpty();
              assertThat(left.links()).isEmpty();
            });
  }

  @Test
  void names_that_the_database_does_not_take_do_not_stop_the_others() {
    Fabric fabric =
        Fabric.builder()
            .device(Device.of("a\0", Role.HOST))
            .device(Device.of("a\ud800", Role.HOST))
            .device(Device.of("a\udc00", Role.HOST))
            .device(Device.of("leaf1'; DROP TABLE device --", Role.LEAF))
            .link(Link.half(new PortId("a\0", "p\0"), null))
            .build();

    inventory.save(fabric, AT);
    inventory.save(fabric, LATER);

    assertThat(inventory.load().orElseThrow().devices())
        .extracting(Device::name)
        .containsExactlyInAnyOrder("a\uFFFD", "a?", "leaf1'; DROP TABLE device --");
  }

  // --- jobs

  @Test
  void a_job_comes_back_with_its_roster_and_its_last_analysis() {
    JobStore jobs = context.getBean(JobStore.class);
    UUID id = UUID.fromString("5f3c8e0e-0000-4000-8000-000000000001");

    assertThat(jobs.saveRoster("train-7", "{\"ranks\": [1]}", 1, false, AT)).isTrue();
    assertThat(jobs.saveRoster("train-7", "{\"ranks\": [1, 2]}", 2, true, LATER)).isFalse();
    jobs.saveAnalysis(
        new StoredAnalysis(id, "train-7", LATER, 3, "{\"a\": \"nul \\u0000\"}"), "[{}]");
    jobs.saveAnalysis(new StoredAnalysis(new UUID(0, 1), "never-told", LATER, 0, "{}"), "[]");

    StoredJob job = jobs.job("train-7").orElseThrow();
    assertThat(job.roster()).contains("[1, 2]");
    assertThat(jobs.collectives("train-7")).contains("[{}]");
    assertThat(job.head()).isEqualTo(new JobHead("train-7", 2, true, AT, LATER, id, LATER, 3));
    assertThat(jobs.jobs()).hasSize(2).contains(job.head());
    assertThat(jobs.analysis("train-7", id).orElseThrow().report()).contains("\uFFFD");
    assertThat(jobs.analysis("never-told", id)).isEmpty();
    assertThat(jobs.job("never-told").orElseThrow().roster()).isNull();
    assertThat(jobs.job("none")).isEmpty();
    assertThat(jobs.collectives("none")).isEmpty();
  }

  @Test
  void the_last_jobs_and_the_last_analyses_of_each_are_kept() {
    JobStore jobs = context.getBean(JobStore.class);
    for (int i = 0; i < JobStore.MOST_ANALYSES + 5; i++) {
      jobs.saveAnalysis(new StoredAnalysis(new UUID(1, i), "a", AT.plusSeconds(i), 0, "{}"), "[]");
    }
    assertThat(jobs.analysis("a", new UUID(1, 4))).isEmpty();
    assertThat(jobs.analysis("a", new UUID(1, 5))).isPresent();

    for (int i = 0; i < JobStore.MOST_JOBS; i++) {
      jobs.saveRoster("job-" + i, "{}", 0, false, LATER.plusSeconds(3_600L + i));
    }
    assertThat(jobs.jobs()).hasSize(JobStore.MOST_JOBS);
    assertThat(jobs.job("a")).isEmpty();
    assertThat(jobs.analysis("a", new UUID(1, 5))).isEmpty();
  }

  private Instant changedAt(String table, String id) {
    return jdbc.queryForObject(
            "SELECT changed_at FROM " + table + " WHERE id = ?", java.sql.Timestamp.class, id)
        .toInstant();
  }

  private static Fabric fabric(long leafSpeed) {
    return Fabric.builder()
        .device(
            new Device(
                "leaf1",
                Role.LEAF,
                "Arista",
                "7060X",
                3,
                1,
                Map.of("ib.x", 32),
                List.of(new ErrorBin(0, 0), new ErrorBin(1, 3))))
        .device(Device.of("gpu-001", Role.HOST))
        .port(
            new Port(
                LEAF_END,
                leafSpeed,
                8,
                FecMode.RS544,
                Media.OPTICAL,
                "QSFP-DD \"DR4\"",
                9214,
                false,
                List.of("to gpu-001, {first}", "00:1c:73:00:00:01")))
        .link(Link.between(HOST_END, LEAF_END, Tier.HOST_LEAF, 3))
        .link(Link.half(new PortId("leaf1", "Ethernet1/2"), null))
        .build();
  }
}
