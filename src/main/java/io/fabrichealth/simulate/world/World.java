package io.fabrichealth.simulate.world;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.simulate.Draws;
import io.fabrichealth.topology.Tier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.DoubleConsumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** The state of a simulated fabric, which moves on in steps of half a second. */
final class World {
  private static final String GENERATOR = "L64X128MixRandom";
  private static final double DAY = 86_400;

  private final Scenario scenario;
  private final Draws draws;
  private final Site site;
  private final Routes routes;
  private final Traffic traffic;
  private final CollectorHabits habits = new CollectorHabits();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingDouble(Event::at).thenComparingLong(Event::number));
  private final List<EngineInput> happened = new ArrayList<>();
  private long scheduled;
  private double now;

  private record Event(double at, long number, DoubleConsumer what) {}

  World(Scenario scenario) {
    this.scenario = scenario;
    RandomGenerator random = RandomGeneratorFactory.of(GENERATOR).create(scenario.seed());
    draws = new Draws(random);
    site = new Site(scenario, draws);
    routes = new Routes(site, draws);
    traffic = new Traffic(site, routes, draws);
    scheduleIncast();
  }

  private void scheduleIncast() {
    double wait = draws.waiting(DAY / site.links().size());
    at(
        now + wait,
        start -> {
          Incast incast = Incast.everyday(this, draws);
          incast.begin(start);
          at(start + 1 + draws.waiting(12), incast::end);
          scheduleIncast();
        });
  }

  /** Does something at the first step from that time on, which it is told. */
  void at(double seconds, DoubleConsumer what) {
    events.add(new Event(seconds, scheduled++, what));
  }

  /** Moves on as far as whole steps go until then. */
  void advance(double seconds) {
    while (now + Activity.STEP <= seconds) {
      now += Activity.STEP;
      while (!events.isEmpty() && events.peek().at() <= now) {
        events.remove().what().accept(now);
      }
      traffic.step(now);
    }
  }

  /** A link goes down or comes up: its flows find other ways, or wait. */
  void setUp(LinkModel link, boolean up, double at) {
    if (link.isUp() == up) {
      return;
    }
    List<Flow> flows = traffic.flows(flow -> flow.uses(link));
    boolean hasOtherWays = link.link().tier() != Tier.HOST_LEAF;
    List<PortModel> ends = ends(link);
    if (hasOtherWays) {
      link.setUp(up, at);
      traffic.hash(flows, at);
    } else {
      traffic.change(
          flows,
          at,
          () -> {
            link.setUp(up, at);
            ends.forEach(end -> end.setThroughput(up ? 1 : 0));
          });
    }
    for (PortModel end : ends) {
      happened.add(
          new EngineInput.Event(
              time(at),
              end.device().name(),
              end.name(),
              up ? "link_up" : "link_down",
              up ? "" : "loss of signal"));
    }
  }

  void happen(EngineInput input) {
    happened.add(input);
  }

  /** What happened since it was last asked, for the record. */
  List<EngineInput> takeHappened() {
    List<EngineInput> taken = List.copyOf(happened);
    happened.clear();
    return taken;
  }

  List<PortModel> ends(LinkModel link) {
    return site.ends(link);
  }

  /** Host ports on the target's rail, behind other leaves where there are any. */
  List<PortModel> sendersTo(PortModel target, int count) {
    List<PortModel> far = new ArrayList<>();
    List<PortModel> near = new ArrayList<>();
    for (PortModel port : site.hostPorts()) {
      if (port.device() != target.device()
          && port.name().equals(target.name())
          && port.link().isUp()) {
        (port.peer().device() == target.peer().device() ? near : far).add(port);
      }
    }
    List<PortModel> from = far.isEmpty() ? near : far;
    List<PortModel> senders = new ArrayList<>();
    while (senders.size() < Math.min(count, from.size())) {
      PortModel sender = draws.one(from);
      if (!senders.contains(sender)) {
        senders.add(sender);
      }
    }
    return senders;
  }

  Instant time(double seconds) {
    return scenario.start().plusNanos(Math.round(seconds * 1e3) * 1_000_000L);
  }

  double now() {
    return now;
  }

  Scenario scenario() {
    return scenario;
  }

  Draws draws() {
    return draws;
  }

  Site site() {
    return site;
  }

  Routes routes() {
    return routes;
  }

  Traffic traffic() {
    return traffic;
  }

  CollectorHabits habits() {
    return habits;
  }
}
