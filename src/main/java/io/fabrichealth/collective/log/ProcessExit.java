package io.fabrichealth.collective.log;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a rank's process ended, as its launcher says.
 *
 * @param exitCode negative for a signal
 * @param isFirst whether the launcher saw it end before the others of its host
 * @param wasSignalled whether the launcher had told it to end
 * @param error the exception that the process left for the launcher; empty where none
 * @param time by the host's clock, taken as UTC; null where not told
 */
public record ProcessExit(
    int rank,
    String host,
    int pid,
    int exitCode,
    boolean isFirst,
    boolean wasSignalled,
    String error,
    @Nullable Instant time,
    long line) {
  private static final int SIGABRT = -6;
  private static final int SIGINT = -2;
  private static final int SIGTERM = -15;
  private static final int SHELL = 128;

  /** Ended by the launcher, or by who ended the job: never a culprit. */
  public boolean wasEnded() {
    return exitCode == SIGTERM
        || exitCode == SIGINT
        || exitCode == SHELL - SIGTERM
        || exitCode == SHELL - SIGINT
        || wasSignalled;
  }

  /** By a signal that a program does not send itself on purpose. */
  public boolean hasCrashed() {
    return exitCode < 0 && exitCode != SIGABRT && !wasEnded();
  }

  /** Whether the exception that it left is one that others gave it. */
  public boolean hasVictimsError() {
    return !error.isEmpty() && ErrorText.kindOf(error) != RankError.Kind.OWN;
  }

  /** The exit code in words. */
  public String how() {
    return exitCode < 0 ? "signal %d".formatted(-exitCode) : "exit code %d".formatted(exitCode);
  }
}
