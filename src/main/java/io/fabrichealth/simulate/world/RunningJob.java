package io.fabrichealth.simulate.world;

import io.fabrichealth.collective.Collective;
import io.fabrichealth.engine.EngineInput;

/** A job on a simulated fabric, of which every few seconds a step is recorded. */
final class RunningJob {
  private static final double SHORT_SECONDS = 5;
  private static final double LONG_SECONDS = 60;
  private static final double LONG_RUN_SECONDS = 4 * 3600;
  private static final double TIME_OUT_SECONDS = 120;

  private final Stage stage;
  private final World world;
  private final double every;
  private JobModel model;
  private boolean isStopped;

  private RunningJob(Stage stage, JobModel model, double every) {
    this.stage = stage;
    this.world = stage.world();
    this.model = model;
    this.every = every;
  }

  /** Begins with the run, on all hosts. */
  static RunningJob on(Stage stage) {
    World world = stage.world();
    double every = world.scenario().seconds() > LONG_RUN_SECONDS ? LONG_SECONDS : SHORT_SECONDS;
    JobModel model = JobModel.onAllHosts(world.site(), world.draws());
    RunningJob job = new RunningJob(stage, model, every);
    job.begin(1);
    return job;
  }

  /** Another one than on all hosts. */
  static RunningJob of(Stage stage, JobModel model) {
    RunningJob job = new RunningJob(stage, model, LONG_SECONDS);
    job.begin(1);
    return job;
  }

  JobModel model() {
    return model;
  }

  private void begin(double at) {
    stage.at(
        at,
        now -> {
          world.happen(new EngineInput.Roster(world.time(now), model.roster(), false));
          JobModel mine = model;
          stage.at(now + every, then -> report(mine, then));
        });
  }

  private void report(JobModel mine, double now) {
    if (isStopped || mine != model) {
      return;
    }
    model.step(every, micros(now), of -> tell(of, now));
    stage.at(now + every, then -> report(mine, then));
  }

  private double micros(double now) {
    return world.time(now).toEpochMilli() * 1e3;
  }

  private void tell(Collective of, double now) {
    world.happen(new EngineInput.Timing(world.time(now), of));
  }

  /** A rank comes no more; after a while the others give up. Returns when that is. */
  double hang(int rank, double at) {
    stage.at(at, now -> isStopped = true);
    double given = at + TIME_OUT_SECONDS;
    stage.at(given, now -> model.timeOut(rank, micros(at), of -> tell(of, now)));
    return given;
  }

  /** The job ends and begins again in another shape. */
  void restart(JobModel as, double at) {
    stage.at(
        at,
        now -> {
          world.happen(new EngineInput.Roster(world.time(now), model.roster(), true));
          model = as;
          begin(now + every);
        });
  }

  /** The seconds between two steps that are recorded. */
  double every() {
    return every;
  }

  /** The part of the job's time that a change costs; the change is made at its time. */
  double lost(Runnable change, Runnable undo) {
    double before = model.meanStepMicros();
    change.run();
    double after = model.meanStepMicros();
    undo.run();
    return 1 - before / after;
  }

  static Truth.Subject rank(int rank) {
    return new Truth.Subject("rank", JobModel.NAME + "/" + rank);
  }

  static Truth.Subject job() {
    return new Truth.Subject("job", JobModel.NAME);
  }
}
