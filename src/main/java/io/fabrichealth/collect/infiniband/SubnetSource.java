package io.fabrichealth.collect.infiniband;

import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.signal.PollBatch;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where wiring and counters of a subnet come from. */
interface SubnetSource extends AutoCloseable {

  /**
   * One pass.
   *
   * @param deadline by when it must have returned
   */
  Pass read(Instant now, Instant deadline) throws InterruptedException;

  /** For people, without credentials. */
  String address();

  @Override
  void close();

  /**
   * What a pass brought.
   *
   * @param known the subnet as it was last discovered; null where it never was
   * @param isNew whether it was discovered since the last pass
   * @param batches readings by device
   * @param isReading whether devices were read, or should have been: then one that is gone was
   *     missed
   */
  record Pass(
      @Nullable KnownSubnet known,
      boolean isNew,
      List<PollBatch> batches,
      boolean isReading,
      List<Problem> problems,
      List<String> remarks) {}
}
