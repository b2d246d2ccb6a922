package io.fabrichealth.runtime;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Sighting;
import io.fabrichealth.topology.Wiring;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns what collectors bring into the inputs of the engine: joins the wiring, and puts what was
 * read in the order of a capture. Whatever consumes inputs gets the same ones: the live engine and
 * a recording. Belongs to one thread.
 */
final class Intake {
  private static final Duration WIRE_EVERY = Duration.ofMillis(500);

  private final SourceLedger ledger;

  /** By device, then by the target that told it. */
  private final Map<String, Map<String, Sighting>> sightings = new LinkedHashMap<>();

  private Settings settings;
  private Fabric plan;
  private Fabric wiredPlan;
  private Fabric fabric;
  private boolean isWiringChanged;
  // By the monotonic clock: the time of day may be set back.
  private long wiredNanos = System.nanoTime() - WIRE_EVERY.toNanos();

  /**
   * @param known the fabric as it was last known
   */
  Intake(Settings settings, Fabric known) {
    this.settings = settings;
    plan = planOf(settings);
    wiredPlan = Fabric.EMPTY;
    fabric = known;
    ledger = new SourceLedger(settings, System.nanoTime());
  }

  private static Fabric planOf(Settings settings) {
    Fabric planned = settings.plan();
    return planned == null ? Fabric.EMPTY : planned;
  }

  /** The fabric as it was last joined. */
  Fabric fabric() {
    return fabric;
  }

  /** Whether a collector still reads the device, or something still sends its readings. */
  boolean isRead(String device, String collector) {
    return ledger.isRead(device, collector, System.nanoTime());
  }

  /** From now on these are the targets and the plan. */
  void change(Settings changed) {
    settings = changed;
    plan = planOf(changed);
    ledger.change(changed);
    isWiringChanged = true;
  }

  /** Forgets what devices said that nobody reads any more. */
  void forgetUnread() {
    for (Map<String, Sighting> ofDevice : sightings.values()) {
      if (ofDevice.keySet().removeIf(target -> !ledger.isTarget(target))) {
        isWiringChanged = true;
      }
    }
    sightings.values().removeIf(Map::isEmpty);
  }

  /** The fabric as it is known now, whether it changed or not. */
  List<EngineInput> start(Instant now) {
    List<EngineInput> inputs = new ArrayList<>();
    wire(now, inputs);
    return inputs;
  }

  /**
   * What one pass brought.
   *
   * @param from null where it was sent by others
   */
  List<EngineInput> take(@Nullable Collector from, CollectOutcome outcome, Instant now) {
    List<EngineInput> inputs = new ArrayList<>();
    for (Sighting sighting : outcome.sightings()) {
      String target = from == null ? SourceLedger.PUSHED : SourceLedger.target(from);
      Sighting before =
          sightings
              .computeIfAbsent(sighting.device(), unknown -> new LinkedHashMap<>())
              .put(target, sighting);
      if (!sighting.equals(before)) {
        isWiringChanged = true;
        if (fabric.linksOf(sighting.device()).isEmpty()) {
          // Its first readings are of use only if its ports are known.
          wiredNanos = System.nanoTime() - WIRE_EVERY.toNanos();
        }
      }
    }
    inputs.addAll(wireIfDue(now));
    for (PollBatch batch : outcome.batches()) {
      ledger.heard(batch.device(), batch.collector(), from, System.nanoTime());
      inputs.add(new EngineInput.Poll(batch));
    }
    for (ProbeSample sample : outcome.probes()) {
      inputs.add(new EngineInput.Probe(now, sample));
    }
    return inputs;
  }

  /** The fabric, where something changed and the last time is long enough ago. */
  List<EngineInput> wireIfDue(Instant now) {
    List<EngineInput> inputs = new ArrayList<>();
    if (isWiringChanged && System.nanoTime() - wiredNanos >= WIRE_EVERY.toNanos()) {
      wire(now, inputs);
    }
    return inputs;
  }

  private void wire(Instant now, List<EngineInput> inputs) {
    isWiringChanged = false;
    wiredNanos = System.nanoTime();
    // A link that was only planned goes with the plan; one that is seen comes back at once.
    Fabric known = fabric.without(wiredPlan.links());
    fabric = Wiring.join(plan, known, allSightings());
    wiredPlan = plan;
    inputs.add(new EngineInput.Topology(now, fabric));
  }

  /** What the devices said; of a target that said nothing yet, that it is there. */
  private Collection<Sighting> allSightings() {
    List<Sighting> all = new ArrayList<>();
    settings
        .devices()
        .forEach(
            (device, role) -> {
              if (!sightings.containsKey(device)) {
                all.add(
                    new Sighting(device, role, null, null, List.of(), List.of(), List.of(), false));
              }
            });
    sightings.values().forEach(ofDevice -> all.addAll(ofDevice.values()));
    return all;
  }
}
