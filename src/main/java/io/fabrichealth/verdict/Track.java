package io.fabrichealth.verdict;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a verdict remembers of one subject from poll to poll: its state, and the incident that is
 * open.
 *
 * <p>Opens above .95. Closes when the probability was below .50 for 10 minutes in which at least 3
 * polls were clean; time in which the subject could not be read does not count. The cause is the
 * one it opened with, unless a stronger one appears, one that explains it, or nothing spoke for it
 * for 10 minutes while another is certain.
 *
 * @param since when the state began
 * @param openedAt when the incident opened; null while none is open
 * @param cause of the open incident; null while none is open
 * @param strength the most that ever spoke for this cause, in nats
 * @param summary as of the last time that something spoke for this cause; empty where nothing did
 * @param unsupportedSince since when nothing sufficient speaks for this cause; null while it does
 * @param quietSince since when the probability is below .50; null while it is not
 * @param cleanPolls clean polls since then
 * @param members what else the fault of the open incident touches; its findings there are explained
 * @param heldSince since when an incident is about to open and waits for word of its neighbours;
 *     null while none does
 */
public record Track(
    Subject subject,
    LinkState state,
    Instant since,
    @Nullable Instant openedAt,
    @Nullable Cause cause,
    double strength,
    String summary,
    @Nullable Instant unsupportedSince,
    @Nullable Instant quietSince,
    int cleanPolls,
    List<Subject> members,
    @Nullable Instant heldSince) {

  /** Probability above which an incident opens. */
  public static final double OPEN_ABOVE = .95;

  /** Probability from which a subject is suspect, and below which its incident may close. */
  public static final double CLOSE_BELOW = .50;

  static final Duration QUIET = Duration.ofMinutes(10);
  static final int CLEAN_POLLS = 3;

  /** A subject of which nothing was read yet. */
  public static Track fresh(Subject subject, Instant at) {
    return new Track(
        subject, LinkState.UNKNOWN, at, null, null, 0, "", null, null, 0, List.of(), null);
  }

  /** A subject whose incident was open when the service ended; for picking up stored incidents. */
  public static Track reopen(Subject subject, Instant openedAt, Cause cause, String summary) {
    return new Track(
        subject,
        LinkState.DEGRADED,
        openedAt,
        openedAt,
        cause,
        0,
        summary,
        null,
        null,
        0,
        List.of(),
        null);
  }

  public Track {
    members = List.copyOf(members);
  }

  public boolean isOpen() {
    return openedAt != null;
  }

  /**
   * The next moment: one poll of one of the subject's ports, or time that went by without one.
   *
   * @param known whether the subject is read well enough to tell a good state from a bad one
   * @param cleanPoll whether this is a poll that read the subject and found nothing against it
   * @param waits whether no incident is to open yet
   */
  public Track advance(Fused fused, boolean known, boolean cleanPoll, boolean waits, Instant at) {
    boolean quiet = known && fused.probability() < CLOSE_BELOW;
    Instant quietFrom = !quiet ? null : quietSince == null ? at : quietSince;
    int clean = !quiet ? 0 : cleanPolls + (cleanPoll ? 1 : 0);

    Track next =
        isOpen() && (isMerged(fused) || hasPassed(quietFrom, at) && clean >= CLEAN_POLLS)
            ? closed()
            : isOpen() ? followed(fused, at) : waits ? this : opened(fused, at);
    LinkState now = next.stateWith(fused, known);
    return new Track(
        subject,
        now,
        now == state ? since : at,
        next.openedAt,
        next.cause,
        next.strength,
        next.summary,
        next.unsupportedSince,
        quietFrom,
        clean,
        next.members,
        !waits ? null : heldSince == null ? at : heldSince);
  }

  /** Whether all that spoke for it turned out to be part of something else's incident. */
  private static boolean isMerged(Fused fused) {
    return fused.explained() && fused.probability() < CLOSE_BELOW;
  }

  /** What is to be said of the subject now. */
  public Verdict verdict(Fused fused, Coverage coverage) {
    return new Verdict(
        subject,
        state,
        fused.probability(),
        isOpen() ? cause : fused.probability() < CLOSE_BELOW ? null : fused.cause(),
        since,
        openedAt,
        fused.evidence(),
        fused.members(),
        coverage,
        sentence(fused));
  }

  private String sentence(Fused fused) {
    if (isOpen() && !summary.isEmpty()) {
      return summary;
    }
    return state == LinkState.UNKNOWN && fused.probability() < CLOSE_BELOW
        ? Sentence.unknown(subject)
        : fused.summary();
  }

  private Track opened(Fused fused, Instant at) {
    Cause likeliest = fused.cause();
    return likeliest != null && fused.probability() > OPEN_ABOVE
        ? new Track(
            subject,
            state,
            since,
            at,
            likeliest,
            fused.natsOf(likeliest),
            fused.summary(),
            null,
            null,
            0,
            fused.explains(),
            null)
        : this;
  }

  private Track closed() {
    return new Track(subject, state, since, null, null, 0, "", null, null, 0, List.of(), null);
  }

  private Track followed(Fused fused, Instant at) {
    boolean supported = fused.natsOf(cause) >= -Prior.LOG_ODDS;
    Instant unsupportedFrom = supported ? null : unsupportedSince == null ? at : unsupportedSince;
    Cause likeliest = fused.cause();
    if (likeliest != null && cause != null && likeliest != cause) {
      boolean replaces =
          fused.natsOf(likeliest) > strength && !Explanation.explains(cause, likeliest)
              || Explanation.explains(likeliest, cause)
              || hasPassed(unsupportedFrom, at);
      if (replaces && fused.probability() > OPEN_ABOVE) {
        return new Track(
            subject,
            state,
            since,
            openedAt,
            likeliest,
            fused.natsOf(likeliest),
            fused.summary(),
            null,
            null,
            0,
            with(fused.explains()),
            null);
      }
    }
    return new Track(
        subject,
        state,
        since,
        openedAt,
        cause,
        Math.max(strength, fused.natsOf(cause)),
        likeliest == cause ? fused.summary() : summary,
        unsupportedFrom,
        null,
        0,
        likeliest == cause ? with(fused.explains()) : members,
        null);
  }

  /** What was touched once stays touched for as long as the incident is open. */
  private List<Subject> with(List<Subject> more) {
    if (members.containsAll(more)) {
      return members;
    }
    Set<Subject> all = new LinkedHashSet<>(members);
    all.addAll(more);
    return List.copyOf(all);
  }

  private LinkState stateWith(Fused fused, boolean known) {
    if (!known) {
      return LinkState.UNKNOWN;
    }
    if (fused.down() && cause != Cause.LINK_FLAP) {
      return LinkState.DOWN;
    }
    if (isOpen() || fused.explained()) {
      return LinkState.DEGRADED;
    }
    return fused.probability() >= CLOSE_BELOW ? LinkState.SUSPECT : LinkState.HEALTHY;
  }

  private static boolean hasPassed(@Nullable Instant from, Instant at) {
    return from != null && Duration.between(from, at).compareTo(QUIET) >= 0;
  }
}
