package io.fabrichealth.incident.internal;

import io.fabrichealth.finding.Subject;
import io.fabrichealth.incident.CurrentIncidents;
import io.fabrichealth.incident.CurrentIncidents.Change;
import io.fabrichealth.incident.Decision;
import io.fabrichealth.incident.EndedIncident;
import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.incident.Lifecycle;
import io.fabrichealth.incident.Repeats;
import io.fabrichealth.incident.Suppressor;
import io.fabrichealth.incident.internal.IncidentTable.Conflict;
import io.fabrichealth.verdict.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.util.unit.DataSize;

/**
 * Incidents in memory first, in the database soon after. All that are not resolved are in memory
 * from the start; older ones are read from the database, so that only they need it to be there.
 */
@Service
class StoredIncidents implements Incidents, DisposableBean {
  private static final Logger log = LoggerFactory.getLogger(StoredIncidents.class);
  private static final int MAX_LIMIT = 1000;

  private final IncidentTable table;
  private final WriteBehind writes;

  /** Guards {@link #current}. */
  private final Object lock = new Object();

  private final CurrentIncidents current = new CurrentIncidents(Suppressor.NONE);

  private volatile Map<UUID, Incident> unresolved = Map.of();
  private volatile Counts counts = new Counts(0, 0);

  @Autowired
  StoredIncidents(
      IncidentTable table,
      InstantSource clock,
      MeterRegistry meters,
      @Value("${fabric-health.data-dir:./data}") Path dataDirectory,
      @Value("${fabric-health.journal.max-bytes:64MB}") DataSize journalLimit) {
    this.table = table;
    try {
      IncidentJournal journal =
          new IncidentJournal(
              dataDirectory.resolve("journal/incidents.ndjson"), journalLimit.toBytes());
      IncidentJournal.Replay replay = journal.replay();
      Counter.builder("fabric.incident.journal.skipped.lines")
          .description("Lines of the journal that were not whole at the start")
          .register(meters)
          .increment(replay.skipped());
      writes = new WriteBehind(table, journal, clock, meters, this::adopt);
      writes.start(restore(replay.incidents(), clock.instant()));
    } catch (IOException e) {
      throw new UncheckedIOException("The journal of incidents cannot be used: " + e, e);
    }
  }

  @Override
  public void apply(Collection<Verdict> changed, Instant at) {
    synchronized (lock) {
      Map<UUID, Incident> writing = new LinkedHashMap<>();
      changed.forEach(verdict -> apply(verdict, at, writing));
      if (!writing.isEmpty()) {
        // On disk before anybody sees it.
        writes.put(writing.values());
        publish();
      }
    }
  }

  @Override
  public Optional<Decided> decide(UUID id, Decision decision, Set<Long> expected, Instant at) {
    synchronized (lock) {
      Incident known = unresolved.get(id);
      if (known != null) {
        return Optional.of(decide(known, decision, expected, at));
      }
    }
    // The database may be slow: the engine does not wait for it.
    return find(id).map(incident -> late(incident, decision, expected));
  }

  private Decided decide(Incident known, Decision decision, Set<Long> expected, Instant at) {
    if (!isMeant(known, expected)) {
      return new Decided(
          Lifecycle.isDone(known, decision) ? Decided.Outcome.DONE : Decided.Outcome.STALE, known);
    }
    Incident next = current.decide(known, decision, at);
    if (next != known) {
      writes.put(List.of(next));
      publish();
      tell(next, decision);
    }
    return new Decided(Decided.Outcome.DONE, next);
  }

  /** What is said of an incident that is over. */
  private static Decided late(Incident incident, Decision decision, Set<Long> expected) {
    Decided.Outcome outcome =
        Lifecycle.isDone(incident, decision)
            ? Decided.Outcome.DONE
            : isMeant(incident, expected) ? Decided.Outcome.RESOLVED_BEFORE : Decided.Outcome.STALE;
    return new Decided(outcome, incident);
  }

  private static boolean isMeant(Incident incident, Set<Long> expected) {
    return expected.isEmpty() || expected.contains(incident.version());
  }

  private void tell(Incident incident, Decision decision) {
    if (incident.state() == Incident.State.RESOLVED) {
      counts = new Counts(counts.opened(), counts.resolved() + 1);
    }
    log.info(
        "incident={} outcome={} by=\"{}\" subject={} cause={} resolution={}",
        incident.id(),
        incident.state().name().toLowerCase(Locale.ROOT),
        decision.by(),
        incident.subject().id(),
        incident.cause(),
        incident.resolution());
  }

  @Override
  public List<Incident> unresolved() {
    return List.copyOf(unresolved.values());
  }

  @Override
  public Counts counts() {
    return counts;
  }

  @Override
  public Optional<Incident> find(UUID id) {
    Incident known = unresolved.get(id);
    if (known == null) {
      known = writes.waiting(id);
    }
    return known == null ? table.find(id) : Optional.of(known);
  }

  @Override
  public Page find(Query query) {
    if (query.limit() < 1 || query.limit() > MAX_LIMIT) {
      throw new IllegalArgumentException("limit must be 1 to 1000, not " + query.limit());
    }
    Filter filter = Filter.of(query);
    List<Incident> found =
        (filter.isOfUnresolved() ? unresolved.values().stream() : fromBoth(filter, query.limit()))
            .filter(filter::matches)
            .sorted(Cursor.NEWEST_FIRST)
            .limit(query.limit() + 1L)
            .toList();
    if (found.size() <= query.limit()) {
      return new Page(found, null);
    }
    List<Incident> items = found.subList(0, query.limit());
    return new Page(items, Cursor.at(items.getLast()).text());
  }

  @Override
  public void destroy() {
    writes.close();
  }

  /**
   * Fills the memory from the database and from what an earlier process did not get into it.
   *
   * @return what the database does not have
   */
  private List<Incident> restore(List<Incident> journal, Instant now) {
    Map<UUID, Incident> latest = new LinkedHashMap<>();
    journal.forEach(incident -> latest.put(incident.id(), incident));
    Map<UUID, Incident> stored =
        Stream.concat(table.unresolved().stream(), table.findAll(latest.keySet()).stream())
            .collect(Collectors.toMap(Incident::id, Function.identity(), (one, same) -> one));
    latest.values().removeIf(incident -> isStored(incident, stored.get(incident.id())));
    Map<UUID, Incident> all = new LinkedHashMap<>(stored);
    all.putAll(latest);
    List<EndedIncident> ended = table.endedSince(now.minus(Duration.ofDays(Repeats.DAYS)));
    synchronized (lock) {
      current.remember(Stream.concat(ended.stream(), ended(latest.values())).toList());
      all.values().stream()
          .filter(incident -> incident.state() != Incident.State.RESOLVED)
          .forEach(incident -> current.replace(incident, incident));
      publish();
    }
    log.info("incidents=restored unresolved={} from-journal={}", unresolved.size(), latest.size());
    return List.copyOf(latest.values());
  }

  private static Stream<EndedIncident> ended(Collection<Incident> incidents) {
    return incidents.stream()
        .filter(incident -> incident.state() == Incident.State.RESOLVED)
        .map(EndedIncident::of);
  }

  private static boolean isStored(Incident incident, @Nullable Incident stored) {
    return stored != null && stored.version() >= incident.version();
  }

  private void apply(Verdict verdict, Instant at, Map<UUID, Incident> writing) {
    for (Change change : current.apply(withKey(verdict), at)) {
      Incident incident = change.incident();
      writing.put(incident.id(), incident);
      switch (change.outcome()) {
        case OPENED -> {
          counts = new Counts(counts.opened() + 1, counts.resolved());
          tell(incident, "opened");
        }
        case CHANGED -> tell(incident, "changed");
        case RESOLVED -> {
          counts = new Counts(counts.opened(), counts.resolved() + 1);
          log.info(
              "incident={} outcome=resolved subject={} cause={}",
              incident.id(),
              incident.subject().id(),
              incident.cause());
        }
        case UPDATED -> {}
      }
    }
  }

  private static void tell(Incident incident, String outcome) {
    log.info(
        "incident={} outcome={} subject={} cause={} severity={} probability={} summary=\"{}\"",
        incident.id(),
        outcome,
        incident.subject().id(),
        incident.cause(),
        incident.severity(),
        incident.probability(),
        incident.summary());
  }

  /** The database knows the fault already: go on with the incident that it has. */
  private void adopt(Conflict conflict) {
    synchronized (lock) {
      Incident ours = conflict.ours();
      Incident known = unresolved.get(ours.id());
      Incident waiting = writes.waiting(ours.id());
      Incident latest = known != null ? known : waiting != null ? waiting : ours;
      Incident adopted = Lifecycle.adopt(conflict.stored(), latest);
      current.replace(latest, adopted);
      writes.put(List.of(adopted));
      publish();
      log.info(
          "incident={} outcome=adopted fingerprint={} instead-of={}",
          adopted.id(),
          adopted.fingerprint(),
          ours.id());
    }
  }

  private void publish() {
    Map<UUID, Incident> next = new LinkedHashMap<>();
    current
        .all()
        .sorted(Cursor.NEWEST_FIRST)
        .forEach(incident -> next.put(incident.id(), incident));
    unresolved = next;
  }

  /** Rows, but for those of which a later version waits to be written. */
  private Stream<Incident> fromBoth(Filter filter, int limit) {
    Map<UUID, Incident> newer =
        writes.waiting().stream().collect(Collectors.toMap(Incident::id, Function.identity()));
    List<Incident> rows = table.newest(filter.specification(), limit + 1 + newer.size());
    return Stream.concat(
        rows.stream().filter(row -> !newer.containsKey(row.id())), newer.values().stream());
  }

  /** With the subject as the database gives it back, so that it is the same after a restart. */
  private static Verdict withKey(Verdict verdict) {
    Subject subject = verdict.subject();
    String id = IncidentEntity.storable(subject.id());
    return id.equals(subject.id())
        ? verdict
        : new Verdict(
            new Subject(subject.type(), id),
            verdict.state(),
            verdict.probability(),
            verdict.cause(),
            verdict.since(),
            verdict.openedAt(),
            verdict.evidence(),
            verdict.members(),
            verdict.coverage(),
            verdict.summary());
  }
}
