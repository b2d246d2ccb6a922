package io.fabrichealth.simulate.world;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.topology.Port;

/**
 * A link comes up again slower and narrower than planned. Another one does so because the plan was
 * changed first.
 */
final class Downgrade implements Staging {
  private static final double RETRAINING_SECONDS = 3;

  @Override
  public void stage(Stage stage) {
    World world = stage.world();
    int divisor = (int) stage.severity().of(2, 2, 4);
    boolean isNarrower = stage.severity() != Severity.LOW;
    LinkModel link = stage.link(l -> true);
    PortModel end = world.ends(link).getFirst();
    long from = end.speed();
    int lanes = isNarrower ? end.lanes() / divisor : end.lanes();
    retrain(stage, link, stage.onset(), from / divisor, lanes);
    stage
        .fault(isNarrower ? "WIDTH_DOWNGRADE" : "SPEED_DOWNGRADE", link)
        .with("from", from)
        .with("to", from / divisor)
        .with("lanes", lanes)
        .accept("SPEED_DOWNGRADE", "WIDTH_DOWNGRADE")
        .observableFrom(stage.nextPoll(link, stage.onset() + RETRAINING_SECONDS))
        .tell();
    breakout(stage);
  }

  private static void retrain(
      Stage stage, LinkModel link, double at, long bitsPerSecond, int lanes) {
    World world = stage.world();
    stage.at(at, now -> world.setUp(link, false, now));
    stage.at(
        at + RETRAINING_SECONDS,
        now -> {
          double part = (double) bitsPerSecond / world.ends(link).getFirst().speed();
          for (PortModel port : world.ends(link)) {
            port.negotiate(bitsPerSecond, lanes);
            port.out().setBitsPerSecond(bitsPerSecond);
          }
          world.setUp(link, true, now);
          if (Stage.isOfHost(link)) {
            world
                .traffic()
                .change(
                    world.traffic().flows(flow -> flow.uses(link)),
                    now,
                    () -> world.ends(link).getFirst().setThroughput(part));
          }
        });
  }

  /** A link is split as planned: the plan changes, then the link. */
  static void breakout(Stage stage) {
    World world = stage.world();
    LinkModel link = stage.other(Stage::isOfHost);
    double at = stage.between(.4, .6);
    stage.at(
        at - RETRAINING_SECONDS,
        now -> {
          for (PortModel end : world.ends(link)) {
            world.site().replan(halved(end.port()));
          }
          PortModel leaf = world.ends(link).getLast();
          world.happen(new EngineInput.Topology(world.time(now), world.site().plan()));
          world.happen(
              new EngineInput.Event(
                  world.time(now),
                  leaf.device().name(),
                  leaf.name(),
                  "config_change",
                  "breakout 2x200G"));
        });
    Port planned = world.ends(link).getFirst().port();
    retrain(stage, link, at, planned.speedBitsPerSecond() / 2, planned.lanes() / 2);
    stage.makeHard();
    stage.confounder(
        11, Stage.subject(link), at, stage.seconds(), "planned breakout, in the topology");
  }

  private static Port halved(Port port) {
    return new Port(
        port.id(),
        port.speedBitsPerSecond() / 2,
        port.lanes() / 2,
        port.fec(),
        port.media(),
        port.partNumber(),
        port.mtu(),
        port.adminUp(),
        port.aliases());
  }
}
