package io.fabrichealth.collect.torchdebug;

import io.fabrichealth.collective.JobAnalysis;
import java.time.Instant;

/**
 * What a pull of a job's ranks brought.
 *
 * @param at end of the pull
 * @param ranks of the job
 * @param answered ranks that answered
 * @param entries that all ranks recorded since the job was first seen, each once
 * @param unseen entries that left the rings between two pulls
 * @param restarts how often ranks were found to run another process than before
 */
public record LiveReport(
    String job,
    Instant at,
    int ranks,
    int answered,
    long entries,
    long unseen,
    long restarts,
    JobAnalysis analysis) {

  /** Takes reports, each after its pull. */
  public interface Sink {
    void take(LiveReport report);
  }
}
