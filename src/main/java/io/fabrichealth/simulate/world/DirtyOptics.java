package io.fabrichealth.simulate.world;

import java.util.ArrayList;
import java.util.List;

/**
 * Dirt before one receiver: less light and more errors in one direction. Other modules say two
 * decibels too much or too little, as they always have.
 */
final class DirtyOptics implements Staging {
  private static final double BASE = 2e-8;
  private static final double OFF_DECIBELS = 2;
  private static final int MISCALIBRATED = 3;

  @Override
  public void stage(Stage stage) {
    double decibels = stage.severity().of(2, 3, 6);
    double factor = stage.severity().of(30, 100, 300);
    LinkModel link =
        stage.link(
            l -> l.isOptical() && stage.world().ends(l).stream().anyMatch(DirtyOptics::tells));
    List<PortModel> told = stage.world().ends(link).stream().filter(DirtyOptics::tells).toList();
    PortModel receiver = stage.draws().one(told.isEmpty() ? stage.world().ends(link) : told);
    List<Integer> lanes = lanes(stage, receiver);
    RaisedErrors.level(receiver.receiver(), BASE);
    stage.at(
        stage.onset(),
        now -> {
          for (int lane : lanes) {
            double before = receiver.receiver().laneRatio(lane);
            receiver.receiver().setLaneRatio(lane, before * factor);
            Optics optics = receiver.optics();
            if (optics != null) {
              optics.attenuate(lane, decibels * stage.draws().uniform(.9, 1.1));
            }
          }
        });
    stage
        .fault("OPTICS_CONTAMINATION", link)
        .with("receiver", receiver.id())
        .with("lanes", lanes)
        .with("decibels", decibels)
        .with("factor", factor)
        .tell();
    for (int i = 0; i < MISCALIBRATED; i++) {
      miscalibrated(stage);
    }
  }

  private static boolean tells(PortModel port) {
    Reporting reporting = port.device().reporting();
    return reporting.tells(Gauge.RX_POWER) && reporting.tellsErrorsBeforeCorrection();
  }

  /** Those of one fibre of a parallel module, or all where the whole connector is dirty. */
  private static List<Integer> lanes(Stage stage, PortModel receiver) {
    int all = receiver.receiver().lanes();
    List<Integer> lanes = new ArrayList<>();
    if (stage.draws().happens(.4)) {
      int fibre = stage.draws().index(all / 2);
      lanes.add(2 * fibre);
      lanes.add(2 * fibre + 1);
    } else {
      for (int lane = 0; lane < all; lane++) {
        lanes.add(lane);
      }
    }
    return List.copyOf(lanes);
  }

  private static void miscalibrated(Stage stage) {
    LinkModel link = stage.other(LinkModel::isOptical);
    PortModel port = stage.draws().one(stage.world().ends(link));
    Optics optics = port.optics();
    if (optics != null) {
      double off = stage.draws().happens(.5) ? OFF_DECIBELS : -OFF_DECIBELS;
      optics.setOffset(off);
      stage.makeHard();
      stage.confounder(
          5, Stage.subject(port), 0, stage.seconds(), "module reads " + off + " dB off");
    }
  }
}
