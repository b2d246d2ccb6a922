package io.fabrichealth.collect.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabrichealth.collect.jobs.WatchedJobs.Look;
import io.fabrichealth.collect.jobs.WatchedJobs.Ready;
import io.fabrichealth.collect.jobs.WatchedJobs.Refused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedJobsTest {
  private static final Duration SETTLED = Duration.ofSeconds(30);

  @TempDir private Path folder;
  private Path root;
  private WatchedJobs jobs;
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");

  @BeforeEach
  void make() throws IOException {
    root = Files.createDirectory(folder.resolve("shared")).toRealPath();
    jobs = new WatchedJobs(root, SETTLED, List.of());
  }

  @Test
  void a_file_is_ready_once_when_it_has_stopped_changing() throws IOException {
    write("train-7/rank_0", "a");

    assertThat(look(0).ready()).isEmpty();
    assertThat(look(29).ready()).isEmpty();
    assertThat(jobs.waiting()).isOne();
    Ready ready = look(1).ready().getFirst();
    assertThat(ready.job()).isEqualTo("train-7");
    assertThat(ready.files()).containsExactly(root.resolve("train-7/rank_0"));
    assertThat(look(10).ready()).as("until it was read").hasSize(1);
    jobs.done(ready);
    assertThat(look(100).ready()).isEmpty();
    assertThat(jobs.waiting()).isZero();
  }

  @Test
  void a_file_that_grows_waits_and_costs_no_other() throws IOException {
    write("job/log", "a");
    write("job/rank_0", "a");
    look(0);
    for (int i = 0; i < 5; i++) {
      write("job/log", "a");
      Look look = look(20);
      if (i > 0) {
        assertThat(names(look)).containsExactly("rank_0");
      }
    }

    assertThat(names(look(30))).containsExactly("log", "rank_0");
  }

  @Test
  void a_file_that_was_cut_off_or_replaced_is_ready_again() throws IOException {
    write("job/log", "abc");
    write("job/dump", "abc");
    read(30);

    write("job/log", "", StandardOpenOption.TRUNCATE_EXISTING);
    assertThat(names(read(30))).containsExactly("log");
    FileTime modified = Files.getLastModifiedTime(root.resolve("job/dump"));
    Path other = Files.writeString(root.resolve("job/.dump.new"), "xyz");
    Files.setLastModifiedTime(other, modified);
    Files.move(other, root.resolve("job/dump"), StandardCopyOption.REPLACE_EXISTING);

    Look look = read(30);
    assertThat(names(look)).as("of the same size and time").containsExactly("dump");
    assertThat(look.ready().getFirst().all()).hasSize(2);
    assertThat(look.ready().getFirst().isAnew()).isFalse();
  }

  @Test
  void a_job_whose_files_have_all_gone_begins_anew() throws IOException {
    write("job/rank_0", "a");
    read(30);
    Files.delete(root.resolve("job/rank_0"));
    look(10);
    write("job/other_0", "b");

    Look look = read(30);
    assertThat(look.ready().getFirst().isAnew()).isTrue();
    write("job/other_1", "b");
    assertThat(read(30).ready().getFirst().isAnew()).isFalse();
  }

  @Test
  void files_that_lie_in_it_directly_are_of_the_job_of_its_name() throws IOException {
    write("rank_0", "a");
    write("host1/logs/rank_1", "a");

    List<Ready> ready = read(30).ready();

    assertThat(ready).extracting(Ready::job).containsExactlyInAnyOrder("shared", "host1");
    assertThat(ready).flatExtracting(Ready::files).hasSize(2);
  }

  @Test
  void links_and_odd_things_are_refused_and_told_once() throws IOException {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "x");
    write("job/rank_0", "a");
    Files.createSymbolicLink(root.resolve("job/link"), outside.resolve("secret"));
    Files.createSymbolicLink(root.resolve("job/directory"), outside);
    Files.createSymbolicLink(root.resolve("latest"), root.resolve("job"));
    write("job/new\nline", "a");
    Files.createDirectories(root.resolve("job/1/2/3/4/5/6/7/8/9"));

    Look first = look(0);
    assertThat(first.refused())
        .extracting(Refused::path)
        .containsExactlyInAnyOrder(
            "job/link", "job/directory", "latest", "job/new\nline", "job/1/2/3/4/5/6/7/8");
    assertThat(look(30).refused()).isEmpty();
    assertThat(names(look(30))).containsExactly("rank_0");
  }

  @Test
  void a_directory_that_became_a_link_is_not_followed() throws IOException {
    write("job/host/rank_0", "a");
    look(0);
    Path outside = Files.move(root.resolve("job"), folder.resolve("outside"));
    Files.createSymbolicLink(root.resolve("job"), outside);

    assertThat(look(30).ready()).isEmpty();
  }

  @Test
  void what_was_read_outlives_a_restart() throws IOException {
    write("job/a file", "a");
    write("job/host/rank_0", "a");
    write("rank_1", "a");
    read(30);
    write("job/later", "a");
    List<String> memory = jobs.memory();

    jobs = new WatchedJobs(root, SETTLED, memory);
    Look look = read(30);

    assertThat(names(look)).containsExactly("later");
    assertThat(look.ready().getFirst().all()).hasSize(3);
    jobs = new WatchedJobs(root, SETTLED, List.of("nonsense", "job/x y z a", "job/1 2"));
    assertThat(read(30).ready()).hasSize(2);
  }

  @Test
  void many_jobs_come_a_few_at_a_time_and_each_comes() throws IOException {
    for (int i = 0; i < 25; i++) {
      write("job%02d/rank_0".formatted(i), "a");
    }
    look(0);

    assertThat(read(30).ready()).hasSize(10);
    assertThat(read(0).ready()).hasSize(10);
    assertThat(read(0).ready()).extracting(Ready::job).hasSize(5).contains("job24");
  }

  @Test
  void a_job_of_too_many_files_is_read_as_far_as_it_may() throws IOException {
    Files.createDirectory(root.resolve("job"));
    for (int i = 0; i < 20_010; i++) {
      Files.createFile(root.resolve("job/f" + i));
    }

    assertThat(look(0).refused())
        .extracting(Refused::reason)
        .containsExactly("more than 20,000 files");
    assertThat(look(30).ready().getFirst().files()).hasSize(20_000);
  }

  @Test
  void a_directory_that_is_not_there_is_told() {
    jobs = new WatchedJobs(root.resolve("none"), SETTLED, List.of());

    assertThatThrownBy(() -> look(0)).isInstanceOf(NoSuchFileException.class);
  }

  private Look look(long later) throws IOException {
    now = now.plusSeconds(later);
    return jobs.look(now);
  }

  /** Sees files for the first time, and reads them after so many seconds. */
  private Look read(long later) throws IOException {
    if (later > 0) {
      look(0);
    }
    Look look = look(later);
    look.ready().forEach(jobs::done);
    return look;
  }

  private static List<String> names(Look look) {
    return look.ready().stream()
        .flatMap(ready -> ready.files().stream())
        .map(file -> String.valueOf(file.getFileName()))
        .toList();
  }

  private void write(String name, String more, StandardOpenOption... how) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(
        file,
        more.getBytes(UTF_8),
        how.length > 0
            ? how
            : new StandardOpenOption[] {StandardOpenOption.CREATE, StandardOpenOption.APPEND});
  }
}
