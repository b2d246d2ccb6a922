package io.fabrichealth.simulate;

import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.PoissonSampler;

/** Random draws from one seeded source. */
public final class Draws {
  private static final double FEW = 12;
  private static final double MANY = 400;
  private static final int TOSSED_ONE_BY_ONE = 40;

  private final RandomGenerator random;
  private final UniformRandomProvider uniform;

  public Draws(RandomGenerator random) {
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

  /**
   * A count of independent rare events, of any mean and without a sampler's set-up: by inversion
   * where it is small, by its Cornish-Fisher expansion to the third moment where it is large.
   */
  public long count(double mean) {
    if (!(mean > 0)) {
      return 0;
    }
    if (mean < FEW) {
      double chance = random.nextDouble();
      double term = Math.exp(-mean);
      long count = 0;
      while (chance >= term && count < 200) {
        chance -= term;
        count++;
        term *= mean / count;
      }
      return count;
    }
    if (mean < MANY) {
      return poisson(mean);
    }
    double normal = random.nextGaussian();
    double count = mean + Math.sqrt(mean) * normal + (normal * normal - 1) / 6;
    return Math.max(0, Math.round(count));
  }

  /** How many of the trials succeed. */
  public long successes(long trials, double chance) {
    if (trials <= 0 || chance <= 0) {
      return 0;
    }
    if (chance >= 1) {
      return trials;
    }
    if (chance > .5) {
      return trials - successes(trials, 1 - chance);
    }
    if (trials <= TOSSED_ONE_BY_ONE) {
      long successes = 0;
      for (long trial = 0; trial < trials; trial++) {
        successes += random.nextDouble() < chance ? 1 : 0;
      }
      return successes;
    }
    double mean = trials * chance;
    if (mean < MANY) {
      return Math.min(trials, count(mean));
    }
    double drawn = random.nextGaussian(mean, Math.sqrt(mean * (1 - chance)));
    return Math.clamp(Math.round(drawn), 0, trials);
  }

  public double gaussian(double mean, double deviation) {
    return random.nextGaussian(mean, deviation);
  }

  public double uniform(double from, double to) {
    return random.nextDouble(from, to);
  }

  /** From 0 to below the bound. */
  public int index(int bound) {
    return random.nextInt(bound);
  }

  public boolean happens(double chance) {
    return random.nextDouble() < chance;
  }

  public <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  public void shuffle(List<?> list) {
    for (int i = list.size() - 1; i > 0; i--) {
      Collections.swap(list, i, random.nextInt(i + 1));
    }
  }

  /** A waiting time without memory. */
  public double waiting(double mean) {
    return -mean * Math.log(1 - random.nextDouble());
  }

  /** A length of at least 1 with that mean, without memory. */
  public long geometric(double mean) {
    return 1 + (long) (Math.log(1 - random.nextDouble()) / Math.log(1 - 1 / mean));
  }
}
