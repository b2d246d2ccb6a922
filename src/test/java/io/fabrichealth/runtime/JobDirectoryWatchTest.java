package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabrichealth.collect.jobs.JobLimits;
import io.fabrichealth.testing.FakeJobIntake;
import io.fabrichealth.testing.FakeJobStore;
import io.fabrichealth.testing.GeneratedDumps;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as ranks that time out leave them: one after the other, and not all at once. */
class JobDirectoryWatchTest {
  private static final int HUNG = 5;
  private static final GeneratedDumps JOB = new GeneratedDumps(8, 60, HUNG);

  @TempDir private Path folder;
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-03-01T12:00:00Z"));
  private final FakeJobStore store = new FakeJobStore();
  private SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private JobDesk desk;
  private JobDirectoryWatch watch;
  private Path shared;

  @BeforeEach
  void start() throws IOException {
    shared = Files.createDirectory(folder.resolve("shared"));
    open();
  }

  private void open() {
    desk =
        new JobDesk(
            folder.resolve("uploads"),
            store,
            new FakeJobIntake(),
            now::get,
            new JobDesk.Limits(1 << 20, new JobLimits(1_000, 1 << 20, 1 << 30), 1_000_000));
    watch = new JobDirectoryWatch(desk, now::get, folder.resolve("data/watched-jobs"), meters);
  }

  @AfterEach
  void stop() {
    watch.close();
    desk.close();
  }

  @Test
  void dumps_that_appear_grow_and_are_replaced_become_one_analysis_of_the_job() throws IOException {
    watch.start(settings("watch: shared"));
    for (int rank = 0; rank < 7; rank++) {
      write("train-7/trace_rank_" + rank, JOB.dump(rank));
    }
    byte[] last = JOB.dump(7);
    write("train-7/trace_rank_7", Arrays.copyOf(last, 1_000));
    awaitLook();

    assertThat(store.jobs()).as("while they may still grow").isEmpty();
    now.updateAndGet(time -> time.plusSeconds(20));
    write("train-7/trace_rank_7", Arrays.copyOfRange(last, 1_000, last.length));
    awaitLook();
    assertThat(gauge("waiting")).isEqualTo(8);
    now.updateAndGet(time -> time.plusSeconds(10));
    await(() -> gauge("waiting") == 1);
    assertThat(inputs()).isEqualTo(7);
    now.updateAndGet(time -> time.plusSeconds(30));
    await(() -> gauge("waiting") == 0);

    JobDesk.Analysis found = analysis();
    assertThat(found.report().inputs()).hasSize(8);
    assertThat(found.report().findings().getFirst().ranks()).containsExactly(HUNG);
    assertThat(found.report().unknown()).isEmpty();
    assertThat(files("read")).isEqualTo(8);

    // the watchdog writes once more: cut off first, then whole by another file of the same name
    Path first = shared.resolve("train-7/trace_rank_0");
    Files.write(first, Arrays.copyOf(JOB.dump(0), 500));
    settle();
    assertThat(analysis().report().unknown())
        .extracting(JobReport.ReportedUnknown::rank)
        .containsExactly(0);
    Path other = Files.write(shared.resolve("train-7/.new"), JOB.dump(0));
    Files.move(other, first, StandardCopyOption.REPLACE_EXISTING);
    settle();
    assertThat(analysis().report().unknown()).isEmpty();
    assertThat(analysis().report().inputs()).hasSize(8);
    assertThat(first).exists();
  }

  @Test
  void what_cannot_be_read_is_counted_and_comes_once() throws IOException {
    watch.start(settings("watch: shared"));
    write("job/core", new byte[2_000]);
    write("job/trace_rank_1", JOB.dump(1));
    write("nothing/core", new byte[2_000]);
    Files.createSymbolicLink(shared.resolve("job/trace_rank_0"), Path.of("/etc/passwd"));
    settle();

    assertThat(files("read")).isEqualTo(1);
    assertThat(files("unreadable")).isEqualTo(2);
    assertThat(files("refused")).isEqualTo(1);
    assertThat(store.jobs()).hasSize(1);
  }

  @Test
  void after_a_restart_a_job_is_read_whole_when_more_comes_and_not_before() throws IOException {
    watch.start(settings("watch: shared"));
    for (int rank = 0; rank < 7; rank++) {
      write("job/trace_rank_" + rank, JOB.dump(rank));
    }
    settle();
    JobDesk.Analysis before = analysis("job");
    stop();
    meters = new SimpleMeterRegistry();
    open();
    watch.start(settings("watch: shared"));
    write("job/trace_rank_7", JOB.dump(7));
    awaitLook();
    assertThat(analysis("job").id()).isEqualTo(before.id());
    settle();

    assertThat(analysis("job").report().inputs()).hasSize(8);
    assertThat(files("read")).isEqualTo(1);
  }

  @Test
  void it_begins_ends_and_moves_with_the_settings() throws IOException {
    watch.start(settings("max-upload: 1MB"));
    Path other = Files.createDirectory(folder.resolve("other"));
    watch.changed(settings("watch: other"));
    Files.write(other.resolve("trace_rank_1"), JOB.dump(1));
    settle();
    assertThat(store.job("other")).isPresent();

    watch.changed(settings("watch: none"));
    await(() -> gauge("listed") == 0);
    Files.createDirectory(folder.resolve("none"));
    await(() -> gauge("listed") == 1);
    watch.changed(settings("max-upload: 2MB"));
    assertThat(gauge("listed")).isOne();
  }

  /** Until all that lies there has been seen, and read. */
  private void settle() {
    awaitLook();
    assertThat(gauge("waiting")).isPositive();
    now.updateAndGet(time -> time.plusSeconds(30));
    await(() -> gauge("waiting") == 0);
  }

  /** Until a look that began after now has ended. */
  private void awaitLook() {
    double looks = meters.get("fabric.health.jobs.watch.looks").counter().count();
    await(() -> meters.get("fabric.health.jobs.watch.looks").counter().count() >= looks + 2);
  }

  private Settings settings(String jobs) throws IOException {
    Path file = folder.resolve("fabric-health.yaml");
    Files.writeString(file, "fabric-health: {jobs: {watch-interval: 100ms, %s}}".formatted(jobs));
    return SettingsLoader.read(file, false);
  }

  private JobDesk.Analysis analysis() {
    return analysis("train-7");
  }

  private JobDesk.Analysis analysis(String job) {
    UUID last = Objects.requireNonNull(desk.job(job).orElseThrow().head().lastAnalysis());
    return desk.analysis(job, last).orElseThrow();
  }

  private int inputs() {
    return analysis().report().inputs().size();
  }

  private double gauge(String name) {
    return meters.get("fabric.health.jobs.watch." + name).gauge().value();
  }

  private double files(String outcome) {
    return meters.get("fabric.health.jobs.watch.files").tag("outcome", outcome).counter().count();
  }

  private void write(String name, byte[] bytes) throws IOException {
    Path file = shared.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("still waiting").isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }
}
