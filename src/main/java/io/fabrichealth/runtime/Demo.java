package io.fabrichealth.runtime;

import io.fabrichealth.simulate.DemoFabric;
import io.fabrichealth.simulate.DemoScript;
import java.time.InstantSource;

/** A simulated fabric on loopback, for commands that run without the service. */
public final class Demo implements AutoCloseable {
  static final long SEED = 20_260_301;

  private final DemoFabric fabric;

  private Demo(DemoFabric fabric) {
    this.fabric = fabric;
  }

  /**
   * Starts its agents and exporters.
   *
   * @throws java.io.UncheckedIOException where a socket cannot be had
   */
  public static Demo start(InstantSource clock) {
    return new Demo(DemoFabric.start(DemoScript.standard(), SEED, clock));
  }

  /** The settings with its agents and exporters as further targets. */
  public Settings addTo(Settings settings) {
    return new DemoTargets(fabric).addTo(settings);
  }

  @Override
  public void close() {
    fabric.close();
  }
}
