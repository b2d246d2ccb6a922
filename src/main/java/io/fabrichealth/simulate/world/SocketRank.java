package io.fabrichealth.simulate.world;

/** The job was started anew, and one rank found no RDMA: it goes over TCP. */
final class SocketRank implements Staging {
  private static final int ENOUGH = 3;

  @Override
  public void stage(Stage stage) {
    RunningJob job = RunningJob.on(stage);
    JobModel model = job.model();
    int rank = stage.draws().index(model.ranks());
    double factor = stage.severity().of(3, 6, 12);
    double lost = job.lost(() -> model.socket(rank, factor), () -> model.rdma(rank));
    stage.at(stage.onset(), now -> model.socket(rank, factor));
    stage
        .fault(
            "SOCKET_FALLBACK", new Truth.Subject("host", String.valueOf(model.place(rank).host())))
        .with("rank", rank)
        .with("lostShare", lost)
        .observableFrom(stage.onset() + ENOUGH * job.every())
        .tell();
  }
}
