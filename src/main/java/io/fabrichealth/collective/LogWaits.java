package io.fabrichealth.collective;

import io.fabrichealth.collective.log.GroupReport;
import io.fabrichealth.collective.log.JobLog;
import io.fabrichealth.collective.log.RankError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Who waits for whom, by what a job's logs tell: a rank that timed out waits for those of the group
 * that enqueued less, or never said a word.
 */
final class LogWaits {
  private final Set<Integer> world;
  private final Map<String, Set<Integer>> members;
  private final List<GroupReport> reports = new ArrayList<>();
  private final WaitGraph.Builder waits = new WaitGraph.Builder();
  private final Set<Integer> placed = new HashSet<>();
  private final WaitGraph graph;
  private final Set<Integer> waiting = new TreeSet<>();
  private final Set<Integer> silent;
  private final Set<Integer> inGroups = new TreeSet<>();
  private final Set<Integer> behind = new TreeSet<>();
  private boolean isGuess;

  /**
   * @param members by the group's name and by its description
   */
  LogWaits(Set<Integer> world, Map<String, Set<Integer>> members, List<JobLog> logs) {
    this.world = world;
    this.members = members;
    Set<Integer> spoke = new TreeSet<>();
    for (JobLog log : logs) {
      log.groups().stream().filter(report -> report.rank() >= 0).forEach(reports::add);
      for (RankError error : log.errors()) {
        spoke.add(error.rank());
        if (error.kind() == RankError.Kind.TIMED_OUT) {
          waiting.add(error.rank());
        }
      }
    }
    reports.forEach(report -> spoke.add(report.rank()));
    silent = new TreeSet<>(world);
    silent.removeAll(spoke);
    for (GroupReport report : reports) {
      if (report.isTimeout()) {
        waiting.add(report.rank());
        inGroups.add(report.rank());
      }
    }
    waiting.remove(-1);
    byNumbers();
    bySilence();
    graph = waits.build();
  }

  private void byNumbers() {
    Map<String, List<GroupReport>> byGroup =
        reports.stream()
            .collect(Collectors.groupingBy(GroupReport::group, TreeMap::new, Collectors.toList()));
    byGroup.forEach(
        (group, told) -> {
          long awaited =
              told.stream()
                  .filter(GroupReport::isTimeout)
                  .mapToLong(GroupReport::awaited)
                  .min()
                  .orElse(GroupReport.ABSENT);
          if (awaited != GroupReport.ABSENT) {
            wait(told, awaited);
          }
        });
  }

  private void wait(List<GroupReport> told, long awaited) {
    Set<Integer> missing = new TreeSet<>();
    Set<Integer> here = new TreeSet<>();
    // each rank of a pipeline counts its own sends and receives: their numbers do not compare
    boolean isPointToPoint =
        told.stream().map(GroupReport::operation).anyMatch(LogWaits::isPointToPoint);
    isGuess |= isPointToPoint;
    for (GroupReport report : told) {
      here.add(report.rank());
      boolean isLess =
          report.lastEnqueued() != GroupReport.ABSENT && report.lastEnqueued() < awaited;
      if (isLess && !isPointToPoint) {
        missing.add(report.rank());
        behind.add(report.rank());
      }
    }
    Set<Integer> all = membersOf(told.getFirst());
    if (all.isEmpty()) {
      int size = 1 + told.stream().mapToInt(GroupReport::groupRank).max().orElse(0);
      boolean isShort = size > here.size() || missing.isEmpty();
      if (isShort && !silent.isEmpty()) {
        missing.addAll(silent);
        isGuess |= silent.size() != size - here.size();
      }
    } else {
      for (int member : all) {
        boolean isElsewhere = inGroups.contains(member) || !waiting.contains(member);
        if (!here.contains(member) && isElsewhere) {
          missing.add(member);
        }
      }
    }
    String operation =
        told.stream().map(GroupReport::operation).max(Comparator.naturalOrder()).orElse("");
    WaitGraph.Wait wait =
        new WaitGraph.Wait(
            nameOf(told.getFirst()),
            awaited < 0 ? FlightRecorder.ABSENT : awaited,
            operation.isEmpty() ? "collective" : operation,
            List.copyOf(missing));
    for (GroupReport report : told) {
      if (report.isTimeout() && !missing.contains(report.rank())) {
        placed.add(report.rank());
        waits.add(report.rank(), wait);
      }
    }
  }

  private static boolean isPointToPoint(String operation) {
    return operation.equals("SEND") || operation.equals("RECV");
  }

  private static String nameOf(GroupReport report) {
    return report.description().isEmpty()
        ? report.group()
        : "%s (%s)".formatted(report.description(), report.group());
  }

  private Set<Integer> membersOf(GroupReport report) {
    boolean isWorld = report.group().isEmpty() || report.description().equals("default_pg");
    if (isWorld) {
      return world;
    }
    Set<Integer> known = members.get(report.group());
    return known == null ? members.getOrDefault(report.description(), Set.of()) : known;
  }

  /** A rank that gave up without saying in which group waits for those that never spoke. */
  private void bySilence() {
    WaitGraph.Wait wait =
        new WaitGraph.Wait("", FlightRecorder.ABSENT, "collective", List.copyOf(silent));
    for (int rank : waiting) {
      if (!placed.contains(rank)) {
        waits.add(rank, wait);
      }
    }
  }

  boolean isAnybodyWaiting() {
    return !waiting.isEmpty();
  }

  /** Ranks that others wait for and that wait for nobody, ascending. */
  Set<Integer> roots() {
    Set<Integer> roots = new TreeSet<>(graph.roots());
    roots.removeAll(waiting);
    return roots;
  }

  /** Ranks that wait for each other in a circle, ascending; empty where there is none. */
  Set<Integer> circle() {
    Set<Integer> circle = new TreeSet<>();
    graph.cycles().forEach(circle::addAll);
    return circle;
  }

  Set<Integer> waiting() {
    return waiting;
  }

  /** Whether a root enqueued less than the others, by its own numbers. */
  boolean isBehind(int rank) {
    return behind.contains(rank);
  }

  /** Whether members of a group had to be guessed. */
  boolean isGuess() {
    return isGuess;
  }

  List<GroupReport> reports() {
    return reports;
  }
}
