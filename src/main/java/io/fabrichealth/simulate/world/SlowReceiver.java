package io.fabrichealth.simulate.world;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A host that cannot take what it is sent and pauses its leaf, which pauses those that send to it.
 * On the same leaf another host is the target of many, which is congestion.
 */
final class SlowReceiver implements Staging {
  private static final double MICROS = 1e6;

  /** Part of the host's pause that each wire to its leaf suffers. */
  private static final double PASSED_ON = .3;

  @Override
  public void stage(Stage stage) {
    World world = stage.world();
    double ratio = stage.severity().of(.5, .75, .97);
    PortModel port = hostEnd(stage, stage.link(Stage::isOfHost));
    Set<LinkModel> victims = begin(stage, port, ratio, stage.onset(), Double.NaN);
    stage
        .fault("SLOW_RECEIVER", Stage.subject(port.device()))
        .alias(Stage.subject(port), Stage.subject(port.link()), Stage.subject(port.peer()))
        .members(victims.stream().map(Stage::subject).toList())
        .observableFrom(stage.nextPoll(port.link(), stage.onset()))
        .with("port", port.id())
        .with("pausedRatio", ratio)
        .accept("PFC_STORM")
        .tell();
    DeviceModel leaf = port.peer().device();
    stage.take(port.device());
    LinkModel other =
        stage.other(l -> Stage.isOfHost(l) && world.ends(l).getLast().device() == leaf);
    PortModel target = hostEnd(stage, other);
    double from = stage.onset() + Math.min(600, .1 * stage.seconds());
    double to = from + Math.min(1200, .2 * stage.seconds());
    Incast incast = new Incast(world, target, world.sendersTo(target, 6), .4, .04, .03, 1);
    stage.at(from, incast::begin);
    stage.at(to, incast::end);
    stage.makeHard();
    stage.confounder(17, Stage.subject(other), from, to, "incast on the same leaf", "CONGESTION");
  }

  static PortModel hostEnd(Stage stage, LinkModel link) {
    return stage.world().ends(link).getFirst();
  }

  /**
   * Lets a host pause its leaf.
   *
   * @param until not a number where it does not stop
   * @return links that suffer
   */
  static Set<LinkModel> begin(
      Stage stage, PortModel port, double ratio, double from, double until) {
    World world = stage.world();
    Set<Wire> upstream = new LinkedHashSet<>();
    for (Flow flow : world.traffic().flows(flow -> flow.target() == port)) {
      if (flow.path().size() > 2) {
        upstream.add(flow.path().get(flow.path().size() - 2));
      }
    }
    stage.at(from, now -> pause(world, port, upstream, ratio, now));
    if (!Double.isNaN(until)) {
      stage.at(until, now -> pause(world, port, upstream, -ratio, now));
    }
    Set<LinkModel> victims = new LinkedHashSet<>();
    upstream.forEach(wire -> victims.add(wire.link()));
    return victims;
  }

  private static void pause(
      World world, PortModel port, Set<Wire> upstream, double ratio, double now) {
    port.in().pausedMicros().addRate(ratio * MICROS, now);
    for (Wire wire : upstream) {
      wire.pausedMicros()
          .addRate(ratio * PASSED_ON / Math.max(1, upstream.size() / 4.0) * MICROS, now);
    }
    HostSide host = port.host();
    if (host != null) {
      host.outOfBuffer.addRate(300 * ratio, now);
      host.notReadyRetries.addRate(20 * ratio, now);
    }
    world
        .traffic()
        .change(
            world.traffic().flows(flow -> flow.target() == port || flow.source() == port),
            now,
            () -> port.setThroughput(ratio > 0 ? 1 - ratio : 1));
  }
}
