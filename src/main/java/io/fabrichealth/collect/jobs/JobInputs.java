package io.fabrichealth.collect.jobs;

import io.fabrichealth.collective.FlightRecorder;
import io.fabrichealth.collective.InspectorLog;
import io.fabrichealth.collective.UnknownRank;
import io.fabrichealth.collective.log.JobLog;
import java.util.List;

/**
 * What was read of one job.
 *
 * @param name of the job: of its directory where several jobs were read, {@code -} of a single one
 * @param recorders by rank; two of one rank only where two backends recorded
 * @param unread ranks whose dump is damaged, and how; some have a recorder of what could be read
 * @param inputs in the order of their paths
 */
public record JobInputs(
    String name,
    List<FlightRecorder> recorders,
    List<UnknownRank> unread,
    List<JobLog> logs,
    List<InspectorLog> inspectors,
    List<InputFile> inputs) {

  public JobInputs {
    recorders = List.copyOf(recorders);
    unread = List.copyOf(unread);
    logs = List.copyOf(logs);
    inspectors = List.copyOf(inspectors);
    inputs = List.copyOf(inputs);
  }

  /** Whether anything can be said of the job. */
  public boolean isEmpty() {
    return recorders.isEmpty() && logs.isEmpty() && inspectors.isEmpty();
  }
}
