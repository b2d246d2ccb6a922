package io.fabrichealth.runtime;

import io.fabrichealth.collect.jobs.WatchedJobs;
import io.fabrichealth.collect.jobs.WatchedJobs.Look;
import io.fabrichealth.collect.jobs.WatchedJobs.Ready;
import io.fabrichealth.runtime.JobReport.ReportedInput;
import io.fabrichealth.runtime.UnusableJobException.Fault;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Hands what jobs leave in a watched directory to the {@link JobDesk}, as an upload of each job.
 * Which files were read outlives a restart; a job of which more comes after one is read whole.
 */
final class JobDirectoryWatch implements SettingsListener, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(JobDirectoryWatch.class);
  private static final int MOST_NAMED = 20;

  private final JobDesk desk;
  private final InstantSource clock;
  private final Path memory;
  private final Counter done;
  private final Counter read;
  private final Counter unreadable;
  private final Counter refused;
  private final Counter postponed;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("job-watch").factory());
  private @Nullable SettingsJobs current;
  private @Nullable ScheduledFuture<?> looks;
  private volatile @Nullable WatchedJobs watched;
  private volatile boolean isListed = true;
  private volatile int waiting;

  /**
   * @param memory file that keeps what was read
   */
  JobDirectoryWatch(JobDesk desk, InstantSource clock, Path memory, MeterRegistry meters) {
    this.desk = desk;
    this.clock = clock;
    this.memory = memory;
    done =
        Counter.builder("fabric.health.jobs.watch.looks")
            .description("Looks at the watched directory")
            .register(meters);
    read = files(meters, "read");
    unreadable = files(meters, "unreadable");
    refused = files(meters, "refused");
    postponed =
        Counter.builder("fabric.health.jobs.watch.postponed")
            .description("Jobs in the watched directory that had to wait for a later look")
            .register(meters);
    Gauge.builder("fabric.health.jobs.watch.listed", this, watch -> watch.isListed ? 1 : 0)
        .description("0 while the watched directory cannot be listed")
        .register(meters);
    Gauge.builder("fabric.health.jobs.watch.waiting", this, watch -> watch.waiting)
        .description("Files in the watched directory that are not read yet")
        .register(meters);
  }

  private static Counter files(MeterRegistry meters, String outcome) {
    return Counter.builder("fabric.health.jobs.watch.files")
        .description("Files in the watched directory, by what became of them")
        .tag("outcome", outcome)
        .register(meters);
  }

  /** Begins with these, where no newer ones came already. */
  synchronized void start(Settings settings) {
    if (current == null) {
      changed(settings);
    }
  }

  @Override
  public synchronized void changed(Settings settings) {
    SettingsJobs now = settings.uploads();
    SettingsJobs before = current;
    current = now;
    if (before != null && before.isWatchedLike(now)) {
      return;
    }
    if (looks != null) {
      looks.cancel(false);
      looks = null;
    }
    isListed = true;
    waiting = 0;
    Path directory = now.watch();
    if (directory == null) {
      watched = null;
      return;
    }
    WatchedJobs next = new WatchedJobs(directory, now.watchSettled(), recall(directory));
    watched = next;
    log.info("event=job_watch_started directory=\"{}\"", directory);
    looks =
        thread.scheduleWithFixedDelay(
            () -> look(next, directory), 0, now.watchInterval().toMillis(), TimeUnit.MILLISECONDS);
  }

  private void look(WatchedJobs jobs, Path directory) {
    if (jobs != watched) {
      return; // settings changed while this look waited
    }
    try {
      Look look = jobs.look(clock.instant());
      isListed = true;
      tell(look.refused());
      boolean isAny = false;
      for (Ready ready : look.ready()) {
        if (take(ready)) {
          jobs.done(ready);
          isAny = true;
        }
      }
      if (isAny) {
        keep(directory, jobs.memory());
      }
      waiting = jobs.waiting();
      done.increment();
    } catch (IOException | RuntimeException problem) {
      // Whatever it is, the next look comes: an exception would end all of them.
      if (isListed) {
        log.warn(
            "event=job_watch_unlisted directory=\"{}\" reason=\"{}\"",
            directory,
            problem.toString());
      }
      isListed = false;
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * @return whether that was it; false where these files are to come again
   */
  private boolean take(Ready ready) throws InterruptedException {
    try {
      List<Path> files = desk.keeps(ready.job()) && !ready.isAnew() ? ready.files() : ready.all();
      Optional<JobDesk.Analysis> found =
          desk.analyze(ready.job(), ready.directory(), files, ready.isAnew());
      if (found.isEmpty()) {
        postponed.increment();
        return false;
      }
      Set<String> fresh = new HashSet<>();
      ready.files().forEach(file -> fresh.add(ready.directory().relativize(file).toString()));
      List<Fault> faults = new ArrayList<>();
      for (ReportedInput input : found.get().report().inputs()) {
        String path = input.path().split("!", 2)[0];
        if (input.records() == 0 && input.reason() != null && fresh.remove(path)) {
          faults.add(new Fault(path, input.reason()));
        }
      }
      read.increment(fresh.size());
      unreadable(ready, faults.size(), faults);
    } catch (UnusableJobException nothing) {
      unreadable(ready, ready.files().size(), nothing.faults());
    } catch (DataAccessException away) {
      log.warn("event=job_watch_postponed job=\"{}\" reason=\"{}\"", ready.job(), away.toString());
      postponed.increment();
      return false;
    } catch (RuntimeException problem) {
      log.error("event=job_watch_failed job=\"{}\"", ready.job(), problem);
      unreadable.increment(ready.files().size());
    }
    return true;
  }

  private void unreadable(Ready ready, int count, List<Fault> faults) {
    unreadable.increment(count);
    faults.stream()
        .limit(MOST_NAMED)
        .forEach(
            fault ->
                log.warn(
                    "event=watched_file_unreadable job=\"{}\" file=\"{}\" reason=\"{}\"",
                    ready.job(),
                    fault.where(),
                    fault.problem()));
    if (count > MOST_NAMED) {
      log.warn(
          "event=watched_files_unreadable job=\"{}\" more={}", ready.job(), count - MOST_NAMED);
    }
  }

  private void tell(List<WatchedJobs.Refused> problems) {
    refused.increment(problems.size());
    problems.stream()
        .limit(MOST_NAMED)
        .forEach(
            problem ->
                log.warn(
                    "event=watched_file_refused file=\"{}\" reason=\"{}\"",
                    problem.path().replaceAll("\\p{Cntrl}", "?"),
                    problem.reason()));
    if (problems.size() > MOST_NAMED) {
      log.warn("event=watched_files_refused more={}", problems.size() - MOST_NAMED);
    }
  }

  // --- what was read, over a restart

  private List<String> recall(Path directory) {
    try {
      List<String> lines = Files.exists(memory) ? Files.readAllLines(memory) : List.of();
      return lines.isEmpty() || !lines.getFirst().equals(directory.toString())
          ? List.of()
          : lines.subList(1, lines.size());
    } catch (IOException problem) {
      log.warn(
          "event=job_watch_forgot file=\"{}\" effect=\"files are read again\" reason=\"{}\"",
          memory,
          problem.toString());
      return List.of();
    }
  }

  private void keep(Path directory, List<String> lines) {
    List<String> all = new ArrayList<>(lines.size() + 1);
    all.add(directory.toString());
    all.addAll(lines);
    Path written = memory.resolveSibling(memory.getFileName() + ".new");
    try {
      Files.createDirectories(memory.toAbsolutePath().getParent());
      Files.write(written, all);
      Files.move(written, memory, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException problem) {
      log.warn(
          "event=job_watch_not_kept file=\"{}\" effect=\"files are read again after a restart\""
              + " reason=\"{}\"",
          memory,
          problem.toString());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    thread.close(); // what was read is written down first
  }
}
