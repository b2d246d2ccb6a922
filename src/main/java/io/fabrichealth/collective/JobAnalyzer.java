package io.fabrichealth.collective;

import io.fabrichealth.collective.log.JobLog;
import io.fabrichealth.finding.Cause;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Says of all that a job left what is wrong with it. Pure: the same input gives the same answer.
 */
public final class JobAnalyzer {
  private JobAnalyzer() {}

  /**
   * Analyses the flight recorders of one job.
   *
   * @param job the roster; {@link Job#UNNAMED} where there is none
   * @param recorders one a rank, in any order; of several of one rank the one that goes furthest
   *     counts
   * @param unread ranks whose dump is missing, damaged or cut off; one that is cut off may have a
   *     recorder too
   */
  public static JobAnalysis analyze(
      Job job, List<FlightRecorder> recorders, List<UnknownRank> unread) {
    return new JobAnalysis(SlowAnalysis.analyze(job, recorders), List.of(), unread);
  }

  /**
   * Analyses the flight recorders and logs of one job. Recorders know more of what is waited for;
   * only logs tell how a process ended, and speak where there is no recorder.
   */
  public static JobAnalysis analyze(
      Job job, List<FlightRecorder> recorders, List<UnknownRank> unread, List<JobLog> logs) {
    JobAnalysis recorded = analyze(job, recorders, unread);
    JobAnalysis logged = LogAnalysis.of(job, logs);
    if (recorders.isEmpty() && unread.isEmpty()) {
      return logged;
    }
    List<CollectiveFinding> findings = new ArrayList<>();
    Set<Integer> ended = new HashSet<>();
    for (CollectiveFinding finding : logged.findings()) {
      if (finding.cause() == Cause.RANK_FAILED || recorded.findings().isEmpty()) {
        findings.add(finding);
        ended.addAll(finding.ranks());
      }
    }
    for (CollectiveFinding finding : recorded.findings()) {
      boolean isToldBetter =
          finding.cause() == Cause.HUNG_RANK && ended.containsAll(finding.ranks());
      if (!isToldBetter) {
        findings.add(finding);
      }
    }
    Set<Integer> culprits = new HashSet<>();
    findings.forEach(finding -> culprits.addAll(finding.ranks()));
    TreeMap<Integer, UnknownRank> unknown = new TreeMap<>();
    recorded.unknown().forEach(rank -> unknown.put(rank.rank(), rank));
    unknown.keySet().removeAll(ended);
    List<Integer> victims =
        (recorders.isEmpty() ? logged : recorded)
            .victims().stream().filter(rank -> !culprits.contains(rank)).toList();
    return new JobAnalysis(findings, victims, List.copyOf(unknown.values()));
  }
}
