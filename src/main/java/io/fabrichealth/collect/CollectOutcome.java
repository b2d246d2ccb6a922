package io.fabrichealth.collect;

import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.topology.Sighting;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one pass over a target brought.
 *
 * @param batch the readings; incomplete where {@code problems} is not empty, without readings where
 *     the pass failed
 * @param sighting ports and neighbours as the device tells them; null where the pass did not ask
 * @param leftOut rows that are no port of the fabric, by the rule that says so
 * @param problems what went wrong, the gravest first
 * @param remarks oddities of the device that lose no reading and may last, for people
 */
public record CollectOutcome(
    PollBatch batch,
    @Nullable Sighting sighting,
    List<LeftOut> leftOut,
    List<Problem> problems,
    List<String> remarks) {

  public CollectOutcome {
    leftOut = List.copyOf(leftOut);
    problems = List.copyOf(problems);
    remarks = List.copyOf(remarks);
  }

  /** A pass that brought nothing. */
  public static CollectOutcome missed(String device, String collector, Instant at, Problem why) {
    return new CollectOutcome(
        PollBatch.missed(device, collector, at), null, List.of(), List.of(why), List.of());
  }

  /** A row that was left out on purpose. */
  public record LeftOut(String row, String rule) {}

  /** Something that went wrong; the message holds no secret. */
  public record Problem(FailureCode code, String message) {}
}
