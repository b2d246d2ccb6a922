package io.fabrichealth.simulate.world;

import io.fabrichealth.simulate.Draws;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Many send to one for a while: its leaf's egress fills up, marks packets and pauses those that
 * send to it; few are dropped.
 */
final class Incast {
  private static final double MICROS = 1e6;

  private final World world;
  private final PortModel target;
  private final List<PortModel> senders;
  private final double load;
  private final double pause;
  private final double marked;
  private final double discardsPerSecond;
  private final List<Flow> flows = new ArrayList<>();
  private final Set<Wire> paused = new LinkedHashSet<>();
  private double markedPerSecond;

  /**
   * @param load part of the target's speed that is added
   * @param pause part of the time for which the leaf pauses each wire that brings it
   * @param marked part of the packets
   */
  Incast(
      World world,
      PortModel target,
      List<PortModel> senders,
      double load,
      double pause,
      double marked,
      double discardsPerSecond) {
    this.world = world;
    this.target = target;
    this.senders = List.copyOf(senders);
    this.load = load;
    this.pause = pause;
    this.marked = marked;
    this.discardsPerSecond = discardsPerSecond;
  }

  /** One as they happen all day. */
  static Incast everyday(World world, Draws draws) {
    PortModel target = draws.one(world.site().hostPorts());
    return new Incast(
        world,
        target,
        world.sendersTo(target, 6),
        draws.uniform(.1, .4),
        draws.uniform(.002, .03),
        draws.uniform(.005, .03),
        draws.happens(.2) ? .5 : 0);
  }

  void begin(double now) {
    double packets = load * target.in().capacity(Traffic.LARGE_OCTETS);
    for (PortModel sender : senders) {
      Flow flow = world.traffic().add(sender, target, packets / senders.size(), now);
      flows.add(flow);
      flow.path().stream().limit(flow.path().size() - 1).skip(1).forEach(paused::add);
    }
    markedPerSecond = marked * target.in().sent().packetsPerSecond();
    rates(1, now);
  }

  void end(double now) {
    rates(-1, now);
    flows.forEach(flow -> world.traffic().remove(flow, now));
    flows.clear();
    paused.clear();
  }

  private void rates(double sign, double now) {
    paused.forEach(wire -> wire.pausedMicros().addRate(sign * pause * MICROS, now));
    target.in().marked().addRate(sign * markedPerSecond, now);
    target.in().discarded().addRate(sign * discardsPerSecond, now);
    target.in().setDelayMicros(sign > 0 ? 12 : 0);
    HostSide host = target.host();
    if (host != null) {
      host.marked.addRate(sign * markedPerSecond, now);
      host.notificationsSent.addRate(sign * markedPerSecond / 3.3, now);
      host.outOfSequence.addRate(sign * discardsPerSecond, now);
    }
    for (PortModel sender : senders) {
      HostSide side = sender.host();
      if (side != null) {
        double share = sign / senders.size();
        side.notificationsHandled.addRate(share * markedPerSecond / 3.3, now);
        side.sequenceErrors.addRate(share * discardsPerSecond, now);
      }
    }
  }
}
