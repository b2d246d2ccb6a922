package io.fabrichealth.simulate.world;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.topology.Scope;
import java.util.ArrayList;
import java.util.List;

/** A link that is down for seconds, again and again. Another one is down once, as announced. */
final class FlappingLink implements Staging {
  private static final double HOUR = 3600;
  private static final double MOST_SECONDS = 60;
  private static final double WORK_SECONDS = 120;

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
    announcedWork(stage);
  }

  private static void announcedWork(Stage stage) {
    World world = stage.world();
    LinkModel link = stage.other(l -> true);
    double begins = stage.between(.35, .5);
    double down = Math.min(600, .1 * stage.seconds());
    double ends = begins + down + WORK_SECONDS;
    world.at(
        begins - WORK_SECONDS,
        now ->
            world.happen(
                new EngineInput.Maintenance(
                    world.time(now),
                    "work-1",
                    new Scope(List.of(), List.of(), List.of(link.id())),
                    world.time(begins - WORK_SECONDS / 2),
                    world.time(ends),
                    "module is replaced")));
    flap(stage, link, begins, down);
    stage.makeHard();
    stage.confounder(
        4,
        Stage.subject(link),
        begins,
        ends,
        "down in an announced maintenance window",
        "LINK_DOWN",
        "LINK_FLAP");
  }

  private static void flap(Stage stage, LinkModel link, double at, double down) {
    stage.at(at, now -> stage.world().setUp(link, false, now));
    stage.at(at + down, now -> stage.world().setUp(link, true, now));
  }
}
