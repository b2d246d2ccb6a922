package io.fabrichealth.incident.internal;

import io.fabrichealth.incident.EndedIncident;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The table of incidents. Every write may be repeated.
 *
 * <p>All methods throw {@link DataAccessException} where the database is away.
 */
@Component
class IncidentTable {
  private static final Sort NEWEST_FIRST = Sort.by(Sort.Direction.DESC, "openedAt", "id");

  private final IncidentRepository rows;
  private final NotificationTable notifications;
  private final TransactionTemplate transaction;

  IncidentTable(
      IncidentRepository rows,
      NotificationTable notifications,
      PlatformTransactionManager transactions) {
    this.rows = rows;
    this.notifications = notifications;
    transaction = new TransactionTemplate(transactions);
  }

  /**
   * Writes all in one transaction, together with what is to be told of them.
   *
   * @return those that were not written because the database knows the fault under another id or in
   *     a later version
   */
  List<Conflict> write(Collection<Incident> incidents) {
    return inTransaction(
        () -> {
          List<Conflict> conflicts = new ArrayList<>();
          for (Incident incident : incidents) {
            Incident other = writeOne(incident);
            if (other != null) {
              conflicts.add(new Conflict(incident, other));
            }
          }
          rows.flush();
          return conflicts;
        });
  }

  List<Incident> unresolved() {
    return inTransaction(
        () ->
            rows.findByStateNot(Incident.State.RESOLVED).stream()
                .map(IncidentEntity::toIncident)
                .toList());
  }

  /** Those that ended since, in no particular order. */
  List<EndedIncident> endedSince(Instant time) {
    return inTransaction(() -> rows.findEndedSince(time));
  }

  List<Incident> findAll(Collection<UUID> ids) {
    return inTransaction(
        () -> rows.findAllById(ids).stream().map(IncidentEntity::toIncident).toList());
  }

  Optional<Incident> find(UUID id) {
    return inTransaction(() -> rows.findById(id).map(IncidentEntity::toIncident));
  }

  /** The newest that match, newest first. */
  List<Incident> newest(Specification<IncidentEntity> matching, int limit) {
    return inTransaction(
        () ->
            rows.findBy(matching, query -> query.sortBy(NEWEST_FIRST).limit(limit).all()).stream()
                .map(IncidentEntity::toIncident)
                .toList());
  }

  private @Nullable Incident writeOne(Incident incident) {
    Optional<IncidentEntity> same = rows.findById(incident.id());
    if (same.isPresent()) {
      return update(same.get(), incident);
    }
    if (incident.state() != Incident.State.RESOLVED) {
      Optional<IncidentEntity> other =
          rows.findByFingerprintAndStateNot(
              IncidentEntity.storable(incident.fingerprint()), Incident.State.RESOLVED);
      if (other.isPresent()) {
        return other.get().toIncident();
      }
    }
    rows.save(new IncidentEntity(incident));
    notifications.note(null, incident);
    return null;
  }

  private @Nullable Incident update(IncidentEntity row, Incident incident) {
    if (row.version() < incident.version()) {
      Standing before = row.standing();
      row.set(incident);
      notifications.note(before, incident);
      return null;
    }
    boolean repeated =
        row.version() == incident.version() && row.updatedAt().equals(incident.updatedAt());
    return repeated ? null : row.toIncident();
  }

  private <T> T inTransaction(Supplier<T> work) {
    try {
      return Objects.requireNonNull(transaction.execute(status -> work.get()));
    } catch (TransactionException e) {
      throw new DataAccessResourceFailureException("the database does not answer: " + e, e);
    }
  }

  /** What was to be written, and what the database has in its place. */
  record Conflict(Incident ours, Incident stored) {}
}
