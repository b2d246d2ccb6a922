package io.fabrichealth.simulate.world;

/**
 * An HCA's slot trains to fewer lanes, so that it cannot take a full line and pauses its leaf. A
 * planned breakout elsewhere looks like a downgrade.
 */
final class NarrowPcie implements Staging {

  @Override
  public void stage(Stage stage) {
    int lanes = (int) stage.severity().of(8, 8, 4);
    double paused = stage.severity().of(0, .08, .3);
    LinkModel link =
        stage.link(
            l ->
                Stage.isOfHost(l)
                    && SlowReceiver.hostEnd(stage, l).device().reporting().tells(Gauge.PCIE_WIDTH));
    PortModel port = SlowReceiver.hostEnd(stage, link);
    stage.take(port.device());
    stage.at(
        stage.onset(),
        now -> {
          HostSide host = port.host();
          if (host != null) {
            host.setPcieWidth(lanes);
          }
        });
    if (paused > 0) {
      SlowReceiver.begin(stage, port, paused, stage.onset(), Double.NaN);
    }
    stage
        .fault("PCIE_DOWNGRADE", Stage.subject(port.device()))
        .alias(Stage.subject(port), Stage.subject(link), Stage.subject(port.peer()))
        .observableFrom(stage.nextPoll(port.link(), stage.onset()))
        .with("port", port.id())
        .with("lanes", lanes)
        .with("pausedRatio", paused)
        .tell();
    Downgrade.breakout(stage);
  }
}
