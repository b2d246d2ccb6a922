package io.fabrichealth.collective.log;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The first thing that ended a rank, in its own words.
 *
 * @param rank -1 where nothing tells it
 * @param text at most {@link #LONGEST} characters
 * @param clock as {@link Speech}
 */
public record RankError(
    int rank, Kind kind, String text, @Nullable Instant time, String clock, long line) {
  public static final int LONGEST = 200;

  /** Whether the rank is to blame for its end. */
  public enum Kind {
    /** An exception of the program, a fault of the GPU, a crash. */
    OWN,
    /** It waited for others until its patience ended. */
    TIMED_OUT,
    /** The other side went away. */
    PEER_LOST,
    /** The operations of two ranks do not fit each other. */
    MISMATCH,
    /** An error of communication that tells no more. */
    COMMUNICATION
  }

  /** Whether the rank only suffered. */
  public boolean isVictim() {
    return kind != Kind.OWN;
  }
}
