package io.fabrichealth.collect.jobs;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Looks through a directory for what jobs leave there: a directory a job; files that lie in it
 * directly are of the job of its own name. A file is ready when it has not changed for a while, and
 * once more when it changed after that. Nothing in it is ever changed.
 *
 * <p>It is looked at again and again because network file systems tell nobody of changes
 * (inotify(7): changes by others are not seen there). Each look does a bounded part of the work and
 * goes on where the last one ended. For one thread.
 */
public final class WatchedJobs {
  private static final String FILES_OF_ROOT = "";
  private static final int MOST_JOBS = 10_000;
  private static final int MOST_ENTRIES = 50_000;
  private static final int MOST_READY = 10;
  private static final int MOST_REFUSED = 10_000;

  private final Path root;
  private final Duration settled;
  private final SortedMap<String, WatchedJob> jobs = new TreeMap<>();
  private final Set<Refused> refused = new HashSet<>();
  private String last = "";

  /**
   * What can be read of a job.
   *
   * @param key of the directory below the watched one; empty of the files in that itself
   * @param directory that all files lie below
   * @param files those that were not read before
   * @param all with those that were
   * @param isAnew whether all that was read before has gone
   */
  public record Ready(
      String job, String key, Path directory, List<Path> files, List<Path> all, boolean isAnew) {}

  /**
   * Something that is not read.
   *
   * @param path below the directory
   */
  public record Refused(String path, String reason) {}

  /**
   * What one look found.
   *
   * @param refused each told once
   */
  public record Look(List<Ready> ready, List<Refused> refused) {}

  /**
   * @param settled for which a file has not changed when it is ready
   * @param memory what {@link #memory} told before a restart
   */
  public WatchedJobs(Path root, Duration settled, Collection<String> memory) {
    this.root = root;
    this.settled = settled;
    for (String line : memory) {
      int slash = line.indexOf('/');
      if (slash >= 0) {
        job(line.substring(0, slash)).recall(line.substring(slash + 1));
      }
    }
  }

  /** The files that were read, one a line. */
  public List<String> memory() {
    List<String> lines = new ArrayList<>();
    jobs.forEach((name, job) -> job.memory().forEach(line -> lines.add(name + "/" + line)));
    return lines;
  }

  /** How many files are not read yet, as far as they were looked at. */
  public int waiting() {
    return jobs.values().stream().mapToInt(WatchedJob::waiting).sum();
  }

  /**
   * Looks once.
   *
   * @param now by a clock that goes on; how that of the file system goes is of no account
   * @throws IOException if the directory cannot be listed
   */
  public Look look(Instant now) throws IOException {
    Path real = root.toRealPath();
    List<Refused> news = new ArrayList<>();
    NavigableSet<String> found = list(real, news);
    jobs.keySet().retainAll(found);
    List<String> order = new ArrayList<>(found.tailSet(last, false));
    order.addAll(found.headSet(last, true));
    List<Ready> ready = new ArrayList<>();
    int entries = 0;
    for (String name : order) {
      WatchedJob job = job(name);
      entries += job.look(real.resolve(name), now, name.isEmpty(), problem -> add(problem, news));
      job.ready(nameOf(name, real), name, real.resolve(name), now.minus(settled))
          .ifPresent(ready::add);
      last = name;
      if (entries >= MOST_ENTRIES || ready.size() >= MOST_READY) {
        break;
      }
    }
    return new Look(ready, news);
  }

  /** What was ready has been read, or nothing of it ever will be. */
  public void done(Ready ready) {
    WatchedJob job = jobs.get(ready.key());
    if (job != null) {
      job.done(ready);
    }
  }

  private WatchedJob job(String name) {
    return jobs.computeIfAbsent(name, none -> new WatchedJob());
  }

  private static String nameOf(String directory, Path real) {
    return directory.equals(FILES_OF_ROOT) ? String.valueOf(real.getFileName()) : directory;
  }

  private NavigableSet<String> list(Path real, List<Refused> news) throws IOException {
    NavigableSet<String> found = new TreeSet<>();
    try (DirectoryStream<Path> directory = Files.newDirectoryStream(real)) {
      for (Path entry : directory) {
        String name = String.valueOf(entry.getFileName());
        if (name.startsWith(".")) {
          continue;
        }
        if (found.size() >= MOST_JOBS) {
          add(new Refused(name, "more than %,d jobs".formatted(MOST_JOBS)), news);
          break;
        }
        try {
          BasicFileAttributes attributes =
              Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
          if (!attributes.isDirectory()) {
            found.add(FILES_OF_ROOT);
          } else if (WatchedJob.isUsable(name)) {
            found.add(name);
          } else {
            add(new Refused(name, WatchedJob.UNUSABLE_NAME), news);
          }
        } catch (NoSuchFileException gone) {
          // between two of its entries a directory changes
        }
      }
    }
    return found;
  }

  private void add(Refused problem, List<Refused> news) {
    if (refused.size() >= MOST_REFUSED) {
      refused.clear();
    }
    if (refused.add(problem)) {
      news.add(problem);
    }
  }
}
