package io.fabrichealth.incident;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Evidence;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.finding.SubjectType;
import io.fabrichealth.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
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

  /** A new incident as the verdict says it. */
  public static Incident open(
      Subject subject, Verdict verdict, Cause cause, Instant openedAt, Instant at) {
    String fingerprint = fingerprint(subject, cause);
    Instant opened = storable(openedAt);
    return new Incident(
        id(fingerprint, opened),
        fingerprint,
        subject,
        cause,
        Severity.of(cause, verdict.probability()),
        Incident.State.OPEN,
        verdict.probability(),
        opened,
        latest(opened, storable(at)),
        null,
        verdict.summary(),
        verdict.members(),
        verdict.evidence(),
        null,
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
    return Optional.of(
        new Incident(
            incident.id(),
            incident.fingerprint(),
            incident.subject(),
            cause,
            severity,
            incident.state(),
            verdict.probability(),
            incident.openedAt(),
            latest(incident.updatedAt(), storable(at)),
            null,
            verdict.summary(),
            verdict.members(),
            verdict.evidence(),
            incident.suppressedBy(),
            incident.version() + 1));
  }

  /** The same, suppressed by this id; by null where nothing suppresses it any more. */
  static Incident suppress(Incident incident, @Nullable String by) {
    return new Incident(
        incident.id(),
        incident.fingerprint(),
        incident.subject(),
        incident.cause(),
        incident.severity(),
        incident.state(),
        incident.probability(),
        incident.openedAt(),
        incident.updatedAt(),
        incident.resolvedAt(),
        incident.summary(),
        incident.members(),
        incident.evidence(),
        by,
        incident.version() + 1);
  }

  /** Ended; keeps the evidence for which it was open. */
  public static Incident resolve(Incident incident, Instant at) {
    Instant resolved = latest(incident.updatedAt(), storable(at));
    return copy(
        incident,
        incident.id(),
        incident.openedAt(),
        Incident.State.RESOLVED,
        resolved,
        resolved,
        incident.version() + 1);
  }

  /**
   * Our view of a fault under the identity of the incident that the database already has for it.
   */
  public static Incident adopt(Incident stored, Incident ours) {
    boolean acknowledged =
        stored.state() == Incident.State.ACKNOWLEDGED && ours.state() == Incident.State.OPEN;
    return copy(
        ours,
        stored.id(),
        stored.openedAt(),
        acknowledged ? Incident.State.ACKNOWLEDGED : ours.state(),
        latest(stored.updatedAt(), ours.updatedAt()),
        ours.resolvedAt(),
        Math.max(stored.version(), ours.version()) + 1);
  }

  private static Incident copy(
      Incident of,
      UUID id,
      Instant openedAt,
      Incident.State state,
      Instant updatedAt,
      @Nullable Instant resolvedAt,
      long version) {
    return new Incident(
        id,
        of.fingerprint(),
        of.subject(),
        of.cause(),
        of.severity(),
        state,
        of.probability(),
        openedAt,
        updatedAt,
        resolvedAt,
        of.summary(),
        of.members(),
        of.evidence(),
        of.suppressedBy(),
        version);
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
