package io.fabrichealth.incident;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The incidents of the last {@value Repeats#DAYS} days that ended: who offends again, and what
 * people have resolved while the service still saw it. Not for use by several threads at once.
 */
final class PastIncidents {
  private static final Duration REMEMBERED = Duration.ofDays(Repeats.DAYS);

  /** More of one subject say no more. */
  private static final int MOST = 100;

  private final Map<Subject, Deque<Instant>> faults = new HashMap<>();
  private final Map<String, EndedIncident> dismissed = new HashMap<>();
  private Instant forgotAt = Instant.EPOCH;

  /** Whether nothing was judged since the past was read. */
  private boolean anew;

  private Instant judgedSince = Instant.EPOCH;

  /** What an earlier process left. */
  void restore(Collection<EndedIncident> ended) {
    ended.stream().sorted(Comparator.comparing(EndedIncident::resolvedAt)).forEach(this::note);
    anew = true;
  }

  void note(EndedIncident ended) {
    if (ended.resolution().isByHand()) {
      dismissed.put(ended.fingerprint(), ended);
    }
    if (ended.resolution().isFault()) {
      Deque<Instant> times = faults.computeIfAbsent(ended.subject(), one -> new ArrayDeque<>());
      times.addLast(ended.resolvedAt());
      if (times.size() > MOST) {
        times.removeFirst();
      }
    }
  }

  /** Earlier faults of the subject, as of this time. */
  Repeats before(Subject subject, Instant at) {
    forget(at);
    Deque<Instant> times = faults.get(subject);
    if (times == null) {
      return Repeats.NONE;
    }
    Instant oldest = at.minus(REMEMBERED);
    int count = (int) times.stream().filter(time -> !time.isBefore(oldest)).count();
    return count == 0
        ? Repeats.NONE
        : new Repeats(count, times.stream().max(Instant::compareTo).orElseThrow());
  }

  /** What somebody resolved and the service has seen ever since; null where there is nothing. */
  @Nullable EndedIncident dismissed(String fingerprint) {
    return dismissed.get(fingerprint);
  }

  /**
   * The subject was seen without its fault: the next one is another. Right after a restart that
   * says nothing, as every fault must be seen anew.
   */
  void seenWell(Subject subject, Instant at) {
    if (anew) {
      anew = false;
      judgedSince = at.plus(Resolution.SHORTEST_PATIENCE);
    }
    if (!dismissed.isEmpty() && !at.isBefore(judgedSince)) {
      dismissed.values().removeIf(ended -> ended.subject().equals(subject));
    }
  }

  void opened(String fingerprint) {
    dismissed.remove(fingerprint);
  }

  /** From when on what was resolved opens again if it is still seen. */
  static Instant opensAgainAt(EndedIncident ended, Cause cause) {
    Duration patience =
        cause == ended.cause() ? ended.resolution().patience() : Resolution.SHORTEST_PATIENCE;
    return ended.resolvedAt().plus(patience);
  }

  private void forget(Instant at) {
    if (Duration.between(forgotAt, at).compareTo(Duration.ofHours(1)) < 0) {
      return;
    }
    forgotAt = at;
    Instant oldest = at.minus(REMEMBERED);
    faults
        .values()
        .removeIf(
            times -> {
              times.removeIf(time -> time.isBefore(oldest));
              return times.isEmpty();
            });
  }
}
