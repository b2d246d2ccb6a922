package io.fabrichealth.simulate.world;

/**
 * How busy something is over time: a level that holds for one step of the world, and its integral.
 * All packets are integrals of activities times weights, so that what goes into a switch comes out
 * of it.
 */
abstract class Activity {
  /** Length of a step of the world, s. */
  static final double STEP = .5;

  private final int octets;
  private double total;
  private double level;
  private double since;

  /**
   * @param octets of one of its packets, with headers and frame check
   */
  Activity(int octets) {
    this.octets = octets;
  }

  /** The level for the step that begins. */
  abstract double next(double now);

  final void step(double now) {
    total += level * (now - since);
    level = next(now);
    since = now;
  }

  final double at(double seconds) {
    return total + level * (seconds - since);
  }

  final double level() {
    return level;
  }

  final int octets() {
    return octets;
  }

  /** Always 1. */
  static Activity constant(int octets) {
    return new Activity(octets) {
      @Override
      double next(double now) {
        return 1;
      }
    };
  }
}
