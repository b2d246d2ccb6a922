package io.fabrichealth.simulate.world;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Two leaves and two spines wait for each other in a cycle: their egresses are paused all the time
 * and nothing moves on them. Elsewhere a slow receiver pauses its leaf for some minutes.
 */
final class PauseDeadlock implements Staging {
  private static final double MICROS = 1e6;
  private static final double STORM_RATIO = .6;
  private static final int MOST_SENDERS = 12;

  /** Part of a sender's pause that each wire between its leaf and the cycle suffers. */
  private static final double PASSED_ON = .3;

  @Override
  public void stage(Stage stage) {
    World world = stage.world();
    List<Wire> cycle = cycle(stage);
    cycle.forEach(wire -> stage.take(wire.link()));
    double behind = stage.severity().of(.3, .5, .9);
    Set<Wire> victims = new LinkedHashSet<>();
    Set<Wire> passedOn = new LinkedHashSet<>();
    stage.at(
        stage.onset(),
        now -> {
          List<Flow> stuck =
              world.traffic().flows(flow -> flow.path().stream().anyMatch(cycle::contains));
          world.traffic().change(stuck, now, () -> cycle.forEach(Wire::block));
          cycle.forEach(wire -> wire.pausedMicros().addRate(.998 * MICROS, now));
          for (Flow flow : stuck) {
            if (victims.size() < MOST_SENDERS) {
              victims.add(flow.path().getFirst());
              passedOn.addAll(between(flow, cycle));
            }
          }
          victims.forEach(wire -> wire.pausedMicros().addRate(behind * MICROS, now));
          passedOn.forEach(wire -> wire.pausedMicros().addRate(behind * PASSED_ON * MICROS, now));
        });
    List<String> devices =
        cycle.stream().map(wire -> wire.from().device().name()).sorted().toList();
    String egresses =
        cycle.stream().map(wire -> wire.from().id()).sorted().collect(Collectors.joining("+"));
    stage
        .fault("PFC_DEADLOCK", new Truth.Subject("pause_domain", String.join("+", devices)))
        .alias(new Truth.Subject("pause_domain", egresses))
        .members(members(cycle))
        .with("trigger", cycle.getFirst().from().id())
        .observableFrom(stage.seenAfter(stage.onset()) + stage.pollSeconds())
        .tell();
    storm(stage);
  }

  /** What a flow passes after its leaf and before it stands. */
  private static List<Wire> between(Flow flow, List<Wire> cycle) {
    List<Wire> path = flow.path();
    int stands = 0;
    while (!cycle.contains(path.get(stands))) {
      stands++;
    }
    return path.subList(Math.min(1, stands), stands);
  }

  private static List<Truth.Subject> members(List<Wire> cycle) {
    List<Truth.Subject> members = new ArrayList<>();
    for (Wire wire : cycle) {
      members.add(Stage.subject(wire.link()));
      members.add(Stage.subject(wire.from()));
      members.add(Stage.subject(wire.from().device()));
    }
    return members;
  }

  private static List<Wire> cycle(Stage stage) {
    Site site = stage.world().site();
    DeviceModel one = stage.device(PauseDeadlock::isLeaf);
    DeviceModel other = stage.device(d -> d != one && isLeaf(d) && site.pod(d) == site.pod(one));
    List<PortModel> up = site.uplinks(one);
    PortModel toFirst = stage.draws().one(up);
    DeviceModel first = toFirst.peer().device();
    List<PortModel> upAgain =
        site.uplinks(other).stream().filter(p -> p.peer().device() != first).toList();
    PortModel toSecond = stage.draws().one(upAgain);
    DeviceModel second = toSecond.peer().device();
    return List.of(
        toFirst.out(),
        stage.draws().one(site.towards(first, other)).out(),
        toSecond.out(),
        stage.draws().one(site.towards(second, one)).out());
  }

  private static boolean isLeaf(DeviceModel device) {
    return device.isSwitch() && device.name().startsWith("leaf");
  }

  private static void storm(Stage stage) {
    PortModel port = SlowReceiver.hostEnd(stage, stage.other(Stage::isOfHost));
    double from = stage.between(.5, .6);
    double to = from + Math.min(300, .1 * stage.seconds());
    SlowReceiver.begin(stage, port, STORM_RATIO, from, to);
    stage.makeHard();
    stage.confounder(
        6,
        Stage.subject(port.device()),
        from,
        to,
        "a slow receiver pauses its leaf for a while",
        "SLOW_RECEIVER",
        "PFC_STORM");
  }
}
