package io.fabrichealth.incident;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Track;
import io.fabrichealth.verdict.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The incidents that are not resolved, kept so that they say what the verdicts say. Knows of no
 * clock and no store: the service and replay have the same incidents from the same verdicts. Not
 * for use by several threads at once.
 */
public final class CurrentIncidents {
  private final Suppressor suppressor;

  /** A subject has several only where somebody else wrote some, or for several causes. */
  private final Map<Subject, List<Incident>> bySubject = new HashMap<>();

  private final PastIncidents past = new PastIncidents();

  public CurrentIncidents(Suppressor suppressor) {
    this.suppressor = suppressor;
  }

  /** What became of an incident. */
  public enum Outcome {
    OPENED,
    UPDATED,
    /** Updated, and the cause is another one. */
    CHANGED,
    RESOLVED
  }

  /**
   * One change.
   *
   * @param incident as it is now
   */
  public record Change(Outcome outcome, Incident incident) {}

  /** Those that are not resolved, in no particular order. */
  public Stream<Incident> all() {
    return bySubject.values().stream().flatMap(List::stream);
  }

  /** Whether an incident of the subject is not resolved. */
  public boolean hasAny(Subject subject) {
    return bySubject.containsKey(subject);
  }

  /**
   * Opens, updates and resolves the incidents of the verdict's subject.
   *
   * @return what changed, in the order in which it did; what is not worth a write is no change
   */
  public List<Change> apply(Verdict verdict, Instant at) {
    Subject subject = verdict.subject();
    Instant opened = verdict.openedAt();
    Cause cause = verdict.cause();
    String fingerprint = cause == null ? null : Lifecycle.fingerprint(subject, cause);
    boolean continues = false;
    boolean replaces = false;
    List<Change> changes = new ArrayList<>();
    for (Incident incident : List.copyOf(bySubject.getOrDefault(subject, List.of()))) {
      boolean same = fingerprint == null || fingerprint.equals(incident.fingerprint());
      if (opened != null && same) {
        continues = true;
        update(incident, verdict, at, changes);
      } else {
        replaces = true;
        end(incident, verdict, at, changes);
      }
    }
    if (opened == null) {
      past.seenWell(subject, at);
    }
    // Without a cause nothing speaks for the fault any more: that does not open an incident.
    if (opened != null && fingerprint != null && cause != null && !continues) {
      // The verdict's time is that of the incident before where the cause is another one now.
      open(verdict, cause, fingerprint, replaces ? at : opened, at, changes);
    }
    return changes;
  }

  private void open(
      Verdict verdict,
      Cause cause,
      String fingerprint,
      Instant opened,
      Instant at,
      List<Change> changes) {
    EndedIncident dismissed = past.dismissed(fingerprint);
    if (dismissed != null
        && (at.isBefore(PastIncidents.opensAgainAt(dismissed, cause))
            || verdict.probability() <= Track.OPEN_ABOVE)) {
      return;
    }
    Subject subject = verdict.subject();
    Incident incident =
        Lifecycle.open(
            subject,
            verdict,
            cause,
            dismissed == null ? opened : at,
            at,
            past.before(subject, at),
            dismissed == null
                ? null
                : "still seen after it was resolved as " + dismissed.resolution());
    past.opened(fingerprint);
    String by = suppressor.suppressedBy(incident, at);
    Incident shown = by == null ? incident : Lifecycle.suppress(incident, by, at);
    put(shown, new Change(Outcome.OPENED, shown), changes);
  }

  private void end(Incident incident, Verdict verdict, Instant at, List<Change> changes) {
    String into = verdict.openedAt() == null ? mergedInto(verdict) : null;
    Resolution reason =
        into != null
            ? Resolution.MERGED
            : verdict.openedAt() == null ? Resolution.CLEARED : Resolution.REPLACED;
    Incident resolved =
        Lifecycle.resolve(
            into == null ? incident : Lifecycle.suppress(incident, into, at), reason, at);
    put(incident, new Change(Outcome.RESOLVED, resolved), changes);
  }

  /**
   * What somebody says of one that is not resolved.
   *
   * @return as it is now
   */
  public Incident decide(Incident incident, Decision decision, Instant at) {
    Incident next = Lifecycle.decide(incident, decision, at).orElse(incident);
    replace(incident, next);
    return next;
  }

  /** Takes in what is known of those that ended before. */
  public void remember(Collection<EndedIncident> ended) {
    past.restore(ended);
  }

  /**
   * Id of the incident of something else that the subject is now known to be a part of: one fault
   * is one incident. Null where it ends for another reason.
   */
  private @Nullable String mergedInto(Verdict verdict) {
    if (verdict.state() != LinkState.DEGRADED) {
      return null;
    }
    Subject subject = verdict.subject();
    return all()
        .filter(other -> !other.subject().equals(subject))
        .filter(other -> other.members().contains(subject.id()))
        .max(Comparator.comparing(Incident::openedAt).thenComparing(Incident::fingerprint))
        .map(other -> other.id().toString())
        .orElse(null);
  }

  private void update(Incident incident, Verdict verdict, Instant at, List<Change> changes) {
    Incident next = Lifecycle.update(incident, verdict, at).orElse(incident);
    next = suppressedAsOf(next, at);
    if (next != incident) {
      boolean same = next.cause() == incident.cause();
      put(incident, new Change(same ? Outcome.UPDATED : Outcome.CHANGED, next), changes);
    }
  }

  private Incident suppressedAsOf(Incident incident, Instant at) {
    @Nullable String by = suppressor.suppressedBy(incident, at);
    return Objects.equals(by, incident.suppressedBy())
        ? incident
        : Lifecycle.suppress(incident, by, at);
  }

  private void put(Incident before, Change change, List<Change> changes) {
    replace(before, change.incident());
    changes.add(change);
  }

  /** Puts another in the place of one; a resolved one is forgotten. */
  public void replace(Incident incident, Incident next) {
    bySubject.computeIfPresent(
        incident.subject(),
        (subject, all) -> {
          all.removeIf(one -> one.id().equals(incident.id()));
          return all.isEmpty() ? null : all;
        });
    if (next.resolution() != null && incident.resolution() == null) {
      past.note(EndedIncident.of(next));
    }
    if (next.state() != Incident.State.RESOLVED) {
      bySubject.computeIfAbsent(next.subject(), subject -> new ArrayList<>()).add(next);
    }
  }
}
