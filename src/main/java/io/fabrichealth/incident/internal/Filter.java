package io.fabrichealth.incident.internal;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.incident.Severity;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.Predicate;
import jakarta.persistence.criteria.Root;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.jpa.domain.Specification;

/** A query twice: as a condition on rows and as a test of what is in memory. */
record Filter(
    Set<Incident.State> states,
    Set<Severity> severities,
    Set<Cause> causes,
    @Nullable Subject subject,
    @Nullable Instant since,
    @Nullable Cursor after) {

  static Filter of(Incidents.Query query) {
    String cursor = query.cursor();
    return new Filter(
        query.states(),
        query.severities(),
        query.causes(),
        query.subject(),
        query.since(),
        cursor == null ? null : Cursor.parse(cursor));
  }

  /** Whether only incidents match that are not resolved: all of those are in memory. */
  boolean isOfUnresolved() {
    return !states.isEmpty() && !states.contains(Incident.State.RESOLVED);
  }

  boolean matches(Incident incident) {
    return isIn(states, incident.state())
        && isIn(severities, incident.severity())
        && isIn(causes, incident.cause())
        && (subject == null || subject.equals(incident.subject()))
        && (since == null || !incident.updatedAt().isBefore(since))
        && (after == null || after.isBefore(incident));
  }

  Specification<IncidentEntity> specification() {
    return (row, query, criteria) -> criteria.and(conditions(row, criteria));
  }

  private List<Predicate> conditions(Root<IncidentEntity> row, CriteriaBuilder criteria) {
    List<Predicate> all = new ArrayList<>();
    addIn(all, row, "state", states);
    addIn(all, row, "severity", severities);
    addIn(all, row, "cause", causes);
    if (subject != null) {
      all.add(criteria.equal(row.get("subjectType"), subject.type()));
      all.add(criteria.equal(row.get("subjectId"), IncidentEntity.storable(subject.id())));
    }
    if (since != null) {
      all.add(criteria.greaterThanOrEqualTo(row.get("updatedAt"), since));
    }
    if (after != null) {
      all.add(
          criteria.or(
              criteria.lessThan(row.<Instant>get("openedAt"), after.openedAt()),
              criteria.and(
                  criteria.equal(row.get("openedAt"), after.openedAt()),
                  criteria.lessThan(row.<UUID>get("id"), after.id()))));
    }
    return all;
  }

  private static void addIn(
      List<Predicate> all, Root<IncidentEntity> row, String attribute, Set<?> allowed) {
    if (!allowed.isEmpty()) {
      all.add(row.get(attribute).in(allowed));
    }
  }

  private static <T> boolean isIn(Set<T> allowed, T value) {
    return allowed.isEmpty() || allowed.contains(value);
  }
}
