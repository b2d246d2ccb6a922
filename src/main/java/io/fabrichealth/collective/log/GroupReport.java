package io.fabrichealth.collective.log;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a rank's watchdog told of one of its groups.
 *
 * @param rank the global rank, -1 where nothing tells it
 * @param groupRank the rank in the group
 * @param group the job-wide name; empty where the line does not tell it
 * @param description {@code default_pg}, or empty
 * @param awaited the number that timed out; {@link #ABSENT} where the rank told its counts only
 * @param lastEnqueued {@link #ABSENT} where not told, as lastCompleted
 * @param operation {@code ALLREDUCE}, or empty
 * @param elements of the operation's input, -1 where not told
 * @param waitedMillis -1 where not told
 * @param isStuck whether the watchdog itself stood still: the process hangs in CUDA or NCCL
 * @param clock as {@link Speech}
 */
public record GroupReport(
    int rank,
    int groupRank,
    String group,
    String description,
    long awaited,
    long lastEnqueued,
    long lastCompleted,
    String operation,
    long elements,
    long waitedMillis,
    boolean isStuck,
    @Nullable Instant time,
    String clock,
    long line) {
  public static final long ABSENT = Long.MIN_VALUE;

  public boolean isTimeout() {
    return awaited != ABSENT;
  }
}
