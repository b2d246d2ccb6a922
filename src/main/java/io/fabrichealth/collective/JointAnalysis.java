package io.fabrichealth.collective;

import io.fabrichealth.collective.log.JobLog;
import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Joins what a job's recorders say with what its logs say. Recorders know better who waits for
 * whom; logs know what the recorders cannot: how a process ended, and by what way its data went.
 */
final class JointAnalysis {
  private static final Set<Cause> STANDSTILL =
      EnumSet.of(Cause.HUNG_RANK, Cause.COLLECTIVE_STALLED, Cause.COLLECTIVE_DEADLOCK);

  private JointAnalysis() {}

  /**
   * @param recorded by the recorders; without findings where there are none
   */
  static JobAnalysis of(
      Job job, List<FlightRecorder> recorders, JobAnalysis recorded, List<JobLog> logs) {
    JobAnalysis logged = LogAnalysis.of(known(job, recorders, logs), logs);
    List<CollectiveFinding> findings = new ArrayList<>();
    boolean isMismatch = has(recorded, Cause.COLLECTIVE_MISMATCH);
    boolean isLoggedMismatch = has(logged, Cause.COLLECTIVE_MISMATCH);
    boolean isFailed = has(logged, Cause.RANK_FAILED);
    boolean isStanding =
        recorded.findings().stream().anyMatch(found -> STANDSTILL.contains(found.cause()));
    Set<CollectiveFinding> used = new HashSet<>();
    for (CollectiveFinding found : recorded.findings()) {
      boolean isExplained = STANDSTILL.contains(found.cause()) && (isFailed || isLoggedMismatch);
      if (!isExplained) {
        findings.add(joined(found, logged.findings(), used));
      }
    }
    for (CollectiveFinding told : logged.findings()) {
      boolean isKnown = STANDSTILL.contains(told.cause()) && (isStanding || isMismatch);
      if (!isKnown && !used.contains(told)) {
        findings.add(supported(told, recorded.findings()));
      }
    }
    Set<Integer> victims = new TreeSet<>(recorded.victims());
    victims.addAll(logged.victims());
    findings.forEach(finding -> victims.removeAll(finding.ranks()));
    List<UnknownRank> unknown =
        recorded.unknown().stream()
            .filter(rank -> !isEnded(rank.rank(), logged.findings()))
            .toList();
    return new JobAnalysis(findings, List.copyOf(victims), unknown);
  }

  /** Of a rank that ended nothing is unknown: it can leave no dump. */
  private static boolean isEnded(int rank, List<CollectiveFinding> findings) {
    return findings.stream()
        .anyMatch(found -> found.cause() == Cause.RANK_FAILED && found.ranks().contains(rank));
  }

  private static boolean has(JobAnalysis analysis, Cause cause) {
    return analysis.findings().stream().anyMatch(finding -> finding.cause() == cause);
  }

  /** The same said twice is said once; where the recorders leave a choice, the logs may make it. */
  private static CollectiveFinding joined(
      CollectiveFinding found, List<CollectiveFinding> logged, Set<CollectiveFinding> used) {
    for (CollectiveFinding told : logged) {
      if (told.cause() == found.cause() && found.ranks().containsAll(told.ranks())) {
        used.add(told);
        boolean isNarrower =
            !told.ranks().isEmpty()
                && told.ranks().size() < found.ranks().size()
                && told.probability() >= found.probability();
        return isNarrower ? with(told, found.evidence()) : with(found, told.evidence());
      }
    }
    return found;
  }

  private static CollectiveFinding supported(
      CollectiveFinding told, List<CollectiveFinding> recorded) {
    for (CollectiveFinding found : recorded) {
      if (STANDSTILL.contains(found.cause())
          && told.cause() == Cause.RANK_FAILED
          && found.ranks().containsAll(told.ranks())) {
        return with(told, found.evidence());
      }
    }
    return told;
  }

  /** With further lines that add no weight: they are of the same fault. */
  private static CollectiveFinding with(CollectiveFinding finding, List<Evidence> more) {
    List<Evidence> evidence = new ArrayList<>(finding.evidence());
    more.forEach(line -> evidence.add(line.counted(0, line.alone())));
    return finding.withEvidence(evidence);
  }

  /** The roster with what recorders tell of groups, and logs of places, where it is silent. */
  private static Job known(Job job, List<FlightRecorder> recorders, List<JobLog> logs) {
    List<ProcessGroup> groups = job.groups();
    if (groups.isEmpty()) {
      Map<String, ProcessGroup> byName = new HashMap<>();
      for (FlightRecorder recorder : recorders) {
        for (ProcessGroup group : recorder.groups()) {
          if (!group.name().isEmpty() && !group.ranks().isEmpty()) {
            byName.merge(
                group.name(),
                group,
                (one, other) -> one.ranks().size() >= other.ranks().size() ? one : other);
          }
        }
      }
      groups = List.copyOf(byName.values());
    }
    List<JobRank> ranks = job.ranks().isEmpty() ? NcclAnalysis.roster(logs) : job.ranks();
    return new Job(job.name(), ranks, groups);
  }
}
