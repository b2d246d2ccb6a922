package io.fabrichealth.simulate.world;

/**
 * All lanes of a link err more from one moment on, both ways. Beside it stands a part number whose
 * links have always erred as much.
 */
final class RaisedErrors implements Staging {
  private static final double BASE = 2e-6;
  private static final double NOISY = 3e-6;

  @Override
  public void stage(Stage stage) {
    double factor = stage.severity().of(12, 30, 60);
    LinkModel link = stage.link(l -> l.isOptical() && stage.isSeenByBoth(l));
    for (PortModel end : stage.world().ends(link)) {
      level(end.receiver(), BASE);
    }
    stage.at(
        stage.onset(),
        now -> {
          for (PortModel end : stage.world().ends(link)) {
            level(end.receiver(), BASE * factor);
          }
        });
    stage
        .fault("PHY_LINK", link)
        .with("from", BASE)
        .with("to", BASE * factor)
        .accept("PHY_LANE")
        .tell();
    noisyPart(stage, link);
  }

  private static void noisyPart(Stage stage, LinkModel link) {
    String mine = stage.world().ends(link).getFirst().port().partNumber();
    String noisy = null;
    double seconds = stage.seconds();
    for (LinkModel other : stage.world().site().links()) {
      PortModel end = stage.world().ends(other).getFirst();
      String part = end.port().partNumber();
      if (part == null || part.equals(mine) || !other.isOptical() || !stage.isFree(other)) {
        continue;
      }
      noisy = noisy == null ? part : noisy;
      if (part.equals(noisy)) {
        stage.take(other);
        for (PortModel port : stage.world().ends(other)) {
          level(port.receiver(), NOISY * stage.draws().uniform(.6, 1.6));
        }
      }
    }
    if (noisy != null) {
      stage.makeHard();
      stage.confounder(
          2,
          stage.fabric(),
          0,
          seconds,
          "all links of part number " + noisy + " have always erred");
    }
  }

  /** Gives the lanes that bit error ratio on the mean and keeps their order. */
  static void level(Receiver receiver, double ratio) {
    double mean = 0;
    for (int lane = 0; lane < receiver.lanes(); lane++) {
      mean += receiver.laneRatio(lane) / receiver.lanes();
    }
    for (int lane = 0; lane < receiver.lanes(); lane++) {
      receiver.setLaneRatio(lane, receiver.laneRatio(lane) * ratio / mean);
    }
  }
}
