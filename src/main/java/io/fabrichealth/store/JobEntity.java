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
import org.jspecify.annotations.Nullable;

/** The row of a job. */
@Entity
@Table(name = "job")
class JobEntity {
  @Id private String name;

  @JdbcTypeCode(SqlTypes.JSON)
  private @Nullable String roster;

  @Column(nullable = false)
  private int ranks;

  @Column(nullable = false)
  private boolean ended;

  @JdbcTypeCode(SqlTypes.JSON)
  @Column(nullable = false)
  private String collectives;

  @Column(nullable = false)
  private Instant createdAt;

  @Column(nullable = false)
  private Instant changedAt;

  private @Nullable UUID lastAnalysis;
  private @Nullable Instant analyzedAt;
  private @Nullable Integer findings;

  /** For JPA, which fills the fields. */
  @SuppressWarnings("NullAway.Init")
  protected JobEntity() {}

  JobEntity(String name, Instant at) {
    this();
    this.name = name;
    collectives = "[]";
    createdAt = at;
    changedAt = at;
  }

  void roster(String document, int size, boolean hasEnded, Instant at) {
    roster = document;
    ranks = size;
    ended = hasEnded;
    changedAt = at;
  }

  void analyzed(StoredAnalysis analysis, String known) {
    collectives = known;
    lastAnalysis = analysis.id();
    analyzedAt = analysis.at();
    findings = analysis.findings();
    changedAt = analysis.at();
  }
}
