package io.fabrichealth.capture;

import io.fabrichealth.signal.PollBatch;
import java.util.List;

/**
 * A batch as it was read.
 *
 * @param refusals what is not in the batch; the first {@value #MOST_REFUSALS} of them
 * @param refused how many there were
 */
public record PollRead(PollBatch batch, List<Refusal> refusals, int refused) {
  static final int MOST_REFUSALS = 100;

  public PollRead {
    refusals = List.copyOf(refusals);
  }

  /** Why something is not in the batch. */
  public enum Kind {
    /** No field of a poll; a newer writer may have more of them. */
    UNKNOWN_FIELD,
    /** No signal of the dictionary. */
    UNKNOWN_SIGNAL,
    /** Neither a value of its signal nor null. */
    BAD_VALUE
  }

  /**
   * One thing that was left out.
   *
   * @param pointer where it stands in the object, as RFC 6901 has it
   * @param problem a sentence without its subject
   */
  public record Refusal(Kind kind, String pointer, String problem) {}
}
