package io.fabrichealth.incident;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.verdict.Verdict;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** All incidents: written from verdicts, read by everything that answers people. */
public interface Incidents {

  /**
   * Opens, updates and resolves incidents so that they say what the verdicts say. Never blocks on
   * the database: writes wait in a journal on disk while it is away.
   *
   * @param changed verdicts that changed, or whose incident is open
   */
  void apply(Collection<Verdict> changed, Instant at);

  /**
   * What somebody says of one incident. On return it is on disk, whether the database answers or
   * not.
   *
   * @param expected versions that it is said of; empty for whatever there is
   * @return empty where there is no such incident
   */
  Optional<Decided> decide(UUID id, Decision decision, Set<Long> expected, Instant at);

  /** All that are not resolved, from memory. */
  List<Incident> unresolved();

  /** Opened and resolved since the service began, from memory; for counters. */
  Counts counts();

  Optional<Incident> find(UUID id);

  /** One page, newest first by {@code openedAt}, then id. */
  Page find(Query query);

  /** How many incidents were opened and resolved in the life of this process. */
  record Counts(long opened, long resolved) {}

  /**
   * What became of a decision.
   *
   * @param incident as it is now
   */
  record Decided(Outcome outcome, Incident incident) {

    /** Whether it was taken. */
    public enum Outcome {
      /** Also where the same was said before. */
      DONE,
      /** It was said of another version. */
      STALE,
      /** It is over, for another reason or by another person. */
      RESOLVED_BEFORE
    }
  }

  /**
   * What to look for; an empty set does not restrict.
   *
   * @param since only those opened, updated or resolved since
   * @param cursor from the page before; null for the first
   * @param limit 1 to 1000
   */
  record Query(
      Set<Incident.State> states,
      Set<Severity> severities,
      Set<Cause> causes,
      @Nullable Subject subject,
      @Nullable Instant since,
      @Nullable String cursor,
      int limit) {}

  /** Items and the cursor of the next page; null on the last. */
  record Page(List<Incident> items, @Nullable String nextCursor) {}

  /** The cursor is not one that this service gave. */
  class InvalidCursorException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    public InvalidCursorException(String cursor) {
      super("cursor '" + cursor + "' was not given by this service");
    }
  }
}
