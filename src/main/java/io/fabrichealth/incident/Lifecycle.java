package io.fabrichealth.incident;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.incident.IncidentChange.Kind;
import io.fabrichealth.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a verdict makes of an incident. Pure: the service and replay keep the same rules. */
public final class Lifecycle {
  /** Below it a change of the probability is not worth a write. */
  private static final double PROBABILITY_STEP = .01;

  /** How often an incident follows changes that are not material. */
  private static final Duration REFRESH = Duration.ofMinutes(1);

  private Lifecycle() {}

  /**
   * What makes two reports the same fault. A link has one incident whatever the cause: the cause
   * often becomes clear only later. Other subjects have one a cause.
   */
  public static String fingerprint(Subject subject, Cause cause) {
    String of = subject.type().label() + ":" + subject.id();
    return subject.type() == SubjectType.LINK ? of : of + ":" + cause;
  }

  /** The id of the incident of a fault that opened then: the same wherever it is worked out. */
  public static UUID id(String fingerprint, Instant openedAt) {
    return UUID.nameUUIDFromBytes((fingerprint + "@" + openedAt).getBytes(UTF_8));
  }

  /**
   * A new incident as the verdict says it.
   *
   * @param repeats earlier incidents of the subject
   * @param why what made it open now; null where the verdict says it all
   */
  public static Incident open(
      Subject subject,
      Verdict verdict,
      Cause cause,
      Instant openedAt,
      Instant at,
      Repeats repeats,
      @Nullable String why) {
    String fingerprint = fingerprint(subject, cause);
    Instant opened = storable(openedAt);
    Instant updated = latest(opened, storable(at));
    return new Incident(
        id(fingerprint, opened),
        fingerprint,
        subject,
        cause,
        Severity.of(cause, verdict.probability()),
        Incident.State.OPEN,
        verdict.probability(),
        opened,
        updated,
        null,
        verdict.summary(),
        verdict.members(),
        verdict.evidence(),
        null,
        null,
        repeats,
        List.of(IncidentChange.byService(updated, Kind.OPENED, why)),
        1);
  }

  /**
   * The incident as the verdict now says it; empty where that is not worth a write. The severity
   * never falls: what has paged somebody stays urgent until it is resolved.
   */
  public static Optional<Incident> update(Incident incident, Verdict verdict, Instant at) {
    Cause cause = verdict.cause() == null ? incident.cause() : verdict.cause();
    Severity severity = incident.severity().or(Severity.of(cause, verdict.probability()));
    boolean material =
        cause != incident.cause()
            || severity != incident.severity()
            || Math.abs(verdict.probability() - incident.probability()) > PROBABILITY_STEP
            || !verdict.members().equals(incident.members())
            || !lines(verdict.evidence()).equals(lines(incident.evidence()));
    boolean due = !at.isBefore(incident.updatedAt().plus(REFRESH));
    if (!material && !(due && differs(incident, verdict))) {
      return Optional.empty();
    }
    Instant updated = latest(incident.updatedAt(), storable(at));
    IncidentEdit next = new IncidentEdit(incident).at(updated).judged(verdict, cause, severity);
    if (cause != incident.cause()) {
      next.note(
          IncidentChange.byService(updated, Kind.CAUSE_CHANGED, turned(incident.cause(), cause)));
    }
    if (severity != incident.severity()) {
      next.note(
          IncidentChange.byService(
              updated, Kind.SEVERITY_RAISED, turned(incident.severity(), severity)));
    }
    return Optional.of(next.done());
  }

  private static String turned(Enum<?> from, Enum<?> to) {
    return from + " to " + to;
  }

  /** The same, suppressed by this id; by null where nothing suppresses it any more. */
  static Incident suppress(Incident incident, @Nullable String by, Instant at) {
    Instant when = latest(incident.updatedAt(), storable(at));
    return new IncidentEdit(incident)
        .suppressedBy(by)
        .note(IncidentChange.byService(when, by == null ? Kind.RELEASED : Kind.SUPPRESSED, by))
        .done();
  }

  /** Ended by the service; keeps the evidence for which it was open. */
  public static Incident resolve(Incident incident, Resolution reason, Instant at) {
    return resolve(incident, IncidentChange.SERVICE, reason, null, at);
  }

  private static Incident resolve(
      Incident incident, String by, Resolution reason, @Nullable String comment, Instant at) {
    Instant resolved = latest(incident.updatedAt(), storable(at));
    return new IncidentEdit(incident)
        .at(resolved)
        .resolved(reason)
        .note(new IncidentChange(resolved, by, Kind.RESOLVED, reason.name(), comment))
        .done();
  }

  /**
   * What somebody's decision makes of an incident that is not resolved; empty where it says what
   * the incident says already.
   */
  static Optional<Incident> decide(Incident incident, Decision decision, Instant at) {
    if (isDone(incident, decision)) {
      return Optional.empty();
    }
    return Optional.of(
        switch (decision) {
          case Decision.Acknowledgement said -> {
            Instant when = latest(incident.updatedAt(), storable(at));
            yield new IncidentEdit(incident)
                .state(Incident.State.ACKNOWLEDGED)
                .note(new IncidentChange(when, said.by(), Kind.ACKNOWLEDGED, null, said.comment()))
                .done();
          }
          case Decision.End said -> resolve(incident, said.by(), said.reason(), said.comment(), at);
        });
  }

  /** Whether the incident is as the decision wants it, and the same person was the last to say. */
  public static boolean isDone(Incident incident, Decision decision) {
    Kind kind =
        switch (decision) {
          case Decision.Acknowledgement said -> Kind.ACKNOWLEDGED;
          case Decision.End said -> Kind.RESOLVED;
        };
    Incident.State wanted =
        kind == Kind.RESOLVED ? Incident.State.RESOLVED : Incident.State.ACKNOWLEDGED;
    boolean sameReason =
        !(decision instanceof Decision.End said) || said.reason() == incident.resolution();
    return incident.state() == wanted
        && sameReason
        && incident.changes().reversed().stream()
            .filter(change -> change.kind() == kind)
            .findFirst()
            .filter(change -> change.by().equals(decision.by()))
            .filter(change -> Objects.equals(change.comment(), decision.comment()))
            .isPresent();
  }

  /**
   * Our view of a fault under the identity of the incident that the database already has for it.
   */
  public static Incident adopt(Incident stored, Incident ours) {
    boolean acknowledged =
        stored.state() == Incident.State.ACKNOWLEDGED && ours.state() == Incident.State.OPEN;
    Instant updated = latest(stored.updatedAt(), ours.updatedAt());
    List<IncidentChange> trail = new ArrayList<>(stored.changes());
    if (stored.state() == Incident.State.RESOLVED && ours.state() != Incident.State.RESOLVED) {
      trail.add(IncidentChange.byService(updated, Kind.OPENED, "still seen after a restart"));
    }
    ours.changes().stream()
        .filter(change -> change.kind() != Kind.OPENED && !trail.contains(change))
        .forEach(trail::add);
    return new IncidentEdit(ours)
        .as(stored, trail)
        .state(acknowledged ? Incident.State.ACKNOWLEDGED : ours.state())
        .at(updated)
        .done();
  }

  private static boolean differs(Incident incident, Verdict verdict) {
    return verdict.probability() != incident.probability()
        || !verdict.summary().equals(incident.summary())
        || !verdict.evidence().equals(incident.evidence());
  }

  private static Set<Line> lines(List<Evidence> evidence) {
    Set<Line> lines = new HashSet<>();
    evidence.forEach(one -> lines.add(new Line(one.family().name(), one.signal(), one.subject())));
    return lines;
  }

  /** PostgreSQL keeps microseconds: an instant must be the same before and after it was stored. */
  private static Instant storable(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS);
  }

  private static Instant latest(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private record Line(String family, String signal, Subject subject) {}
}
