package io.fabrichealth.collective;

import io.fabrichealth.collective.log.JobLog;
import java.util.ArrayList;
import java.util.List;

/**
 * Says of all that a job left what is wrong with it. Pure: the same input gives the same answer.
 */
public final class JobAnalyzer {
  private JobAnalyzer() {}

  /**
   * Analyses the flight recorders of one job.
   *
   * @param job the roster; {@link Job#UNNAMED} where there is none
   * @param recorders one a rank and backend, in any order; of several the one that goes furthest
   *     counts
   * @param unread ranks whose dump is missing, damaged or cut off; one that is cut off may have a
   *     recorder too
   */
  public static JobAnalysis analyze(
      Job job, List<FlightRecorder> recorders, List<UnknownRank> unread) {
    List<FlightRecorder> distinct = RankRecorders.distinct(recorders);
    HangAnalysis hang = HangAnalysis.of(job, distinct, unread);
    List<CollectiveFinding> findings = new ArrayList<>(hang.findings());
    findings.addAll(SlowAnalysis.analyze(job, distinct));
    return new JobAnalysis(findings, hang.victims(), hang.unknown());
  }

  /**
   * Analyses the recorders and what the job and NCCL printed. Recorders know more of what is waited
   * for; only logs tell how a process ended, and speak where there is no recorder.
   *
   * @param logs in any order; none is no difference
   */
  public static JobAnalysis analyze(
      Job job, List<FlightRecorder> recorders, List<UnknownRank> unread, List<JobLog> logs) {
    JobAnalysis recorded = analyze(job, recorders, unread);
    return logs.isEmpty() ? recorded : JointAnalysis.of(job, recorders, recorded, logs);
  }

  /**
   * The same with what NCCL's Inspector timed.
   *
   * @param inspectors one a file, in any order
   */
  public static JobAnalysis analyze(
      Job job,
      List<FlightRecorder> recorders,
      List<UnknownRank> unread,
      List<JobLog> logs,
      List<InspectorLog> inspectors) {
    JobAnalysis said = analyze(job, recorders, unread, logs);
    List<CollectiveFinding> timed = InspectorAnalysis.of(job, inspectors);
    if (timed.isEmpty()) {
      return said;
    }
    List<CollectiveFinding> findings = new ArrayList<>(said.findings());
    findings.addAll(timed);
    return new JobAnalysis(findings, said.victims(), said.unknown());
  }
}
