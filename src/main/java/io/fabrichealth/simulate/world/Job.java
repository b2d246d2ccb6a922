package io.fabrichealth.simulate.world;

import io.fabrichealth.simulate.Draws;
import java.util.ArrayList;
import java.util.List;

/**
 * A training job: steps of computing, of a ring and of exchanges among its hosts, a checkpoint from
 * time to time after which its connections hash anew, and now and then an end.
 */
final class Job {
  private static final double RING_PART = .6;

  private final Draws draws;
  private final double period;
  private final Activity ring;
  private final Activity exchange;
  private final List<Flow> flows = new ArrayList<>();
  private double level = 1;
  private double wave;
  private double phase;
  private double changesAt;
  private double endsAt;
  private boolean isResting;
  private boolean hashesAnew;

  Job(Draws draws) {
    this.draws = draws;
    period = draws.uniform(1.2, 3);
    phase = draws.uniform(0, 1);
    ring = new Phase(Traffic.LARGE_OCTETS, 0, 1.3, .35);
    exchange = new Phase(Traffic.SMALL_OCTETS, RING_PART, 1.2, .2);
    changesAt = draws.uniform(60, 420);
    endsAt = draws.uniform(3, 30) * 3600;
  }

  private final class Phase extends Activity {
    private final double from;
    private final double busy;
    private final double quiet;

    Phase(int octets, double from, double busy, double quiet) {
      super(octets);
      this.from = from;
      this.busy = busy;
      this.quiet = quiet;
    }

    @Override
    double next(double now) {
      boolean isMine = phase >= from && phase < from + RING_PART;
      return level * wave * (isMine ? busy : quiet) * draws.uniform(.95, 1.05);
    }
  }

  /** Goes on by a step. */
  void step(double now) {
    phase = (phase + Activity.STEP / period) % 1;
    wave = 1 + .06 * Math.sin(2 * Math.PI * now / 600);
    if (now < changesAt) {
      return;
    }
    isResting = !isResting;
    if (!isResting) {
      level = 1;
      hashesAnew = true;
      changesAt = now + draws.uniform(240, 420);
    } else if (now > endsAt) {
      level = .004;
      changesAt = now + draws.uniform(60, 900);
      endsAt = now + draws.uniform(3, 30) * 3600;
    } else {
      level = .03;
      changesAt = now + draws.uniform(5, 20);
    }
  }

  /** Whether its connections are to be hashed anew; asked once. */
  boolean takeHash() {
    boolean anew = hashesAnew;
    hashesAnew = false;
    return anew;
  }

  Activity ring() {
    return ring;
  }

  Activity exchange() {
    return exchange;
  }

  List<Flow> flows() {
    return flows;
  }
}
