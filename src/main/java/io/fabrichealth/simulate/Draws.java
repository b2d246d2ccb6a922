package io.fabrichealth.simulate;

import java.util.random.RandomGenerator;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;

/** Random draws from one seeded source. */
final class Draws {
  private final RandomGenerator random;
  private final UniformRandomProvider uniform;

  Draws(RandomGenerator random) {
    this.random = random;
    this.uniform = random::nextLong;
  }

  /**
   * A count of independent rare events.
   *
   * @param mean from 0 to 1e9
   */
  long poisson(double mean) {
    return mean <= 0 ? 0 : PoissonSampler.of(uniform, mean).sample();
  }

  double gaussian(double mean, double deviation) {
    return random.nextGaussian(mean, deviation);
  }

  double uniform(double from, double to) {
    return random.nextDouble(from, to);
  }

  /** A length of at least 1 with that mean, without memory. */
  long geometric(double mean) {
    return 1 + (long) (Math.log(1 - random.nextDouble()) / Math.log(1 - 1 / mean));
  }
}
