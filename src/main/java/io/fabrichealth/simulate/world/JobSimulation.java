package io.fabrichealth.simulate.world;

import io.fabrichealth.collective.JobRank;
import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.simulate.Draws;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * A job alone, without the counters of the fabric under it: for many runs in little time. The same
 * seed gives the same records.
 */
public final class JobSimulation {
  private static final String GENERATOR = "L64X128MixRandom";
  private static final String FABRIC = "F1-part";
  private static final int GROWN_STAGES = 2;
  private static final double EVERY = 5;
  private static final int STEPS_BEFORE = 24;
  private static final int STEPS_AFTER = 40;

  /** What happens to the job. */
  public enum Fault {
    NONE,
    SLOW_RANK,
    HUNG_RANK,
    SLOW_LINK,
    GROWTH
  }

  private final Draws draws;
  private final Fault fault;
  private final Site site;
  private double now;
  private String subject = "";
  private double lostShare = Double.NaN;

  public JobSimulation(Fault fault, long seed) {
    this.fault = fault;
    RandomGenerator random = RandomGeneratorFactory.of(GENERATOR).create(seed);
    draws = new Draws(random);
    Scenario scenario = Scenario.healthy(FABRIC, seed, Duration.ofHours(1), Duration.ofSeconds(30));
    site = new Site(scenario, draws);
  }

  /** Id of the rank, link or job at fault, once it has run; empty where nothing is. */
  public String subject() {
    return subject;
  }

  /** Part of the job's time that the fault costs; NaN where that is not said. */
  public double lostShare() {
    return lostShare;
  }

  /** Tells all records, in order. */
  public void run(Consumer<EngineInput> tell) {
    tell.accept(new EngineInput.Topology(time(), site.plan()));
    JobModel model =
        fault == Fault.GROWTH
            ? grown((int) draws.uniform(4, 32) & ~1)
            : JobModel.onAllHosts(site, draws);
    begin(model, tell);
    steps(model, STEPS_BEFORE, tell);
    JobModel after = strike(model, tell);
    if (fault != Fault.HUNG_RANK) {
      steps(after, STEPS_AFTER, tell);
    }
  }

  private JobModel strike(JobModel model, Consumer<EngineInput> tell) {
    int rank = draws.index(model.ranks());
    double before = model.meanStepMicros();
    switch (fault) {
      case NONE -> {}
      case SLOW_RANK -> {
        subject = JobModel.NAME + "/" + rank;
        model.delay(rank, draws.uniform(140, 500));
      }
      case HUNG_RANK -> {
        subject = JobModel.NAME + "/" + rank;
        now += EVERY;
        model.timeOut(rank, micros(), of -> tell.accept(new EngineInput.Timing(time(), of)));
      }
      case SLOW_LINK -> {
        subject = site.hostPorts().get(rank).link().id();
        model.slow(rank, draws.uniform(1.5, 4));
      }
      case GROWTH -> {
        subject = JobModel.NAME;
        tell.accept(new EngineInput.Roster(time(), model.roster(), true));
        JobModel larger = grown(model.ranks() * 2);
        begin(larger, tell);
        return larger;
      }
    }
    lostShare = 1 - before / model.meanStepMicros();
    return model;
  }

  private void begin(JobModel model, Consumer<EngineInput> tell) {
    tell.accept(new EngineInput.Roster(time(), model.roster(), false));
  }

  private void steps(JobModel model, int count, Consumer<EngineInput> tell) {
    for (int i = 0; i < count; i++) {
      now += EVERY;
      model.step(EVERY, micros(), of -> tell.accept(new EngineInput.Timing(time(), of)));
    }
  }

  /** Of as many hosts as are wanted, most of them not part of what is watched. */
  private JobModel grown(int hosts) {
    int rails = site.shape().rails();
    List<JobRank> places = new ArrayList<>();
    for (int rank = 0; rank < hosts * rails; rank++) {
      places.add(new JobRank(rank, "far-" + rank / rails, rank % rails, null));
    }
    return new JobModel(draws, places, rails, GROWN_STAGES);
  }

  private Instant time() {
    return Scenario.START.plusMillis(Math.round(now * 1e3));
  }

  private double micros() {
    return time().toEpochMilli() * 1e3;
  }
}
