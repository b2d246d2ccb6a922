package io.fabrichealth.engine;

import io.fabrichealth.collective.Collective;
import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.Job;
import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Scope;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /** One aggregate of one flow of probes. */
  record Probe(Instant at, ProbeSample sample) implements EngineInput {}

  /**
   * Something that happened to a device or port, for people and for the record.
   *
   * @param port null where it is of the device
   * @param event {@code link_down}, {@code link_up}, {@code reboot}, {@code config_change}, {@code
   *     topology_change}, ...
   */
  record Event(Instant at, String device, @Nullable String port, String event, String detail)
      implements EngineInput {}

  /** Who takes part in a job, and where; replaces what was known of it. */
  record Roster(Instant at, Job job, boolean ended) implements EngineInput {}

  /** A collective of a job, as its ranks timed it. */
  record Timing(Instant at, Collective collective) implements EngineInput {}

  /**
   * What the analysis of a job's dumps and logs, or of its running ranks, found; replaces what an
   * earlier one of the same job and source found.
   *
   * @param source what was analysed: {@link #FILES} or {@link #LIVE}
   */
  record Analysis(Instant at, String job, String source, List<CollectiveFinding> findings)
      implements EngineInput {
    /** Of what a job left, which may be of long ago. */
    public static final String FILES = "files";

    /** Of ranks that run. */
    public static final String LIVE = "live";

    public Analysis {
      findings = List.copyOf(findings);
    }
  }

  /**
   * Work on a part of the fabric was announced. It changes no verdict, only who is told.
   *
   * @param id the same again replaces it
   */
  record Maintenance(
      Instant at, String id, Scope scope, Instant startsAt, Instant endsAt, String comment)
      implements EngineInput {}
}
