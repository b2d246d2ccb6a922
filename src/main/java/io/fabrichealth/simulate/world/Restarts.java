package io.fabrichealth.simulate.world;

import io.fabrichealth.engine.EngineInput;
import java.util.function.Predicate;

/**
 * Devices restart, counters are cleared, a clock jumps: nothing is wrong. Where it is to be hard, a
 * link of a switch that has just restarted really errs.
 */
final class Restarts implements Staging {
  private static final double AWAY_SECONDS = 90;
  private static final double JUMP_SECONDS = 3600;
  private static final double BASE = 1e-7;
  private static final double FACTOR = 100;

  @Override
  public void stage(Stage stage) {
    // First, while no leaf has anything else happen to it.
    if (stage.severity() == Severity.HIGH) {
      faultAfterRestart(stage);
    }
    int times = (int) stage.severity().of(2, 4, 6);
    for (int i = 0; i < times; i++) {
      restart(stage, stage.between(.15, .8), true);
      clear(stage);
    }
    coldHost(stage);
    clockJump(stage);
  }

  /** Counters begin anew while the links stay up. */
  private static DeviceModel restart(Stage stage, double at, boolean anyDevice) {
    World world = stage.world();
    DeviceModel device = stage.device(d -> anyDevice || d.name().startsWith("leaf"));
    stage.take(device);
    stage.at(at, now -> device.silence(now + AWAY_SECONDS));
    stage.at(
        at + AWAY_SECONDS / 2,
        now -> {
          device.restart(world.time(now), now);
          world.happen(
              new EngineInput.Event(world.time(now), device.name(), null, "reboot", "warm"));
        });
    stage.confounder(
        18,
        Stage.subject(device),
        at,
        at + AWAY_SECONDS + 2 * stage.pollSeconds(),
        "warm restart",
        "DEVICE_UNREACHABLE");
    return device;
  }

  private static void clear(Stage stage) {
    World world = stage.world();
    LinkModel link = stage.other(l -> true);
    PortModel port = stage.draws().one(world.ends(link));
    boolean says = stage.draws().happens(.5);
    double at = stage.between(.1, .9);
    stage.at(
        at,
        now -> {
          port.clear(now);
          if (says) {
            port.setDiscontinuity(world.time(now).toString());
          }
        });
    stage.confounder(
        18, Stage.subject(port), at, at + stage.pollSeconds(), "counters were cleared");
  }

  private static void coldHost(Stage stage) {
    World world = stage.world();
    DeviceModel host = stage.device(d -> !d.isSwitch());
    stage.take(host);
    double at = stage.between(.2, .7);
    stage.at(
        at,
        now -> {
          host.silence(now + AWAY_SECONDS);
          host.ports().forEach(port -> world.setUp(port.link(), false, now));
        });
    stage.at(
        at + AWAY_SECONDS,
        now -> {
          host.ports().forEach(port -> world.setUp(port.link(), true, now));
          host.restart(world.time(now), now);
          world.happen(new EngineInput.Event(world.time(now), host.name(), null, "reboot", "cold"));
        });
    stage.confounder(
        18,
        Stage.subject(host),
        at,
        at + AWAY_SECONDS + 2 * stage.pollSeconds(),
        "a host restarts, its links are down meanwhile",
        "LINK_DOWN",
        "LINK_FLAP",
        "DEVICE_UNREACHABLE");
  }

  /** Not where no device tells the time: then there is no clock to see. */
  private static void clockJump(Stage stage) {
    Predicate<DeviceModel> tellsTime = d -> d.reporting().hasDeviceTime();
    if (!stage.hasDevice(tellsTime)) {
      return;
    }
    DeviceModel device = stage.device(tellsTime);
    stage.take(device);
    double at = stage.between(.2, .8);
    stage.at(at, now -> device.setClockOffset(device.clockOffset() + JUMP_SECONDS));
    stage.confounder(25, Stage.subject(device), at, stage.seconds(), "its clock jumps by an hour");
  }

  private static void faultAfterRestart(Stage stage) {
    World world = stage.world();
    double at = stage.onset() + AWAY_SECONDS;
    DeviceModel leaf = restart(stage, stage.onset(), false);
    LinkModel link =
        leaf.ports().stream()
            .map(PortModel::link)
            .filter(l -> l.isOptical() && stage.isFree(l))
            .findFirst()
            .orElseGet(() -> leaf.ports().getFirst().link());
    stage.take(link);
    world.ends(link).forEach(end -> RaisedErrors.level(end.receiver(), BASE));
    stage.at(
        at, now -> world.ends(link).forEach(e -> RaisedErrors.level(e.receiver(), BASE * FACTOR)));
    stage.makeHard();
    stage
        .fault("PHY_LINK", link)
        .from(at)
        .observableFrom(stage.seenAfter(at) + stage.pollSeconds())
        .with("from", BASE)
        .with("to", BASE * FACTOR)
        .accept("PHY_LANE")
        .tell();
  }
}
