package io.fabrichealth.testing;

import io.fabrichealth.incident.CurrentIncidents;
import io.fabrichealth.incident.Decision;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.incident.Suppressor;
import io.fabrichealth.verdict.Verdict;
import java.sql.SQLTransientConnectionException;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.dao.DataAccessResourceFailureException;

/** Incidents that a test made up, in memory. Its cursors are the id of the last one given. */
public final class FakeIncidents implements Incidents {
  private final List<Incident> incidents;
  private volatile boolean databaseAway;

  public FakeIncidents(List<Incident> incidents) {
    this.incidents =
        new CopyOnWriteArrayList<>(
            incidents.stream()
                .sorted(
                    Comparator.comparing(Incident::openedAt).reversed().thenComparing(Incident::id))
                .toList());
  }

  /** From now on only what is not resolved is to be had, as where the database does not answer. */
  public void setDatabaseAway(boolean away) {
    databaseAway = away;
  }

  private void askDatabase() {
    if (databaseAway) {
      throw new DataAccessResourceFailureException(
          "the database does not answer", new SQLTransientConnectionException("refused"));
    }
  }

  @Override
  public void apply(Collection<Verdict> changed, Instant at) {
    throw new UnsupportedOperationException("these incidents are made up");
  }

  @Override
  public Optional<Decided> decide(UUID id, Decision decision, Set<Long> expected, Instant at) {
    Incident incident = find(id).orElse(null);
    if (incident == null) {
      return Optional.empty();
    }
    if (!expected.isEmpty() && !expected.contains(incident.version())) {
      return Optional.of(new Decided(Decided.Outcome.STALE, incident));
    }
    Incident next = new CurrentIncidents(Suppressor.NONE).decide(incident, decision, at);
    incidents.set(incidents.indexOf(incident), next);
    return Optional.of(new Decided(Decided.Outcome.DONE, next));
  }

  @Override
  public List<Incident> unresolved() {
    return incidents.stream().filter(each -> each.state() != Incident.State.RESOLVED).toList();
  }

  @Override
  public Counts counts() {
    return new Counts(incidents.size(), incidents.size() - unresolved().size());
  }

  @Override
  public Optional<Incident> find(UUID id) {
    Optional<Incident> known =
        unresolved().stream().filter(each -> each.id().equals(id)).findFirst();
    if (known.isEmpty()) {
      askDatabase();
    }
    return known.or(() -> incidents.stream().filter(each -> each.id().equals(id)).findFirst());
  }

  @Override
  public Page find(Query query) {
    if (query.states().isEmpty() || query.states().contains(Incident.State.RESOLVED)) {
      askDatabase();
    }
    List<Incident> matching = incidents.stream().filter(each -> matches(query, each)).toList();
    int from = 0;
    if (query.cursor() != null) {
      from =
          1 + matching.stream().map(each -> each.id().toString()).toList().indexOf(query.cursor());
      if (from == 0) {
        throw new InvalidCursorException(query.cursor());
      }
    }
    int to = Math.min(matching.size(), from + query.limit());
    return new Page(
        matching.subList(from, to),
        to < matching.size() ? matching.get(to - 1).id().toString() : null);
  }

  private static boolean matches(Query query, Incident incident) {
    return holds(query.states(), incident.state())
        && holds(query.severities(), incident.severity())
        && holds(query.causes(), incident.cause())
        && (query.subject() == null || query.subject().equals(incident.subject()))
        && (query.since() == null || !incident.updatedAt().isBefore(query.since()));
  }

  private static <T> boolean holds(Set<T> wanted, T value) {
    return wanted.isEmpty() || wanted.contains(value);
  }
}
