package io.fabrichealth.collect.jobs;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was read of one job, one upload after the other. Immutable. */
public final class GatheredInputs {
  public static final GatheredInputs NONE = new GatheredInputs(Map.of());

  /** Files beyond these are the oldest ones, and go. */
  private static final int MOST_FILES = 100_000;

  private final Map<String, ReadFile> byPath;

  private GatheredInputs(Map<String, ReadFile> byPath) {
    this.byPath = byPath;
  }

  /** Reads all files below a directory; what is said of them names them by their paths in it. */
  public static GatheredInputs read(Path directory, JobLimits limits) {
    return of(new JobFiles(limits, (files, bytes) -> {}).readBelow(directory));
  }

  /**
   * The same of some of these files.
   *
   * @param files below the directory; a link is not followed
   */
  public static GatheredInputs read(Path directory, List<Path> files, JobLimits limits) {
    return of(new JobFiles(limits, (count, bytes) -> {}).readThese(directory, files));
  }

  private static GatheredInputs of(List<ReadFile> files) {
    Map<String, ReadFile> read = new LinkedHashMap<>();
    files.forEach(file -> read.put(file.input().path(), file));
    return new GatheredInputs(read);
  }

  /**
   * These and what came later. A later file takes the place of one of the same path, and a later
   * dump that of an earlier one of its rank: what a rank said last is what counts.
   */
  public GatheredInputs joinedBy(GatheredInputs later) {
    Set<Integer> ranks = new HashSet<>();
    for (ReadFile file : later.byPath.values()) {
      if (file.recorder() != null) {
        ranks.add(file.rank());
      }
    }
    Map<String, ReadFile> all = new LinkedHashMap<>();
    byPath.forEach(
        (path, file) -> {
          if (file.rank() < 0 || !ranks.contains(file.rank())) {
            all.put(path, file);
          }
        });
    later.byPath.forEach(
        (path, file) -> {
          all.remove(path);
          all.put(path, file);
        });
    while (all.size() > MOST_FILES) {
      all.remove(all.keySet().iterator().next());
    }
    return new GatheredInputs(all);
  }

  /** All of it, as of one job. */
  public JobInputs inputs() {
    return JobSplit.one(byPath.values());
  }

  /** How much memory it takes: entries of recorders, and some more for each file. */
  public long weight() {
    long weight = 0;
    for (ReadFile file : byPath.values()) {
      weight += 100 + (file.recorder() == null ? 0 : file.recorder().size());
      weight += file.inspector() == null ? 0 : file.inspector().operations();
    }
    return weight;
  }

  /** The files of it that nothing was read of, with the reasons. */
  public List<InputFile> unread() {
    return byPath.values().stream()
        .map(ReadFile::input)
        .filter(file -> file.records() == 0 && file.reason() != null)
        .toList();
  }
}
