package io.fabrichealth.latency;

/**
 * What the flows say of the rate of one candidate, all others held: the rate is marginalised under
 * a prior that is even in its logarithm between two bounds. So a loss or two on a candidate that
 * few packets crossed weighs little, however well a rate of its own would fit it.
 *
 * @param logBayes log of the Bayes factor of "lossy at an unknown rate" against "healthy", nats
 * @param gain the log-likelihood that the best rate gains, nats
 * @param mode the best rate, a hazard
 * @param mean posterior mean of the rate
 * @param low lower end of the interval that holds the rate with a probability of .95
 * @param high its upper end
 */
record RatePosterior(
    double logBayes, double gain, double mode, double mean, double low, double high) {
  /** A candidate is lossy if it loses at least so many times what links lose anyhow. */
  private static final double ABOVE_BACKGROUND = 5;

  private static final double MOST_RATIO = .999;
  private static final double STEP = .25;
  private static final double NEGLIGIBLE = 18;

  /** Below this width of the posterior, in the logarithm of the rate, it is normal enough. */
  private static final double NARROW = .6;

  private static final double NORMAL_95 = 1.96;

  /** The candidate's rate must be 0 in the model. */
  static RatePosterior of(LossModel model, LossPrior prior, int candidate) {
    Grid grid = Grid.of(model, prior);
    int at = grid.start(model, candidate);
    double here = model.gain(candidate, grid.rate(at));
    double above =
        at + 1 < grid.steps ? model.gain(candidate, grid.rate(at + 1)) : -Double.MAX_VALUE;
    double below = at > 0 ? model.gain(candidate, grid.rate(at - 1)) : -Double.MAX_VALUE;
    while (above > here || below > here) {
      if (above > here) {
        at++;
        below = here;
        here = above;
        above = at + 1 < grid.steps ? model.gain(candidate, grid.rate(at + 1)) : -Double.MAX_VALUE;
      } else {
        at--;
        above = here;
        here = below;
        below = at > 0 ? model.gain(candidate, grid.rate(at - 1)) : -Double.MAX_VALUE;
      }
    }
    boolean isInside = at > 0 && at + 1 < grid.steps;
    double curvature = isInside ? (2 * here - above - below) / (STEP * STEP) : 0;
    return curvature > 1 / (NARROW * NARROW)
        ? normal(model, grid, candidate, Math.log(grid.rate(at)))
        : summed(model, grid, candidate, at, here);
  }

  /** Rates in even steps of their logarithm. */
  private record Grid(double least, int steps) {
    static Grid of(LossModel model, LossPrior prior) {
      double least = Math.max(prior.leastRate(), ABOVE_BACKGROUND * model.background());
      double most = -Math.log1p(-Math.min(prior.mostRate(), MOST_RATIO));
      return new Grid(least, (int) Math.max(4, Math.ceil(Math.log(most / least) / STEP)));
    }

    double rate(double step) {
      return least * Math.exp(step * STEP);
    }

    int start(LossModel model, int candidate) {
      double exposed = model.exposure(candidate) + model.lostThrough(candidate);
      double guess = model.hasChoices(candidate) ? 1e-3 : model.lostThrough(candidate) / exposed;
      double step = Math.log(Math.max(guess, least) / least) / STEP;
      return (int) Math.min(steps - 1.0, Math.rint(step));
    }
  }

  /** Laplace's approximation about the mode, which is found by parabolas. */
  private static RatePosterior normal(LossModel model, Grid grid, int candidate, double near) {
    double at = near;
    double width = STEP;
    double gain = model.gain(candidate, Math.exp(at));
    double deviation = STEP;
    for (int round = 0; round < 4; round++) {
      double above = model.gain(candidate, Math.exp(at + width));
      double below = model.gain(candidate, Math.exp(at - width));
      double bend = 2 * gain - above - below;
      if (bend <= 0) {
        break;
      }
      double step = Math.max(-1, Math.min(1, (above - below) / (2 * bend))) * width;
      deviation = width / Math.sqrt(bend);
      double moved = model.gain(candidate, Math.exp(at + step));
      if (moved > gain) {
        at += step;
        gain = moved;
      }
      width = Math.min(width, Math.max(deviation, 1e-4));
    }
    double occam = .5 * Math.log(2 * Math.PI) + Math.log(deviation / (grid.steps * STEP));
    return new RatePosterior(
        gain + occam,
        gain,
        Math.exp(at),
        Math.exp(at + deviation * deviation / 2),
        Math.exp(at - NORMAL_95 * deviation),
        Math.exp(at + NORMAL_95 * deviation));
  }

  private static RatePosterior summed(
      LossModel model, Grid grid, int candidate, int mode, double most) {
    double[] mass = new double[grid.steps];
    mass[mode] = 1;
    for (int side = -1; side <= 1; side += 2) {
      for (int at = mode + side; at >= 0 && at < grid.steps; at += side) {
        double gain = model.gain(candidate, grid.rate(at));
        if (gain < most - NEGLIGIBLE) {
          break;
        }
        mass[at] = Math.exp(gain - most);
      }
    }
    double sum = 0;
    double mean = 0;
    for (int at = 0; at < grid.steps; at++) {
      sum += mass[at];
      mean += mass[at] * grid.rate(at);
    }
    return new RatePosterior(
        most + Math.log(sum / grid.steps),
        most,
        grid.rate(mode),
        mean / sum,
        quantile(grid, mass, .025 * sum),
        quantile(grid, mass, .975 * sum));
  }

  private static double quantile(Grid grid, double[] mass, double level) {
    double below = 0;
    int at = 0;
    while (at < grid.steps - 1 && below + mass[at] < level) {
      below += mass[at++];
    }
    double within = mass[at] == 0 ? .5 : (level - below) / mass[at];
    return grid.rate(at - .5 + within);
  }
}
