package io.fabrichealth.simulate.world;

/** The clocks of half the hosts are wrong and run away; the job is as fast as ever. */
final class SkewedClocks implements Staging {

  @Override
  public void stage(Stage stage) {
    RunningJob job = RunningJob.on(stage);
    JobModel model = job.model();
    double millis = stage.severity().of(20, 50, 200);
    for (int rank = 0; rank < model.ranks(); rank++) {
      int host = rank / stage.world().site().shape().rails();
      if (host % 2 == 1) {
        model.clock(rank, host % 4 == 1 ? millis : -millis, host % 4 == 1 ? 30 : -30);
      }
    }
    if (stage.severity() == Severity.HIGH) {
      model.withoutDurations();
    }
    stage.confounder(
        23, RunningJob.job(), 0, stage.seconds(), "clocks of half the hosts are wrong");
  }
}
