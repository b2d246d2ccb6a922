package io.fabrichealth.simulate.world;

import io.fabrichealth.engine.EngineInput;
import io.fabrichealth.latency.ProbeSample;
import io.fabrichealth.latency.ProbeSample.Endpoint;
import io.fabrichealth.latency.ProbeSample.RoundTrip;
import io.fabrichealth.simulate.Draws;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Probes between pairs of host ports, one flow each time. */
final class Prober {
  private static final int SENT = 300;
  private static final double HOST_MICROS = 5.2;
  private static final double HOP_MICROS = .65;
  private static final int FIRST_PORT = 49_152;
  private static final int PORTS = 16_384;

  private final World world;
  private final Draws draws;

  Prober(World world) {
    this.world = world;
    draws = world.draws();
  }

  EngineInput.Probe probe(double now) {
    PortModel source = draws.one(world.site().hostPorts());
    PortModel target = draws.one(world.sendersTo(source, 8));
    List<Wire> path = world.routes().path(source, target);
    double kept = 1;
    double queued = 0;
    for (int i = 0; i < path.size(); i++) {
      Wire way = path.get(i);
      Wire back = way.to().out();
      kept *= arrives(way) * arrives(back);
      if (i + 1 < path.size()) {
        double through = 1 - way.to().device().dropRatio();
        kept *= through * through;
      }
      queued += waits(way) + waits(back);
    }
    long lost = draws.successes(SENT, 1 - kept);
    ProbeSample sample =
        new ProbeSample(
            end(source),
            end(target),
            "rping-mesh",
            FIRST_PORT + draws.index(PORTS),
            64,
            path.stream().map(wire -> wire.link().id()).toList(),
            SENT,
            lost,
            lost == SENT ? null : roundTrip(2 * path.size(), queued));
    return new EngineInput.Probe(world.time(now), sample);
  }

  private static double arrives(Wire wire) {
    if (!wire.link().isUp()) {
      return 0;
    }
    return 1 - Math.min(1, wire.lossRatio() + wire.errorRatio());
  }

  private static double waits(Wire wire) {
    double load = Math.min(.98, Math.max(0, wire.load()));
    return wire.delayMicros() + .05 * load / (1 - load);
  }

  private @Nullable RoundTrip roundTrip(int hops, double queued) {
    double least = HOST_MICROS + HOP_MICROS * hops / 2 + draws.uniform(0, .3);
    double median = least + .5 + queued + draws.uniform(0, .2);
    double p99 = median + .6 + 2 * queued + draws.uniform(0, .5);
    return new RoundTrip(
        round(least), round(median), round(p99), round(p99 + draws.waiting(1.5) + queued));
  }

  private static double round(double micros) {
    return Math.rint(micros * 100) / 100;
  }

  private static Endpoint end(PortModel port) {
    return new Endpoint(port.device().name(), port.name());
  }
}
