package io.fabrichealth.collective.log;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What NCCL told of a NIC that did not do as it should.
 *
 * @param rank -1 where not known
 * @param host on which it was noticed
 * @param adapter {@code mlx5_0/1}, {@code mlx5_0} where the port is not told, or empty
 * @param peer the other side's address or name, without port; empty where there is none
 * @param localGid of RoCE, or empty, as remoteGid
 * @param status of a completion (12: no answer after all retries; 13: the receiver was not ready;
 *     5: flushed after another error), -1 of anything else
 * @param text what was told
 * @param count how often the same was told
 * @param time of the first, null where lines have none
 * @param line of the first
 */
public record NcclTrouble(
    Kind kind,
    int rank,
    String host,
    String adapter,
    String peer,
    String localGid,
    String remoteGid,
    int status,
    String text,
    long count,
    @Nullable Instant time,
    long line) {

  /** What happened. */
  public enum Kind {
    /** A transfer ended with an error. */
    COMPLETION,
    PORT_DOWN,
    PORT_UP,
    /** Another event of the adapter: fatal, speed, a changed address. */
    EVENT,
    /** The traffic of one adapter went over to another. */
    FAILED_OVER,
    /** And came back. */
    RECOVERED,
    /** And will not come back. */
    GIVEN_UP
  }

  /** An error of its own, not the echo of one before. */
  public boolean isPrimary() {
    return kind == Kind.COMPLETION && status != FLUSHED;
  }

  private static final int FLUSHED = 5;
}
