package io.fabrichealth.runtime;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.latency.ProbeSample.Endpoint;
import io.fabrichealth.signal.BootIdentity;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Names;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Sighting;
import io.fabrichealth.topology.TopologyChange;
import io.fabrichealth.topology.Wiring;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
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

  /** More changes at once are counted, not told one by one. */
  private static final int MOST_CHANGES = 200;

  private final SourceLedger ledger;

  /** By device, then by the target that told it. */
  private final Map<String, Map<String, Sighting>> sightings = new LinkedHashMap<>();

  /** The newest boot identities. */
  private final Map<Source, String> boots = new HashMap<>();

  private Settings settings;
  private Fabric plan;
  private Fabric wiredPlan;
  private Fabric fabric;
  private boolean isWiringChanged;
  // By the monotonic clock: the time of day may be set back.
  private long wiredNanos = System.nanoTime() - WIRE_EVERY.toNanos();

  private record Source(String device, String collector) {}

  /**
   * @param plan what should be; {@link Fabric#EMPTY} where nothing says so
   * @param known the fabric as it was last known
   */
  Intake(Settings settings, Fabric plan, Fabric known) {
    this.settings = settings;
    this.plan = plan;
    wiredPlan = Fabric.EMPTY;
    fabric = known;
    ledger = new SourceLedger(settings, System.nanoTime());
  }

  /** Whether a collector still reads the device, or something still sends its readings. */
  boolean isRead(String device, String collector) {
    return ledger.isRead(device, collector, System.nanoTime());
  }

  /** The fabric as it was last joined. */
  Fabric fabric() {
    return fabric;
  }

  /** What should be. */
  Fabric plan() {
    return plan;
  }

  /** From now on this is the plan. */
  void plan(Fabric changed) {
    plan = changed;
    isWiringChanged = true;
  }

  /** From now on these are the targets. */
  void change(Settings changed) {
    settings = changed;
    ledger.change(changed);
    isWiringChanged = true;
  }

  /** Forgets what devices said that nobody reads any more. */
  void forgetUnread() {
    long now = System.nanoTime();
    ledger.prune(now);
    sightings.forEach(
        (device, ofDevice) -> {
          if (ofDevice.keySet().removeIf(by -> !ledger.tells(device(device), by, now))) {
            isWiringChanged = true;
          }
        });
    sightings.values().removeIf(Map::isEmpty);
    boots.keySet().removeIf(source -> !isRead(source.device(), source.collector()));
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
      String target =
          from == null
              ? SourceLedger.pushed(collector(outcome, sighting.device()))
              : SourceLedger.target(from);
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
      PollBatch named = named(batch);
      ledger.heard(named.device(), named.collector(), from, System.nanoTime());
      noteBoot(named, inputs);
      inputs.add(new EngineInput.Poll(named));
    }
    for (ProbeSample sample : outcome.probes()) {
      inputs.add(new EngineInput.Probe(now, named(sample)));
    }
    for (EngineInput record : outcome.records()) {
      inputs.add(
          record instanceof EngineInput.Probe probe
              // A prober whose clock is ahead must not make all others look late.
              ? new EngineInput.Probe(
                  probe.at().isAfter(now) ? now : probe.at(), named(probe.sample()))
              : record);
    }
    return inputs;
  }

  /** Under which collector the outcome tells of a device; empty where it reads nothing of it. */
  private static String collector(CollectOutcome outcome, String device) {
    return outcome.batches().stream()
        .filter(batch -> batch.device().equals(device))
        .map(PollBatch::collector)
        .findFirst()
        .orElse("");
  }

  /** Whatever a reader calls device and ports, they become those of the fabric. */
  private PollBatch named(PollBatch batch) {
    String device = device(batch.device());
    Names names = fabric.names();
    return batch.renamed(
        device,
        name -> {
          PortId port = names.port(device, name);
          return port == null ? name : port.port();
        });
  }

  private String device(String name) {
    String known = fabric.device(name) == null ? fabric.names().device(name) : null;
    return known == null ? name : known;
  }

  private ProbeSample named(ProbeSample sample) {
    Endpoint src = named(sample.src());
    Endpoint dst = named(sample.dst());
    return src.equals(sample.src()) && dst.equals(sample.dst()) ? sample : sample.between(src, dst);
  }

  private Endpoint named(Endpoint end) {
    String device = device(end.device());
    PortId port = end.port() == null ? null : fabric.names().port(device, end.port());
    return new Endpoint(device, port == null ? end.port() : port.port());
  }

  private void noteBoot(PollBatch batch, List<EngineInput> inputs) {
    String boot = batch.boot();
    if (boot == null) {
      return;
    }
    String before = boots.put(new Source(batch.device(), batch.collector()), boot);
    if (BootIdentity.isAnother(before, boot)) {
      inputs.add(
          new EngineInput.Event(
              batch.at(), batch.device(), null, "reboot", "seen by " + batch.collector()));
    }
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
    Fabric known = plan.equals(wiredPlan) ? fabric : fabric.without(wiredPlan.links());
    Fabric before = fabric;
    fabric = Wiring.join(plan, known, allSightings());
    wiredPlan = plan;
    inputs.add(new EngineInput.Topology(now, fabric));
    List<TopologyChange> changes = TopologyChange.between(before, fabric);
    for (TopologyChange change : changes.subList(0, Math.min(changes.size(), MOST_CHANGES))) {
      inputs.add(
          new EngineInput.Event(
              now, change.device(), change.port(), change.kind().label(), change.detail()));
    }
    if (changes.size() > MOST_CHANGES) {
      inputs.add(
          new EngineInput.Event(
              now,
              changes.get(MOST_CHANGES).device(),
              null,
              "topology_change",
              changes.size() - MOST_CHANGES + " more changes of the topology at once"));
    }
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
    sightings.forEach((device, ofDevice) -> addInOrder(device, ofDevice, all));
    return all;
  }

  /** What is said by a target that is the device outweighs what others say of it. */
  private static void addInOrder(
      String device, Map<String, Sighting> byTarget, List<Sighting> all) {
    byTarget.entrySet().stream()
        .sorted(
            Comparator.comparing(
                    (Map.Entry<String, Sighting> told) -> !told.getKey().endsWith(" " + device))
                .thenComparing(Map.Entry::getKey))
        .forEach(told -> all.add(told.getValue()));
  }
}
