package io.fabrichealth.simulate.world;

/** One GPU computes longer than the others, which wait for it in their collectives. */
final class SlowRank implements Staging {
  /** Reports after which a rank that is always last can be told from one that is so by chance. */
  private static final int ENOUGH = 8;

  private static final double QUIET_ERRORS = 1e-8;
  private static final double SMALL_RISE = 3;

  @Override
  public void stage(Stage stage) {
    RunningJob job = RunningJob.on(stage);
    JobModel model = job.model();
    int rank = stage.draws().index(model.ranks());
    double millis = stage.severity().of(160, 250, 400);
    double lost = job.lost(() -> model.delay(rank, millis), () -> model.delay(rank, 0));
    stage.at(stage.onset(), now -> model.delay(rank, millis));
    stage
        .fault("COMPUTE_STRAGGLER", RunningJob.rank(rank))
        .with("millisPerStep", millis)
        .with("lostShare", lost)
        .with("host", String.valueOf(model.place(rank).host()))
        .observableFrom(stage.onset() + ENOUGH * job.every())
        .tell();
    if (stage.severity() == Severity.HIGH) {
      errorsElsewhere(stage);
    }
  }

  /** At that moment the lanes of another link begin to err a little more, far from what hurts. */
  private static void errorsElsewhere(Stage stage) {
    LinkModel link = stage.other(one -> one.isOptical() && stage.isSeenByBoth(one));

    for (PortModel end : stage.world().ends(link)) {
      RaisedErrors.level(end.receiver(), QUIET_ERRORS);
    }
    stage.at(
        stage.onset(),
        now ->
            stage
                .world()
                .ends(link)
                .forEach(end -> RaisedErrors.level(end.receiver(), QUIET_ERRORS * SMALL_RISE)));
    stage.makeHard();
    stage.confounder(
        2,
        Stage.subject(link),
        stage.onset(),
        stage.seconds(),
        "errs a little more since a rank is slow");
  }
}
