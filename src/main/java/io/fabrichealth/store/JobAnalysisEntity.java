package io.fabrichealth.store;

import io.fabrichealth.store.JobStore.StoredAnalysis;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/** The row of what was found of a job. */
@Entity
@Table(name = "job_analysis")
class JobAnalysisEntity {
  @Id private UUID id;

  @Column(nullable = false)
  private String job;

  @Column(nullable = false)
  private Instant at;

  @Column(nullable = false)
  private int findings;

  @JdbcTypeCode(SqlTypes.JSON)
  @Column(nullable = false)
  private String report;

  /** For JPA, which fills the fields. */
  @SuppressWarnings("NullAway.Init")
  protected JobAnalysisEntity() {}

  JobAnalysisEntity(StoredAnalysis analysis) {
    this();
    id = analysis.id();
    job = analysis.job();
    at = analysis.at();
    findings = analysis.findings();
    report = analysis.report();
  }

  StoredAnalysis value() {
    return new StoredAnalysis(id, job, at, findings, report);
  }
}
