package io.fabrichealth.simulate.world;

/** A rank stops and comes no more; the others wait until they give up. */
final class HungRank implements Staging {
  private static final double BEFORE_SECONDS = 40;
  private static final double DOWN_SECONDS = 3;

  @Override
  public void stage(Stage stage) {
    RunningJob job = RunningJob.on(stage);
    int rank = stage.draws().index(job.model().ranks());
    double told = job.hang(rank, stage.onset());
    stage.fault("HUNG_RANK", RunningJob.rank(rank)).with("group", "tp").observableFrom(told).tell();
    if (stage.severity() == Severity.HIGH) {
      flapBefore(stage);
    }
  }

  /** A link goes down for a moment just before, and has nothing to do with it. */
  private static void flapBefore(Stage stage) {
    World world = stage.world();
    LinkModel link = stage.other(one -> !Stage.isOfHost(one));
    double at = stage.onset() - BEFORE_SECONDS;
    stage.at(at, now -> world.setUp(link, false, now));
    stage.at(at + DOWN_SECONDS, now -> world.setUp(link, true, now));
    stage.makeHard();
    stage.confounder(
        4,
        Stage.subject(link),
        at,
        stage.seconds(),
        "went down for a moment before a rank hung",
        "LINK_DOWN",
        "LINK_FLAP");
  }
}
