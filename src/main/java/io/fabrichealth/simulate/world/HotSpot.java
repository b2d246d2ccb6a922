package io.fabrichealth.simulate.world;

import java.util.ArrayList;
import java.util.List;

/**
 * One egress of a leaf is nearly full, by senders that take what the jobs leave of it: packets are
 * marked, few are dropped; nothing is broken.
 */
final class HotSpot implements Staging {
  private static final double MARKED = .03;
  private static final int PAIRS = 8;

  @Override
  public void stage(Stage stage) {
    World world = stage.world();
    double load = stage.severity().of(.9, .95, .99);
    LinkModel link = stage.link(l -> !Stage.isOfHost(l) && isOfLeaf(world, l));
    PortModel egress = world.ends(link).getFirst();
    stage.at(stage.onset(), now -> fill(stage, egress, load, now));
    stage
        .fault("CONGESTION", link)
        .with("egress", egress.id())
        .with("load", load)
        .accept("ROUTE_COLLISION")
        .alias(new Truth.Subject("route", egress.device().name()))
        .observableFrom(stage.seenAfter(stage.onset()) + stage.pollSeconds())
        .tell();
  }

  private static boolean isOfLeaf(World world, LinkModel link) {
    return world.ends(link).getFirst().device().name().startsWith("leaf");
  }

  private static void fill(Stage stage, PortModel egress, double load, double now) {
    World world = stage.world();
    Wire wire = egress.out();
    DeviceModel leaf = egress.device();
    DeviceModel spine = egress.peer().device();
    List<PortModel> near = new ArrayList<>();
    List<PortModel> far = new ArrayList<>();
    for (PortModel port : world.site().hostPorts()) {
      boolean isNear = port.peer().device() == leaf;
      boolean reachable = !world.site().towards(spine, port.peer().device()).isEmpty();
      if (isNear) {
        near.add(port);
      } else if (reachable) {
        far.add(port);
      }
    }
    stage.draws().shuffle(near);
    stage.draws().shuffle(far);
    int pairs = Math.min(PAIRS, Math.min(near.size(), far.size()));
    double capacity = wire.capacity(Traffic.LARGE_OCTETS);
    Activity rest = rest(wire, load);
    world.traffic().add(rest);
    for (int pair = 0; pair < pairs; pair++) {
      PortModel source = near.get(pair);
      PortModel target = far.get(pair);
      PortModel down = stage.draws().one(world.site().towards(spine, target.peer().device()));
      List<Wire> path = List.of(source.out(), wire, down.out(), target.in());
      world.traffic().add(source, target, rest, path, capacity / pairs, now);
      mark(source, target, MARKED * load * capacity / pairs, now);
    }
    wire.marked().addRate(MARKED * load * capacity, now);
    wire.setDelayMicros(15);
  }

  /** What is left of the load, as part of the wire's capacity. */
  private static Activity rest(Wire wire, double load) {
    return new Activity(Traffic.LARGE_OCTETS) {
      @Override
      double next(double now) {
        return Math.clamp(level() + load - wire.load(), 0, load);
      }
    };
  }

  private static void mark(PortModel source, PortModel target, double marks, double now) {
    HostSide from = source.host();
    HostSide to = target.host();
    if (from != null && to != null) {
      to.marked.addRate(marks, now);
      to.notificationsSent.addRate(marks / 3.3, now);
      from.notificationsHandled.addRate(marks / 3.3, now);
    }
  }
}
