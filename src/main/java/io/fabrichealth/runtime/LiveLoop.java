package io.fabrichealth.runtime;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.ReadingBudget;
import io.fabrichealth.collect.Schedule;
import io.fabrichealth.collective.CollectiveFinding;
import io.fabrichealth.collective.Job;
import io.fabrichealth.detect.Detectors;
import io.fabrichealth.detect.Thresholds;
import io.fabrichealth.engine.Engine;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.engine.EngineState;
import io.fabrichealth.finding.Subject;
import io.fabrichealth.incident.Incidents;
import io.fabrichealth.latency.LatencyMatrix;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.PortReadings;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.topology.Fabric;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The live loop: one thread takes what the collectors bring, joins the wiring, steps the engine,
 * keeps the incidents, and publishes snapshots for everything that answers people.
 */
final class LiveLoop
    implements Snapshots, Ingest, JobIntake, LatencyDesk, SettingsListener, SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(LiveLoop.class);
  private static final int QUEUE = 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration PUBLISH_EVERY = Duration.ofMillis(500);
  private static final Duration FLUSH_EVERY = Duration.ofSeconds(5);
  private static final Duration FORGET_EVERY = Duration.ofMinutes(1);

  private final InstantSource clock;
  private volatile Engine engine;
  private final Incidents incidents;
  private final EngineStorage storage;
  private final CollectorFactory collectors;
  private final Timer steps;
  private final Counter faults;
  private final BlockingQueue<Brought> queue = new ArrayBlockingQueue<>(QUEUE);
  private final Schedule schedule;
  private final Counter pushedDropped;
  private volatile ReadingBudget budget;
  private final EngineState state;

  // Of the loop's thread.
  private Thresholds thresholds;
  private final Map<Subject, Verdict> verdicts = new HashMap<>();
  private final ReadingsBoard readings;
  // By the monotonic clock: the time of day may be set back.
  private long publishedNanos = System.nanoTime();
  private long forgotNanos = System.nanoTime();

  private final UnaryOperator<Settings> additions;
  private final TopologyPlan plans;
  private final RecentEvents recent = new RecentEvents();
  private final AtomicReference<@Nullable Settings> changedSettings = new AtomicReference<>();
  private volatile Settings settings;
  private @Nullable Intake intake;
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
      TopologyPlan plans,
      MeterRegistry meters) {
    this.clock = clock;
    this.engine = engine;
    this.incidents = incidents;
    this.storage = storage;
    this.collectors = collectors;
    this.additions = additions;
    this.plans = plans;
    this.settings = additions.apply(settings);
    thresholds = settings.thresholds();
    state = engine.initial();
    readings = new ReadingsBoard(engine.dictionary().size());
    budget = collectors.budget(this.settings);
    schedule =
        new Schedule(
            clock, budget, (collector, outcome) -> queue.put(new Outcome(collector, outcome)));
    pushedDropped =
        Counter.builder("fabric.health.push.readings.dropped")
            .description("Readings that were sent in and left out, over the budget of a device")
            .register(meters);
    published =
        new FabricSnapshot(
            clock.instant(),
            engine.dictionary(),
            Fabric.EMPTY,
            Fabric.EMPTY,
            Map.of(),
            Map.of(),
            List.of(),
            List.of());
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
            "fabric.health.engine.probes.dropped", state, EngineState::probesRefused)
        .description("Probes that came too late, or of more flows than are kept")
        .register(meters);
    FunctionCounter.builder(
            "fabric.health.engine.detector.faults", state, EngineState::detectorFaults)
        .description("Times that a detector failed at a port")
        .register(meters);
    FunctionCounter.builder(
            "fabric.health.engine.readings.quarantined", state, EngineState::quarantined)
        .description("Readings that no device of this world can have, shown as unreadable")
        .register(meters);
    FunctionCounter.builder("fabric.health.engine.polls.merged", state, EngineState::merged)
        .description("Polls so soon after another that their growth went into the next")
        .register(meters);
  }

  /** What waits for the engine. */
  private sealed interface Brought {}

  /**
   * What was read.
   *
   * @param from null where it was sent by others
   */
  private record Outcome(@Nullable Collector from, CollectOutcome outcome) implements Brought {}

  private record Enrolled(Job job, boolean ended) implements Brought {}

  private record Asked(LatencyMatrix.Level level, CompletableFuture<LatencyMatrix> answer)
      implements Brought {}

  private record Analyzed(String job, List<CollectiveFinding> findings) implements Brought {}

  @Override
  public FabricSnapshot current() {
    return published;
  }

  // --- life

  @Override
  public void start() {
    running = true;
    Intake started = new Intake(settings, plans.of(settings), storage.loadFabric());
    intake = started;
    storage.load(state);
    forget(started);
    started.start(clock.instant()).forEach(this::step);
    publish(clock.instant());
    loop.start();
    writer.start();
    schedule.replace(collectors.create(settings));
  }

  @Override
  public void stop() {
    schedule.close();
    running = false;
    writer.interrupt();
    try {
      // Ends by itself within half a second; an interrupt would tear the files that it writes.
      loop.join(Duration.ofSeconds(5));
      writer.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    loop.interrupt();
    // What was taken from its senders is not lost with them.
    takeWaiting();
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
    Settings all = additions.apply(changed);
    settings = all;
    budget = collectors.budget(all);
    schedule.budget(budget);
    schedule.replace(collectors.create(all));
    changedSettings.set(all);
  }

  @Override
  public boolean offer(CollectOutcome outcome) {
    ReadingBudget.Limited limited = budget.limit(outcome);
    boolean taken = running && queue.offer(new Outcome(null, limited.outcome()));
    if (taken) {
      pushedDropped.increment(limited.dropped());
    }
    return taken;
  }

  @Override
  public boolean offer(Job job, boolean ended) {
    return running && queue.offer(new Enrolled(job, ended));
  }

  @Override
  public boolean offer(String job, List<CollectiveFinding> findings) {
    return running && queue.offer(new Analyzed(job, findings));
  }

  @Override
  public Optional<LatencyMatrix> matrix(LatencyMatrix.Level level) throws InterruptedException {
    CompletableFuture<LatencyMatrix> answer = new CompletableFuture<>();
    if (!running || !queue.offer(new Asked(level, answer))) {
      return Optional.empty();
    }
    try {
      return Optional.of(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    } catch (TimeoutException late) {
      answer.cancel(false);
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
    }
  }

  // --- the engine's thread

  private void run() {
    Intake from = Objects.requireNonNull(intake);
    while (running) {
      try {
        Brought brought = queue.poll(PUBLISH_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        if (brought != null) {
          steps.record(() -> take(from, brought));
        }
        Settings changed = changedSettings.getAndSet(null);
        if (changed != null) {
          from.change(changed);
          tune(changed.thresholds());
        }
        Fabric plan = plans.of(settings);
        if (plan != from.plan()) {
          from.plan(plan);
        }
        if (changed != null || hasPassed(FORGET_EVERY, forgotNanos)) {
          forget(from);
        }
        from.wireIfDue(clock.instant()).forEach(this::step);
        if (hasPassed(PUBLISH_EVERY, publishedNanos)) {
          publish(clock.instant());
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

  /** Goes on with other thresholds and all that is known. */
  private void tune(Thresholds changed) {
    if (!changed.equals(thresholds)) {
      SignalDictionary dictionary = engine.dictionary();
      engine = new Engine(dictionary, Detectors.standard(dictionary, changed));
      thresholds = changed;
      log.info("event=thresholds_changed");
    }
  }

  private void takeWaiting() {
    Intake from = Objects.requireNonNull(intake);
    for (Brought brought = queue.poll(); brought != null; brought = queue.poll()) {
      try {
        take(from, brought);
      } catch (RuntimeException e) {
        faults.increment();
        log.error("outcome=failed action=step", e);
      }
    }
  }

  private static boolean hasPassed(Duration time, long sinceNanos) {
    return System.nanoTime() - sinceNanos >= time.toNanos();
  }

  private void take(Intake from, Brought brought) {
    Instant now = clock.instant();
    switch (brought) {
      case Outcome read -> from.take(read.from(), read.outcome(), now).forEach(this::step);
      case Enrolled roster -> step(new EngineInput.Roster(now, roster.job(), roster.ended()));
      case Asked asked -> answer(asked);
      case Analyzed found ->
          step(
              new EngineInput.Analysis(
                  now, found.job(), EngineInput.Analysis.FILES, found.findings()));
    }
  }

  private void answer(Asked asked) {
    if (asked.answer().isDone()) {
      return;
    }
    try {
      asked.answer().complete(state.latency(asked.level()));
    } catch (IllegalArgumentException e) {
      asked.answer().completeExceptionally(e);
    }
  }

  /** Neither judges nor shows what nobody reads; links to it live by their other end. */
  private void forget(Intake from) {
    forgotNanos = System.nanoTime();
    state.retainSources(from::isRead);
    from.forgetUnread();
    readings.retain(from::isRead);
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
    switch (input) {
      case EngineInput.Poll poll -> show(poll.batch());
      case EngineInput.Topology topology -> storage.note(topology.fabric());
      case EngineInput.Probe probe -> {}
      case EngineInput.Roster roster -> {}
      case EngineInput.Timing timing -> {}
      case EngineInput.Analysis analysis -> {}
      case EngineInput.Maintenance maintenance -> {}
      case EngineInput.Event event -> {
        recent.add(event);
        log.info(
            "event={} device={} port={} detail=\"{}\"",
            event.event(),
            event.device(),
            event.port(),
            event.detail());
      }
    }
  }

  private void show(PollBatch batch) {
    String device = batch.device();
    String collector = batch.collector();
    state.forEachPort(
        device,
        collector,
        port -> {
          PortReadings now = state.snapshot(port, collector);
          if (now != null) {
            readings.put(port, collector, now);
          }
        });
    storage.note(state, device, collector, batch.at());
  }

  private void publish(Instant now) {
    publishedNanos = System.nanoTime();
    published =
        new FabricSnapshot(
            now,
            engine.dictionary(),
            state.fabric(),
            Objects.requireNonNull(intake).plan(),
            Map.copyOf(verdicts),
            readings.snapshot(),
            schedule.statuses(),
            recent.newestFirst());
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
