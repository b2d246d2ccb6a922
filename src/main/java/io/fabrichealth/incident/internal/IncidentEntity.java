package io.fabrichealth.incident.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Repeats;
import io.fabrichealth.incident.Resolution;
import io.fabrichealth.incident.Severity;
import io.fabrichealth.incident.Standing;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.OrderColumn;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.BatchSize;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** The row of an incident. */
@Entity
@Table(name = "incident")
class IncidentEntity {
  @Id private UUID id;

  @Column(nullable = false)
  private String fingerprint;

  @Enumerated(EnumType.STRING)
  @Column(nullable = false)
  private SubjectType subjectType;

  @Column(nullable = false)
  private String subjectId;

  @Enumerated(EnumType.STRING)
  @Column(nullable = false)
  private Cause cause;

  @Enumerated(EnumType.STRING)
  @Column(nullable = false)
  private Severity severity;

  @Enumerated(EnumType.STRING)
  @Column(nullable = false)
  private Incident.State state;

  private double probability;

  @Column(nullable = false)
  private Instant openedAt;

  @Column(nullable = false)
  private Instant updatedAt;

  private @Nullable Instant resolvedAt;

  @Column(nullable = false)
  private String summary;

  @JdbcTypeCode(SqlTypes.ARRAY)
  @Column(nullable = false)
  private List<String> members;

  @JdbcTypeCode(SqlTypes.JSON)
  @Column(nullable = false)
  private String evidence;

  private @Nullable String suppressedBy;

  @Enumerated(EnumType.STRING)
  private @Nullable Resolution resolution;

  private int repeats;

  private @Nullable Instant lastResolvedAt;

  @ElementCollection
  @CollectionTable(name = "incident_change", joinColumns = @JoinColumn(name = "incident_id"))
  @OrderColumn(name = "number")
  @BatchSize(size = 200)
  private List<ChangeRow> changes = new ArrayList<>();

  private long version;

  /** For JPA, which fills the fields. */
  @SuppressWarnings("NullAway.Init")
  protected IncidentEntity() {}

  IncidentEntity(Incident incident) {
    this();
    id = incident.id();
    set(incident);
  }

  final void set(Incident incident) {
    fingerprint = storable(incident.fingerprint());
    subjectType = incident.subject().type();
    subjectId = storable(incident.subject().id());
    cause = incident.cause();
    severity = incident.severity();
    state = incident.state();
    probability = incident.probability();
    openedAt = incident.openedAt();
    updatedAt = incident.updatedAt();
    resolvedAt = incident.resolvedAt();
    summary = storable(incident.summary());
    members = incident.members().stream().map(IncidentEntity::storable).toList();
    evidence = document(incident);
    suppressedBy = incident.suppressedBy();
    resolution = incident.resolution();
    repeats = incident.repeats().count();
    lastResolvedAt = incident.repeats().lastResolvedAt();
    incident.changes().stream().skip(changes.size()).map(ChangeRow::of).forEach(changes::add);
    version = incident.version();
  }

  Incident toIncident() {
    return new Incident(
        id,
        fingerprint,
        new Subject(subjectType, subjectId),
        cause,
        severity,
        state,
        probability,
        openedAt,
        updatedAt,
        resolvedAt,
        summary,
        members,
        IncidentJson.evidence(evidence),
        suppressedBy,
        resolution,
        new Repeats(repeats, lastResolvedAt),
        changes.stream().map(ChangeRow::toChange).toList(),
        version);
  }

  Standing standing() {
    return new Standing(state, suppressedBy != null, cause, severity);
  }

  UUID id() {
    return id;
  }

  long version() {
    return version;
  }

  Instant updatedAt() {
    return updatedAt;
  }

  private static String document(Incident incident) {
    return storable(IncidentJson.document(incident.evidence())).replace("\\u0000", "\\uFFFD");
  }

  /**
   * The text with what PostgreSQL does not take (NUL, half a surrogate pair) replaced: names come
   * from devices, and one bad name must not keep an incident from being stored.
   */
  static String storable(String text) {
    return new String(text.getBytes(UTF_8), UTF_8).replace('\0', '\uFFFD');
  }
}
