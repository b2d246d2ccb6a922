package io.fabrichealth.simulate.world;

import java.util.ArrayList;
import java.util.List;

/**
 * One lane gets slowly worse, in the end beyond repair. Beside it stands a link all of whose lanes
 * follow the temperature.
 */
final class DriftingLane implements Staging {
  private static final double START = 1e-4;
  private static final double BEYOND_REPAIR = 2.5e-3;
  private static final double MOST = 2e-2;
  private static final double HOUR = 3600;
  private static final double LONG_HOURS = 24;

  /** Part of a short run after which the lane is where it would be after 28 hours. */
  private static final double SHORT_PART = .6;

  /** A rise that the temperature does not make, in decades. */
  private static final double BEYOND_TEMPERATURE = .2;

  @Override
  public void stage(Stage stage) {
    List<PortModel> ends = new ArrayList<>();
    LinkModel link =
        stage.link(l -> l.isOptical() && stage.world().ends(l).stream().anyMatch(e -> tells(e)));
    stage.world().ends(link).stream().filter(e -> tells(e)).forEach(ends::add);
    PortModel receiver =
        ends.isEmpty() ? stage.world().ends(link).getFirst() : stage.draws().one(ends);
    int lane = stage.draws().index(receiver.receiver().lanes());
    double hours = (stage.seconds() - stage.onset()) / HOUR;
    double slope =
        hours >= LONG_HOURS
            ? stage.severity().of(.04, .05, .07)
            : stage.severity().of(.8, 1, 1.4)
                * Math.log10(BEYOND_REPAIR / START)
                / (SHORT_PART * hours);
    drift(stage, receiver.receiver(), lane, slope);
    boolean tellsLanes =
        receiver.device().reporting().tells(Counter.CORRECTED_BITS)
            || receiver.device().reporting().tells(Counter.SYMBOL_ERRORS)
            || receiver.device().reporting().tells(Gauge.LANE_BER);
    Stage.Telling telling =
        stage
            .fault("PHY_LANE", link)
            .alias(new Truth.Subject("lane", receiver.id() + "#" + lane))
            .with("receiver", receiver.id())
            .with("lane", lane)
            .with("decadesPerHour", slope)
            .with("tellsLanes", tellsLanes)
            .observableFrom(stage.onset() + BEYOND_TEMPERATURE / slope * HOUR);
    if (!tellsLanes) {
      telling.accept("PHY_LINK");
    }
    double first = firstUncorrectable(stage, receiver.receiver(), lane, slope);
    if (first < stage.seconds()) {
      telling.with("firstUncorrectable", stage.world().time(first).toString());
    }
    telling.tell();
    temperature(stage);
  }

  private static boolean tells(PortModel port) {
    return port.device().reporting().tells(Counter.CORRECTED_CODEWORDS);
  }

  private static double ratio(double slope, double sinceSeconds) {
    return Math.min(MOST, START * Math.pow(10, slope * sinceSeconds / HOUR));
  }

  private static void drift(Stage stage, Receiver receiver, int lane, double slope) {
    double every = Math.max(Activity.STEP, stage.pollSeconds() / 4);
    stage.at(stage.onset(), now -> step(stage, receiver, lane, slope, every, now));
  }

  private static void step(
      Stage stage, Receiver receiver, int lane, double slope, double every, double now) {
    receiver.setLaneRatio(lane, ratio(slope, now - stage.onset()));
    stage.at(now + every, again -> step(stage, receiver, lane, slope, every, again));
  }

  /** When one codeword beyond repair is to be expected. */
  private static double firstUncorrectable(Stage stage, Receiver receiver, int lane, double slope) {
    double[] ratios = new double[receiver.lanes()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = receiver.laneRatio(i);
    }
    double step = Math.max(1, (stage.seconds() - stage.onset()) / 2000);
    double expected = 0;
    double at = stage.onset();
    while (expected < 1 && at < stage.seconds()) {
      ratios[lane] = ratio(slope, at - stage.onset());
      double[] table = Receiver.table(receiver.code(), ratios);
      expected += step * receiver.codewordsPerSecond() * table[table.length - 1];
      at += step;
    }
    return at;
  }

  private static void temperature(Stage stage) {
    LinkModel link = stage.other(l -> l.isOptical() && stage.isSeenByBoth(l));
    for (PortModel end : stage.world().ends(link)) {
      RaisedErrors.level(end.receiver(), 1e-6);
      end.receiver().setDecadesPerDegree(.1);
    }
    stage.makeHard();
    stage.confounder(
        1, Stage.subject(link), 0, stage.seconds(), "all lanes follow the temperature of the day");
  }
}
