package io.fabrichealth.simulate.world;

import java.util.ArrayList;
import java.util.List;

/** A link that is down for seconds, again and again. Another one is down once, as announced. */
final class FlappingLink implements Staging {
  private static final double HOUR = 3600;
  private static final double MOST_SECONDS = 60;

  @Override
  public void stage(Stage stage) {
    LinkModel link = stage.link(l -> true);
    double perHour = stage.severity().of(1.2, 2, 4);
    double least = stage.severity().of(2, 5, 15);
    double most = stage.severity().of(6, 18, MOST_SECONDS);
    List<Double> outages = new ArrayList<>();
    double at = stage.onset();
    double second = at;
    while (at < stage.seconds() - MOST_SECONDS) {
      double down = Math.rint(2 * stage.draws().uniform(least, most)) / 2;
      outages.add(down);
      flap(stage, link, at, down);
      second = outages.size() == 2 ? at + down : second;
      at += Math.max(3 * MOST_SECONDS, stage.draws().uniform(.5, 1.5) * HOUR / perHour);
    }
    stage
        .fault("LINK_FLAP", link)
        .with("downSeconds", outages)
        .with("perHour", perHour)
        .observableFrom(stage.seenAfter(outages.size() > 1 ? second : stage.onset()))
        .tell();
  }

  private static void flap(Stage stage, LinkModel link, double at, double down) {
    stage.at(at, now -> stage.world().setUp(link, false, now));
    stage.at(at + down, now -> stage.world().setUp(link, true, now));
  }
}
