package io.fabrichealth.simulate.world;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.SignalDictionary;
import io.fabrichealth.simulate.Draws;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A run of a simulated fabric, as one stream of what its collectors would bring, in the order in
 * which it would come: by time but for a few stragglers. Belongs to one thread; the same scenario
 * gives the same stream.
 */
public final class Simulation {
  private static final double PROBE_SECONDS = 10;
  private static final double JITTER_SECONDS = .3;
  private static final double MOST_JITTER_SECONDS = 1;
  private static final double MOST_LATE_SECONDS = 45;

  /** Part of the passes of which nothing comes that the record tells as missed. */
  private static final double TOLD_WHEN_MISSED = .5;

  private final World world;
  private final Scenario scenario;
  private final Truth truth;
  private final Reporter reporter;
  private final Prober prober;
  private final Draws draws;
  private final PriorityQueue<Due> due =
      new PriorityQueue<>(Comparator.comparingDouble(Due::at).thenComparingLong(Due::number));
  private final PriorityQueue<Coming> coming =
      new PriorityQueue<>(Comparator.comparingDouble(Coming::at).thenComparingLong(Coming::number));
  private long number;

  /**
   * Something to read.
   *
   * @param at when its counters are copied
   * @param device null for a probe
   * @param read when it answers
   * @param phase of its passes, s
   * @param pass number of the pass
   */
  private record Due(
      double at, long number, @Nullable DeviceModel device, double read, double phase, long pass) {}

  private record Coming(double at, long number, EngineInput input) {}

  private Simulation(Scenario scenario, SignalDictionary dictionary) {
    this.scenario = scenario;
    world = new World(scenario);
    draws = world.draws();
    truth = stage();
    reporter = new Reporter(dictionary, draws);
    prober = new Prober(world);
    come(0, new EngineInput.Topology(scenario.start(), world.site().plan()));
    for (DeviceModel device : world.site().devices()) {
      schedule(device, device.pollPhase(), 0);
    }
    for (int probe = 0; probe < scenario.probes(); probe++) {
      double at = draws.uniform(.1, PROBE_SECONDS);
      due.add(new Due(at, number++, null, at, at, 0));
    }
  }

  private void schedule(DeviceModel device, double phase, long pass) {
    double jitter =
        Math.clamp(draws.gaussian(0, JITTER_SECONDS), -MOST_JITTER_SECONDS, MOST_JITTER_SECONDS);
    double read = Math.max(.05, phase + pass * scenario.pollSeconds() + jitter);
    if (read < scenario.seconds()) {
      double copied = Math.max(.01, read - device.copyAge(read));
      due.add(new Due(copied, number++, device, read, phase, pass));
    }
  }

  /**
   * @throws IllegalArgumentException where the fabric has no room for the faults
   */
  public static Simulation of(Scenario scenario, SignalDictionary dictionary) {
    return new Simulation(scenario, dictionary);
  }

  private Truth stage() {
    Stage stage = new Stage(world);
    stage.begin(scenario.faultClass(), scenario.severity(), null, null);
    Faults.staging(scenario.faultClass()).stage(stage);
    for (Scenario.Wanted wanted : scenario.wanted()) {
      stage.begin(wanted.faultClass(), wanted.severity(), wanted.subject(), wanted.after());
      Faults.staging(wanted.faultClass()).stage(stage);
      stage.end();
    }
    return new Truth(
        scenario.seed(),
        scenario.faultClass(),
        Faults.name(scenario.faultClass()),
        scenario.severity().toString(),
        stage.isHard(),
        scenario.fabric(),
        scenario.flavour().toString(),
        world.site().links().size(),
        scenario.seconds(),
        scenario.pollSeconds(),
        0,
        stage.faults(),
        stage.confounders());
  }

  /** What really happens; known before the first record. */
  public Truth truth() {
    return truth;
  }

  public Scenario scenario() {
    return scenario;
  }

  /** The next record; null at the end of the run. */
  public @Nullable EngineInput next() {
    while (!due.isEmpty() && (coming.isEmpty() || coming.peek().at() >= due.peek().at())) {
      Due next = due.remove();
      world.advance(next.at());
      for (EngineInput happened : world.takeHappened()) {
        come(seconds(happened.at()), happened);
      }
      DeviceModel device = next.device();
      if (device == null) {
        probe(next);
      } else {
        read(device, next);
        schedule(device, next.phase(), next.pass() + 1);
      }
    }
    return coming.isEmpty() ? null : coming.remove().input();
  }

  private void probe(Due next) {
    come(next.at(), prober.probe(next.at()));
    double again = next.at() + PROBE_SECONDS;
    if (again < scenario.seconds()) {
      due.add(new Due(again, number++, null, again, again, 0));
    }
  }

  private void read(DeviceModel device, Due pass) {
    CollectorHabits habits = world.habits();
    double at = pass.read() + draws.uniform(.02, .3);
    if (!device.answers(pass.read()) || draws.happens(habits.missed())) {
      if (draws.happens(TOLD_WHEN_MISSED)) {
        String collector = device.reporting().collector();
        come(at, new EngineInput.Poll(PollBatch.missed(device.name(), collector, world.time(at))));
      }
      return;
    }
    Instant told =
        device.reporting().hasDeviceTime()
            ? world.time(pass.read() + device.clockOffset() + draws.gaussian(0, .01))
            : null;
    double share = draws.happens(habits.cutOff()) ? draws.uniform(.2, .9) : 1;
    PollBatch batch = reporter.read(device, pass.at(), world.time(at), told, share);
    EngineInput.Poll poll = new EngineInput.Poll(batch);
    double comes = draws.happens(habits.late()) ? at + draws.uniform(2, MOST_LATE_SECONDS) : at;
    come(comes, poll);
    if (draws.happens(habits.repeated())) {
      come(comes + draws.uniform(.05, MOST_LATE_SECONDS / 2), poll);
    }
  }

  private double seconds(Instant time) {
    return Duration.between(scenario.start(), time).toNanos() / 1e9;
  }

  private void come(double at, EngineInput input) {
    coming.add(new Coming(at, number++, input));
  }
}
