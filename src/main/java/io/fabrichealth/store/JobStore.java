package io.fabrichealth.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Jobs and what was found of them. Documents are JSON, which is only kept here.
 *
 * <p>All methods throw {@link org.springframework.dao.DataAccessException} where the database is
 * away.
 */
public interface JobStore {
  /** The jobs that changed last; the others go, and their analyses with them. */
  int MOST_JOBS = 1_000;

  /** The last of a job; the others go. */
  int MOST_ANALYSES = 100;

  /**
   * A job without its documents.
   *
   * @param ranks of its roster; 0 where there is none
   * @param lastAnalysis null where there is none, as are the two after it
   * @param findings of the last analysis
   */
  record JobHead(
      String name,
      int ranks,
      boolean ended,
      Instant createdAt,
      Instant changedAt,
      @Nullable UUID lastAnalysis,
      @Nullable Instant analyzedAt,
      @Nullable Integer findings) {}

  /**
   * A job.
   *
   * @param roster null where there is none
   */
  record StoredJob(JobHead head, @Nullable String roster) {}

  /**
   * What was found.
   *
   * @param findings how many
   */
  record StoredAnalysis(UUID id, String job, Instant at, int findings, String report) {}

  /**
   * Stores a job, or replaces its roster.
   *
   * @return whether there was no such job
   */
  boolean saveRoster(String job, String roster, int ranks, boolean ended, Instant at);

  /** Stores an analysis, and the job where it is not known. */
  void saveAnalysis(StoredAnalysis analysis, String collectives);

  Optional<StoredJob> job(String name);

  /** What the last analysis knew of them; empty where there is no such job. */
  Optional<String> collectives(String job);

  /** All, in no order. */
  List<JobHead> jobs();

  Optional<StoredAnalysis> analysis(String job, UUID id);
}
