package io.fabrichealth.collect;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.topology.Sighting;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one pass over a target brought. A target is one device, or something that tells of many: a
 * subnet, an exporter of a whole fabric, a time-series database.
 *
 * @param batches the readings, at most one a device; incomplete where {@code problems} says what is
 *     missing, without readings where the device was not read
 * @param sightings ports and neighbours as the devices tell them; without those that the pass did
 *     not ask
 * @param probes what probers tell of flows
 * @param records what goes to the engine as it is, with a time of its own: of jobs, and probes that
 *     others sent
 * @param leftOut rows that are no port of the fabric, by the rule that says so
 * @param problems what went wrong, the gravest first
 * @param remarks oddities of the devices that lose no reading and may last, for people
 */
public record CollectOutcome(
    List<PollBatch> batches,
    List<Sighting> sightings,
    List<ProbeSample> probes,
    List<EngineInput> records,
    List<LeftOut> leftOut,
    List<Problem> problems,
    List<String> remarks) {

  /** Of a target that reads devices. */
  public CollectOutcome(
      List<PollBatch> batches,
      List<Sighting> sightings,
      List<ProbeSample> probes,
      List<LeftOut> leftOut,
      List<Problem> problems,
      List<String> remarks) {
    this(batches, sightings, probes, List.of(), leftOut, problems, remarks);
  }

  public CollectOutcome {
    batches = List.copyOf(batches);
    sightings = List.copyOf(sightings);
    probes = List.copyOf(probes);
    records = List.copyOf(records);
    leftOut = List.copyOf(leftOut);
    problems = List.copyOf(problems);
    remarks = List.copyOf(remarks);
  }

  /**
   * Of a target that is one device.
   *
   * @param sighting null where the pass did not ask
   */
  public static CollectOutcome of(
      PollBatch batch,
      @Nullable Sighting sighting,
      List<LeftOut> leftOut,
      List<Problem> problems,
      List<String> remarks) {
    return new CollectOutcome(
        List.of(batch),
        sighting == null ? List.of() : List.of(sighting),
        List.of(),
        leftOut,
        problems,
        remarks);
  }

  /** Records of others, of no device. */
  public static CollectOutcome ofRecords(List<EngineInput> records) {
    return new CollectOutcome(
        List.of(), List.of(), List.of(), records, List.of(), List.of(), List.of());
  }

  /** A pass that brought nothing. */
  public static CollectOutcome missed(String device, String collector, Instant at, Problem why) {
    return of(PollBatch.missed(device, collector, at), null, List.of(), List.of(why), List.of());
  }

  /** The readings of a target that is one device. */
  public PollBatch batch() {
    return batches.getFirst();
  }

  /** What a target that is one device says of itself; null where the pass did not ask. */
  public @Nullable Sighting sighting() {
    return sightings.isEmpty() ? null : sightings.getFirst();
  }

  /** Readings of all devices together. */
  public int readings() {
    return batches.stream().mapToInt(PollBatch::size).sum();
  }

  /** A row that was left out on purpose. */
  public record LeftOut(String row, String rule) {}

  /** Something that went wrong; the message holds no secret. */
  public record Problem(FailureCode code, String message) {}
}
