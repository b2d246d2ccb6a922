package io.fabrichealth.engine;

import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.topology.Fabric;
import java.time.Instant;

/** What the engine sees: the records of a capture. */
public sealed interface EngineInput {

  Instant at();

  /** What should be, and how it is wired; replaces what was known. */
  record Topology(Instant at, Fabric fabric) implements EngineInput {}

  /** One pass over one device, also one that read nothing. */
  record Poll(PollBatch batch) implements EngineInput {
    @Override
    public Instant at() {
      return batch.at();
    }
  }
}
