package io.fabrichealth.incident.internal;

import io.fabrichealth.incident.IncidentChange;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The row of one line of an incident's trail; rows are added and never changed. */
@Embeddable
record ChangeRow(
    @Column(nullable = false) Instant changedAt,
    @Column(nullable = false) String changedBy,
    @Enumerated(EnumType.STRING) @Column(nullable = false) IncidentChange.Kind kind,
    @Nullable String detail,
    @Nullable String comment) {

  static ChangeRow of(IncidentChange change) {
    return new ChangeRow(
        change.at(),
        IncidentEntity.storable(change.by()),
        change.kind(),
        storable(change.detail()),
        storable(change.comment()));
  }

  IncidentChange toChange() {
    return new IncidentChange(changedAt, changedBy, kind, detail, comment);
  }

  private static @Nullable String storable(@Nullable String text) {
    return text == null ? null : IncidentEntity.storable(text);
  }
}
