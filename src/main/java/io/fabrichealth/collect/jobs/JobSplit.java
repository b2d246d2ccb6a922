package io.fabrichealth.collect.jobs;

import io.fabrichealth.collective.EntryState;
import io.fabrichealth.collective.FlightRecorder;
import io.fabrichealth.collective.InspectorLog;
import io.fabrichealth.collective.Operation;
import io.fabrichealth.collective.UnknownRank;
import io.fabrichealth.collective.log.JobLog;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Tells which files are of one job. A job has each rank once: directories that hold the same ranks
 * are of different jobs, and those that hold different ones (a directory a host) of the same.
 */
final class JobSplit {
  private static final String NUMBERED = "(?i)(rank|local_rank|node|host)?[_-]?\\d+";

  private JobSplit() {}

  static List<JobInputs> jobs(Collection<ReadFile> files) {
    if (files.isEmpty()) {
      return List.of();
    }
    Map<String, List<ReadFile>> byDirectory = new TreeMap<>();
    for (ReadFile file : files) {
      byDirectory.computeIfAbsent(file.directory(), none -> new ArrayList<>()).add(file);
    }
    List<String> roots = roots(byDirectory);
    if (roots.size() <= 1) {
      return List.of(one(files));
    }
    Map<String, List<ReadFile>> byRoot = new TreeMap<>();
    byDirectory.forEach(
        (directory, held) ->
            byRoot
                .computeIfAbsent(nearest(roots, directory), none -> new ArrayList<>())
                .addAll(held));
    Map<String, Long> lastNames =
        roots.stream().collect(Collectors.groupingBy(JobSplit::last, Collectors.counting()));
    List<JobInputs> jobs = new ArrayList<>();
    byRoot.forEach(
        (root, held) -> {
          String last = last(root);
          boolean isClear = lastNames.getOrDefault(last, 0L) == 1 && !last.isEmpty();
          jobs.add(job(isClear ? last : root.isEmpty() ? "-" : root, held));
        });
    return jobs;
  }

  static JobInputs one(Collection<ReadFile> files) {
    return job("-", files);
  }

  /** The directories that stand for a job each; fewer than two where all is one job. */
  private static List<String> roots(Map<String, List<ReadFile>> byDirectory) {
    List<String> withDumps = new ArrayList<>();
    Set<Integer> ranks = new HashSet<>();
    boolean isShared = false;
    for (Map.Entry<String, List<ReadFile>> directory : byDirectory.entrySet()) {
      Set<Integer> here = new HashSet<>();
      directory.getValue().forEach(file -> here.add(file.rank()));
      here.remove(-1);
      if (!here.isEmpty()) {
        withDumps.add(directory.getKey());
        isShared |= here.stream().anyMatch(ranks::contains);
        ranks.addAll(here);
      }
    }
    if (!withDumps.isEmpty()) {
      return isShared ? withDumps : List.of();
    }
    Map<String, Integer> logs = new HashMap<>();
    List<String> withLogs = new ArrayList<>();
    byDirectory.forEach(
        (directory, files) -> {
          boolean hasLog = false;
          for (ReadFile file : files) {
            if (file.log() != null) {
              hasLog = true;
              logs.merge(file.name(), 1, Integer::sum);
            }
          }
          if (hasLog && !last(directory).matches(NUMBERED)) {
            withLogs.add(directory);
          }
        });
    return logs.values().stream().anyMatch(count -> count > 1) ? withLogs : List.of();
  }

  /** The job's directory that has most of its path in common with this one. */
  private static String nearest(List<String> roots, String directory) {
    String nearest = roots.getFirst();
    int most = -1;
    for (String root : roots) {
      int common = 0;
      int least = Math.min(root.length(), directory.length());
      while (common < least && root.charAt(common) == directory.charAt(common)) {
        common++;
      }
      if (common > most || root.equals(directory)) {
        most = root.equals(directory) ? Integer.MAX_VALUE : common;
        nearest = root;
      }
    }
    return nearest;
  }

  private static String last(String directory) {
    return directory.substring(directory.lastIndexOf('/') + 1);
  }

  @SuppressWarnings("ReferenceEquality") // of two equal readings one counts
  private static JobInputs job(String name, Collection<ReadFile> files) {
    List<ReadFile> sorted =
        files.stream().sorted(Comparator.comparing(file -> file.input().path())).toList();
    Map<String, ReadFile> furthest = new LinkedHashMap<>();
    for (ReadFile file : sorted) {
      if (file.recorder() != null) {
        furthest.merge(key(file.recorder()), file, JobSplit::further);
      }
    }
    List<FlightRecorder> recorders = new ArrayList<>();
    Map<Integer, UnknownRank> unread = new TreeMap<>();
    List<JobLog> logs = new ArrayList<>();
    List<InspectorLog> inspectors = new ArrayList<>();
    List<InputFile> inputs = new ArrayList<>();
    Set<Integer> whole = new HashSet<>();
    for (ReadFile file : sorted) {
      FlightRecorder recorder = file.recorder();
      ReadFile taken = recorder == null ? null : furthest.get(key(recorder));
      if (recorder != null && taken == file) {
        recorders.add(recorder);
        if (recorder.isWhole()) {
          whole.add(recorder.rank());
        }
      }
      if (file.log() != null) {
        logs.add(file.log());
      }
      if (file.inspector() != null) {
        inspectors.add(file.inspector());
      }
      if (file.unread() != null) {
        unread.putIfAbsent(file.unread().rank(), file.unread());
      }
      inputs.add(taken == null || taken == file ? file.input() : beside(file, taken));
    }
    unread.keySet().removeAll(whole);
    recorders.sort(Comparator.comparingInt(FlightRecorder::rank));
    return new JobInputs(name, recorders, List.copyOf(unread.values()), logs, inspectors, inputs);
  }

  private static InputFile beside(ReadFile file, ReadFile taken) {
    return new InputFile(
        file.input().path(),
        file.input().kind(),
        0,
        file.input().records(),
        "rank %d was read from %s".formatted(file.rank(), taken.input().path()));
  }

  /** Each backend of a process has a recorder of its own. */
  private static String key(FlightRecorder recorder) {
    String backend = recorder.operations().stream().map(Operation::backend).findFirst().orElse("");
    return recorder.rank() + " " + backend;
  }

  /** Of two dumps of one rank: the whole one, the later one, the larger one, the first one. */
  private static ReadFile further(ReadFile one, ReadFile other) {
    return Comparator.<ReadFile, Boolean>comparing(file -> recorder(file).isWhole())
                .thenComparingLong(file -> last(recorder(file)))
                .thenComparingInt(file -> completed(recorder(file)))
                .thenComparingInt(file -> recorder(file).size())
                .thenComparingInt(file -> stacks(recorder(file)))
                .compare(one, other)
            >= 0
        ? one
        : other;
  }

  private static FlightRecorder recorder(ReadFile file) {
    FlightRecorder recorder = file.recorder();
    if (recorder == null) {
      throw new IllegalArgumentException(file.name() + " is not a dump");
    }
    return recorder;
  }

  private static long last(FlightRecorder recorder) {
    return recorder.size() == 0 ? -1 : recorder.recordId(recorder.size() - 1);
  }

  private static int completed(FlightRecorder recorder) {
    int completed = 0;
    for (int entry = 0; entry < recorder.size(); entry++) {
      completed += recorder.state(entry) == EntryState.COMPLETED ? 1 : 0;
    }
    return completed;
  }

  private static int stacks(FlightRecorder recorder) {
    return recorder.size() == 0 ? 0 : recorder.stack(0).size();
  }
}
