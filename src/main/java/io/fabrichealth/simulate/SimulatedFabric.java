package io.fabrichealth.simulate;

import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.PortId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The state of the simulated fabric as a function of time. It moves on in ticks of fixed length
 * when it is read, so that one seed gives one history, whoever reads it and when.
 */
final class SimulatedFabric {
  static final Duration TICK = Duration.ofMillis(250);

  private static final double TICK_SECONDS = TICK.toNanos() / 1e9;
  private static final int TICKS_PER_MEASUREMENT = 4;
  private static final double DAY_SECONDS = 86_400;
  private static final double WARMING_CELSIUS = 4;

  /** Decades of bit error ratio between the mean and the warmest time of the day. */
  private static final double WARMING_DECADES = .1;

  private static final double SLOW_LOAD = .3;
  private static final double SLOW_OUT_OF_BUFFER_PER_SECOND = 300;

  /** Part of the time that the leaf of a slow receiver pauses the spines for its sake. */
  private static final double VICTIM_PAUSE = .015;

  private final Fabric plan;
  private final DemoScript script;
  private final InstantSource clock;
  private final Instant start;
  private final Draws draws;
  private final Cabling cabling;
  private final Traffic traffic;
  private final Set<Fault> begun = new HashSet<>();
  private final ReentrantLock lock = new ReentrantLock();
  private long ticks;

  SimulatedFabric(Fabric plan, DemoScript script, RandomGenerator random, InstantSource clock) {
    this.plan = plan;
    this.script = script;
    this.clock = clock;
    start = clock.instant();
    draws = new Draws(random);
    cabling = new Cabling(plan, script, draws);
    traffic = new Traffic(cabling, draws);
  }

  /** Brings the state up to now and reads from it; nothing moves meanwhile. */
  <T> T read(Supplier<T> reader) {
    lock.lock();
    try {
      long due = Duration.between(start, clock.instant()).dividedBy(TICK);
      while (ticks < due) {
        tick();
      }
      return reader.get();
    } finally {
      lock.unlock();
    }
  }

  /** Seconds since the start that the state shows. */
  double seconds() {
    return ticks * TICK_SECONDS;
  }

  /** The time that the state shows, by the devices' own clocks. */
  Instant time() {
    return start.plus(TICK.multipliedBy(ticks));
  }

  Instant start() {
    return start;
  }

  Fabric plan() {
    return plan;
  }

  Cabling cabling() {
    return cabling;
  }

  private void tick() {
    ticks++;
    double now = seconds();
    Map<PortId, Double> throttled = new HashMap<>();
    for (Fault fault : script.faults()) {
      double since = now - fault.from().toNanos() / 1e9;
      if (since >= 0) {
        apply(fault, since, throttled);
      }
    }
    traffic.offer(now, TICK_SECONDS, throttled);
    for (Confounder confounder : script.confounders()) {
      if (confounder instanceof Confounder.Incast incast) {
        traffic.offerIncast(incast, now, TICK_SECONDS);
      }
    }
    double warm = Math.sin(2 * Math.PI * now / DAY_SECONDS);
    double errorFactor = Math.pow(10, WARMING_DECADES * warm);
    for (SimulatedLink link : cabling.links()) {
      link.advance(TICK_SECONDS, errorFactor, draws);
    }
    for (Hca hca : cabling.hcas()) {
      hca.advance(TICK_SECONDS, draws);
      long lost = hca.port().in().lostInLastTick();
      if (lost > 0) {
        hca.missPackets(lost);
        cabling.senderTo(hca).refuseSequence(lost);
      }
    }
    if (ticks % TICKS_PER_MEASUREMENT == 0) {
      for (SimulatedPort port : cabling.ports()) {
        port.module().measure(WARMING_CELSIUS * warm, draws);
      }
    }
  }

  private void apply(Fault fault, double since, Map<PortId, Double> throttled) {
    boolean begins = begun.add(fault);
    switch (fault) {
      case Fault.DirtyLane dirt -> {
        if (begins) {
          cabling.port(dirt.receiver()).in().soil(dirt);
        }
      }
      case Fault.FlappingLink flap -> {
        double period = flap.down().plus(flap.up()).toNanos() / 1e9;
        boolean up = since % period >= flap.down().toNanos() / 1e9;
        cabling.link(flap.link().id()).setUp(up, seconds());
      }
      case Fault.SlowReceiver slow -> {
        Hca hca = cabling.hca(slow.hca());
        throttled.put(slow.hca(), SLOW_LOAD);
        hca.port().in().pause(slow.pausedRatio());
        hca.runOutOfBuffer(draws.poisson(SLOW_OUT_OF_BUFFER_PER_SECOND * TICK_SECONDS));
        cabling.uplinksOf(cabling.leafOf(hca)).forEach(uplink -> uplink.down().pause(VICTIM_PAUSE));
      }
    }
  }
}
