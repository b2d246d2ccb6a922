package io.fabrichealth.store;

import jakarta.persistence.EntityManager;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** The tables of jobs and analyses. */
@Service
class JobTables implements JobStore {
  private static final String HEAD =
      """
      new io.fabrichealth.store.JobStore$JobHead(
        name, ranks, ended, createdAt, changedAt, lastAnalysis, analyzedAt, findings)
      """;

  private final EntityManager entities;
  private final TransactionTemplate transaction;

  JobTables(EntityManager entities, PlatformTransactionManager transactions) {
    this.entities = entities;
    transaction = new TransactionTemplate(transactions);
  }

  @Override
  public boolean saveRoster(String job, String roster, int ranks, boolean ended, Instant at) {
    return in(
        () -> {
          JobEntity known = entities.find(JobEntity.class, job);
          entity(known, job, at).roster(document(roster), ranks, ended, at);
          return known == null;
        });
  }

  @Override
  public void saveAnalysis(StoredAnalysis analysis, String collectives) {
    in(
        () -> {
          JobEntity known = entities.find(JobEntity.class, analysis.job());
          entity(known, analysis.job(), analysis.at()).analyzed(analysis, document(collectives));
          entities.persist(
              new JobAnalysisEntity(
                  new StoredAnalysis(
                      analysis.id(),
                      analysis.job(),
                      analysis.at(),
                      analysis.findings(),
                      document(analysis.report()))));
          entities.flush();
          keepLast(
              "DELETE FROM job_analysis WHERE job = ?1 AND id NOT IN"
                  + " (SELECT id FROM job_analysis WHERE job = ?1 ORDER BY at DESC LIMIT "
                  + MOST_ANALYSES
                  + ")",
              analysis.job());
          return true;
        });
  }

  /** A NUL is valid in JSON and not in PostgreSQL. */
  private static String document(String json) {
    return StoredText.of(json.replace("\\u0000", "\\ufffd"));
  }

  private JobEntity entity(@Nullable JobEntity known, String name, Instant at) {
    if (known != null) {
      return known;
    }
    keepLast(
        "DELETE FROM job WHERE name NOT IN"
            + " (SELECT name FROM job ORDER BY changed_at DESC LIMIT "
            + (MOST_JOBS - 1)
            + ")",
        null);
    JobEntity fresh = new JobEntity(name, at);
    entities.persist(fresh);
    return fresh;
  }

  private void keepLast(String statement, @Nullable String job) {
    var query = entities.createNativeQuery(statement);
    if (job != null) {
      query.setParameter(1, job);
    }
    query.executeUpdate();
  }

  @Override
  public Optional<StoredJob> job(String name) {
    return first(
        "SELECT new io.fabrichealth.store.JobStore$StoredJob(%s, roster)".formatted(HEAD)
            + " FROM JobEntity WHERE name = ?1",
        StoredJob.class,
        name);
  }

  @Override
  public Optional<String> collectives(String job) {
    return first("SELECT collectives FROM JobEntity WHERE name = ?1", String.class, job);
  }

  /** Only what is asked for: the documents of a job may be large. */
  private <T> Optional<T> first(String query, Class<T> type, String job) {
    return in(
        () -> entities.createQuery(query, type).setParameter(1, job).getResultStream().findFirst());
  }

  @Override
  public List<JobHead> jobs() {
    return in(
        () ->
            entities
                .createQuery("SELECT " + HEAD + " FROM JobEntity", JobHead.class)
                .getResultList());
  }

  @Override
  public Optional<StoredAnalysis> analysis(String job, UUID id) {
    return in(
        () ->
            Optional.ofNullable(entities.find(JobAnalysisEntity.class, id))
                .map(JobAnalysisEntity::value)
                .filter(found -> found.job().equals(job)));
  }

  private <T> T in(Supplier<T> work) {
    try {
      return Objects.requireNonNull(transaction.execute(status -> work.get()));
    } catch (TransactionException e) {
      throw new DataAccessResourceFailureException("jobs were not read or saved: " + e, e);
    }
  }
}
