package io.fabrichealth.runtime;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Schedule;
import io.fabrichealth.engine.Engine;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.engine.EngineState;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.topology.Role;
import io.fabrichealth.topology.Sighting;
import io.fabrichealth.topology.Wiring;
import io.fabrichealth.verdict.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The live loop: one thread takes what the collectors bring, joins the wiring, steps the engine,
 * keeps the incidents, and publishes snapshots for everything that answers people.
 */
final class LiveLoop implements Snapshots, SettingsListener, SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(LiveLoop.class);
  private static final int QUEUE = 1024;
  private static final Duration PUBLISH_EVERY = Duration.ofMillis(500);
  private static final Duration WIRE_EVERY = Duration.ofMillis(500);
  private static final Duration FLUSH_EVERY = Duration.ofSeconds(5);

  private final InstantSource clock;
  private final Engine engine;
  private final Incidents incidents;
  private final EngineStorage storage;
  private final CollectorFactory collectors;
  private final Timer steps;
  private final Counter faults;
  private final BlockingQueue<CollectOutcome> queue = new ArrayBlockingQueue<>(QUEUE);
  private final Schedule schedule;
  private final EngineState state;

  // Of the loop's thread.
  private final Map<String, Sighting> sightings = new LinkedHashMap<>();
  private final Map<Subject, Verdict> verdicts = new HashMap<>();
  private final Map<PortId, PortReadings> readings = new HashMap<>();
  private volatile boolean wiringChanged;
  private volatile boolean targetsChanged;
  // By the monotonic clock: the time of day may be set back.
  private long wiredNanos = System.nanoTime() - WIRE_EVERY.toNanos();
  private Fabric wiredPlan = Fabric.EMPTY;
  private long publishedNanos = System.nanoTime();

  private final UnaryOperator<Settings> additions;
  private volatile Settings settings;
  private volatile Fabric plan;
  private volatile boolean running;
  private volatile FabricSnapshot published;
  private final Thread loop = Thread.ofPlatform().name("engine").unstarted(this::run);
  private final Thread writer = Thread.ofPlatform().name("engine-store").unstarted(this::write);

  /**
   * @param additions what is read beside the configured targets, now and after each reload
   */
  LiveLoop(
      InstantSource clock,
      Engine engine,
      Incidents incidents,
      EngineStorage storage,
      CollectorFactory collectors,
      Settings settings,
      UnaryOperator<Settings> additions,
      MeterRegistry meters) {
    this.clock = clock;
    this.engine = engine;
    this.incidents = incidents;
    this.storage = storage;
    this.collectors = collectors;
    this.additions = additions;
    this.settings = additions.apply(settings);
    plan = planOf(this.settings);
    state = engine.initial();
    schedule = new Schedule(clock, queue::put);
    published =
        new FabricSnapshot(
            clock.instant(), engine.dictionary(), Fabric.EMPTY, Map.of(), Map.of(), List.of());
    steps =
        Timer.builder("fabric.health.engine.step")
            .description("Time to take one outcome of a collector in")
            .publishPercentileHistogram()
            .register(meters);
    faults =
        Counter.builder("fabric.health.engine.faults")
            .description("Outcomes of collectors that the engine failed to take in")
            .register(meters);
    Gauge.builder("fabric.health.engine.queue", queue, BlockingQueue::size)
        .description("Outcomes of collectors that wait for the engine")
        .register(meters);
    FunctionCounter.builder("fabric.health.engine.polls.dropped", state, EngineState::outOfOrder)
        .description("Polls that came late or twice")
        .register(meters);
    FunctionCounter.builder(
            "fabric.health.engine.detector.faults", state, EngineState::detectorFaults)
        .description("Times that a detector failed at a port")
        .register(meters);
    FunctionCounter.builder("fabric.health.engine.polls.merged", state, EngineState::merged)
        .description("Polls so soon after another that their growth went into the next")
        .register(meters);
  }

  private static Fabric planOf(Settings settings) {
    Fabric planned = settings.plan();
    return planned == null ? Fabric.EMPTY : planned;
  }

  @Override
  public FabricSnapshot current() {
    return published;
  }

  // --- life

  @Override
  public void start() {
    running = true;
    Fabric known = storage.loadFabric();
    storage.load(state);
    dropFormerTargets();
    step(new EngineInput.Topology(clock.instant(), Wiring.join(plan, known, allSightings())));
    wiredPlan = plan;
    publish(clock.instant());
    loop.start();
    writer.start();
    schedule.replace(collectors.create(settings));
  }

  @Override
  public void stop() {
    running = false;
    schedule.close();
    writer.interrupt();
    try {
      // Ends by itself within half a second; an interrupt would tear the files that it writes.
      loop.join(Duration.ofSeconds(5));
      writer.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    loop.interrupt();
    storage.noteAll(state);
    storage.flush(clock.instant());
    collectors.close();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public void changed(Settings changed) {
    settings = additions.apply(changed);
    plan = planOf(settings);
    schedule.replace(collectors.create(settings));
    targetsChanged = true;
    wiringChanged = true;
  }

  // --- the engine's thread

  private void run() {
    while (running) {
      try {
        CollectOutcome outcome = queue.poll(PUBLISH_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        Instant now = clock.instant();
        if (outcome != null) {
          steps.record(() -> take(outcome));
        }
        if (targetsChanged) {
          targetsChanged = false;
          dropFormerTargets();
        }
        if (wiringChanged && hasPassed(WIRE_EVERY, wiredNanos)) {
          wire(now);
        }
        if (hasPassed(PUBLISH_EVERY, publishedNanos)) {
          publish(now);
        }
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException | Error e) {
        // One bad outcome must not end detection for all; it is a fault of ours, so say all of it.
        faults.increment();
        log.error("outcome=failed action=step", e);
      }
    }
  }

  private static boolean hasPassed(Duration time, long sinceNanos) {
    return System.nanoTime() - sinceNanos >= time.toNanos();
  }

  private void take(CollectOutcome outcome) {
    Sighting sighting = outcome.sighting();
    if (sighting != null && !sighting.equals(sightings.put(sighting.device(), sighting))) {
      wiringChanged = true;
      if (state.fabric().linksOf(sighting.device()).isEmpty()) {
        // Its first readings are of use only if its ports are known.
        wire(clock.instant());
      }
    }
    step(new EngineInput.Poll(outcome.batch()));
    String device = outcome.batch().device();
    String collector = outcome.batch().collector();
    state.forEachPort(
        device,
        collector,
        port -> {
          PortReadings now = state.snapshot(port, collector);
          if (now != null) {
            readings.put(port, now);
          }
        });
    storage.note(state, device, collector, outcome.batch().at());
  }

  /** What is no longer a target is neither read nor shown; links to it live by their other end. */
  private void dropFormerTargets() {
    Set<String> targets = new HashSet<>();
    settings.snmp().forEach(target -> targets.add("snmp " + target.device()));
    settings.prometheus().forEach(target -> targets.add("prometheus " + target.device()));
    state.retainSources((device, collector) -> targets.contains(collector + " " + device));
    sightings.keySet().removeIf(device -> !state.reads(device));
    readings.keySet().removeIf(port -> !state.reads(port.device()));
  }

  /** What the devices said; of a target that said nothing yet, that it is there. */
  private Collection<Sighting> allSightings() {
    Map<String, Sighting> all = new LinkedHashMap<>(sightings);
    settings.snmp().forEach(target -> addBare(all, target.device(), target.role()));
    settings.prometheus().forEach(target -> addBare(all, target.device(), target.role()));
    return all.values();
  }

  private static void addBare(Map<String, Sighting> all, String device, Role role) {
    all.putIfAbsent(
        device, new Sighting(device, role, null, null, List.of(), List.of(), List.of(), false));
  }

  private void wire(Instant now) {
    wiringChanged = false;
    wiredNanos = System.nanoTime();
    Fabric planned = plan;
    // A link that was only planned goes with the plan; one that is seen comes back at once.
    Fabric known = state.fabric().without(wiredPlan.links());
    Fabric fabric = Wiring.join(planned, known, allSightings());
    wiredPlan = planned;
    step(new EngineInput.Topology(now, fabric));
    storage.note(fabric);
  }

  private void step(EngineInput input) {
    List<Verdict> toKeep = new ArrayList<>();
    for (Verdict verdict : engine.step(state, input)) {
      Verdict before = verdicts.put(verdict.subject(), verdict);
      boolean wasOpen = before != null && before.isOpen();
      if (verdict.isOpen() || wasOpen || before == null) {
        toKeep.add(verdict);
      }
      if (!state.knows(verdict.subject())) {
        verdicts.remove(verdict.subject());
      }
    }
    if (!toKeep.isEmpty()) {
      incidents.apply(toKeep, input.at());
    }
  }

  private void publish(Instant now) {
    publishedNanos = System.nanoTime();
    published =
        new FabricSnapshot(
            now,
            engine.dictionary(),
            state.fabric(),
            Map.copyOf(verdicts),
            Map.copyOf(readings),
            schedule.statuses());
  }

  // --- the writer's thread

  private void write() {
    while (running) {
      try {
        Thread.sleep(FLUSH_EVERY);
      } catch (InterruptedException e) {
        return;
      }
      storage.flush(clock.instant());
    }
  }
}
