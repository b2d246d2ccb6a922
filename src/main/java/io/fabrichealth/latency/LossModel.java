package io.fabrichealth.latency;

import io.fabrichealth.latency.FlowLosses.Choice;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The likelihood of the losses, given a rate for each candidate and a background for each link.
 *
 * <p>Rates are hazards: {@code -ln(1 - loss ratio)}, which add up along a path exactly, from 1e-7
 * to total loss. A flow of {@code n} packets of which {@code k} were lost has the log-likelihood
 * {@code k ln(1 - exp(-R)) - (n - k) R}, {@code R} being the sum along its path.
 */
final class LossModel {
  /** The ratio of packets that any link loses for no reason worth a search, if nothing tells. */
  private static final double USUAL_BACKGROUND = 1e-6;

  /** How firmly that is believed: as if so many losses had been seen at that ratio. */
  private static final double BACKGROUND_COUNT = .3;

  /** Where nothing was lost, that is no proof that nothing ever is. */
  private static final double LEAST_BACKGROUND = 2e-7;

  private final FlowLosses losses;
  private final int[] flowStart;
  private final int[] flows;
  private final byte[] times;
  private final int[] choiceStart;
  private final int[] choicesOf;
  private final double[] lostThrough;

  private final double[] rate;
  private final double[] hazard;
  private final double[][] choiceHazard;
  private double background;

  LossModel(FlowLosses losses) {
    this.losses = losses;
    int candidates = losses.candidates();
    rate = new double[candidates];
    hazard = new double[losses.lossyFlows()];
    choiceHazard = new double[losses.choices().size()][];
    lostThrough = new double[candidates];
    flowStart = new int[candidates + 1];
    int last = losses.start(losses.lossyFlows());
    flows = new int[last];
    times = new byte[last];
    indexFlows();
    choiceStart = new int[candidates + 1];
    choicesOf = indexChoices();
    background(losses.totalLost() / Math.max(1, losses.hopExposure()));
  }

  private void indexFlows() {
    for (int pass = 0; pass < 2; pass++) {
      int[] next = flowStart.clone();
      for (int flow = 0; flow < losses.lossyFlows(); flow++) {
        int to = losses.start(flow + 1);
        for (int i = losses.start(flow); i < to; ) {
          int candidate = losses.element(i);
          int from = i;
          while (i < to && losses.element(i) == candidate) {
            i++;
          }
          if (pass == 0) {
            flowStart[candidate + 1]++;
          } else {
            times[next[candidate]] = (byte) Math.min(Byte.MAX_VALUE, i - from);
            flows[next[candidate]++] = flow;
            lostThrough[candidate] += losses.lost(flow);
          }
        }
      }
      if (pass == 0) {
        cumulate(flowStart);
      }
    }
  }

  private int[] indexChoices() {
    int[] index = new int[0];
    int[] seen = new int[losses.candidates()];
    for (int pass = 0; pass < 2; pass++) {
      int[] next = choiceStart.clone();
      Arrays.fill(seen, -1);
      for (int choice = 0; choice < losses.choices().size(); choice++) {
        for (int[] path : losses.choices().get(choice).paths()) {
          for (int candidate : path) {
            if (seen[candidate] != choice) {
              seen[candidate] = choice;
              if (pass == 0) {
                choiceStart[candidate + 1]++;
              } else {
                index[next[candidate]++] = choice;
                lostThrough[candidate] += losses.choices().get(choice).lost();
              }
            }
          }
        }
      }
      if (pass == 0) {
        cumulate(choiceStart);
        index = new int[choiceStart[losses.candidates()]];
      }
    }
    return index;
  }

  private static void cumulate(int[] starts) {
    for (int i = 1; i < starts.length; i++) {
      starts[i] += starts[i - 1];
    }
  }

  double background() {
    return background;
  }

  void background(double value) {
    background = Math.max(value, LEAST_BACKGROUND);
    for (int flow = 0; flow < hazard.length; flow++) {
      double sum = background * losses.hops(flow);
      for (int i = losses.start(flow); i < losses.start(flow + 1); i++) {
        sum += rate[losses.element(i)];
      }
      hazard[flow] = sum;
    }
    for (int choice = 0; choice < choiceHazard.length; choice++) {
      Choice of = losses.choices().get(choice);
      double[] sums = new double[of.paths().length];
      for (int path = 0; path < sums.length; path++) {
        sums[path] = background * of.hops();
        for (int candidate : of.paths()[path]) {
          sums[path] += rate[candidate];
        }
      }
      choiceHazard[choice] = sums;
    }
  }

  double rate(int candidate) {
    return rate[candidate];
  }

  void rate(int candidate, double value) {
    double step = value - rate[candidate];
    if (step == 0) {
      return;
    }
    rate[candidate] = value;
    for (int i = flowStart[candidate]; i < flowStart[candidate + 1]; i++) {
      hazard[flows[i]] += times[i] * step;
    }
    for (int i = choiceStart[candidate]; i < choiceStart[candidate + 1]; i++) {
      int[][] paths = losses.choices().get(choicesOf[i]).paths();
      for (int path = 0; path < paths.length; path++) {
        choiceHazard[choicesOf[i]][path] += count(paths[path], candidate) * step;
      }
    }
  }

  private static int count(int[] path, int candidate) {
    int count = 0;
    for (int element : path) {
      count += element == candidate ? 1 : 0;
    }
    return count;
  }

  /** Packets lost by flows that cross the candidate, or may. */
  double lostThrough(int candidate) {
    return lostThrough[candidate];
  }

  double exposure(int candidate) {
    return losses.exposure(candidate);
  }

  int candidates() {
    return rate.length;
  }

  boolean hasChoices(int candidate) {
    return choiceStart[candidate] < choiceStart[candidate + 1];
  }

  /** Other candidates that a flow which lost packets crosses too, or may; sorted. */
  int[] sharing(int candidate) {
    BitSet others = new BitSet(rate.length);
    for (int i = flowStart[candidate]; i < flowStart[candidate + 1]; i++) {
      for (int j = losses.start(flows[i]); j < losses.start(flows[i] + 1); j++) {
        others.set(losses.element(j));
      }
    }
    for (int i = choiceStart[candidate]; i < choiceStart[candidate + 1]; i++) {
      Choice choice = losses.choices().get(choicesOf[i]);
      for (int[] path : choice.lost() > 0 ? choice.paths() : new int[0][]) {
        for (int other : path) {
          others.set(other);
        }
      }
    }
    others.clear(candidate);
    return others.stream().toArray();
  }

  /**
   * How much the log-likelihood grows when a candidate of rate 0 gets the rate {@code added}, or
   * one of another rate that much more.
   */
  double gain(int candidate, double added) {
    double gain = -added * losses.exposure(candidate);
    for (int i = flowStart[candidate]; i < flowStart[candidate + 1]; i++) {
      double before = hazard[flows[i]];
      gain += losses.lost(flows[i]) * (logLost(before + times[i] * added) - logLost(before));
    }
    for (int i = choiceStart[candidate]; i < choiceStart[candidate + 1]; i++) {
      gain +=
          logLikelihood(choicesOf[i], candidate, added) - logLikelihood(choicesOf[i], candidate, 0);
    }
    return gain;
  }

  /**
   * A bound of {@link #gain} over all rates, from sums alone; infinite where paths are uncertain.
   */
  double gainBound(int candidate) {
    double exposed = losses.exposure(candidate);
    double lost = lostThrough[candidate];
    if (lost == 0) {
      return 0;
    }
    if (exposed == 0 || hasChoices(candidate)) {
      return Double.POSITIVE_INFINITY;
    }
    double least = Double.POSITIVE_INFINITY;
    for (int i = flowStart[candidate]; i < flowStart[candidate + 1]; i++) {
      least = Math.min(least, hazard[flows[i]] / times[i]);
    }
    double best = lost / exposed - least;
    return best <= 0 ? 0 : lost * Math.log1p(best / least) - exposed * best;
  }

  /** The packets that the candidate's rate explains, of those that were lost. */
  double explained(int candidate) {
    double explained = 0;
    for (int i = flowStart[candidate]; i < flowStart[candidate + 1]; i++) {
      explained +=
          losses.lost(flows[i]) * Math.min(1, times[i] * rate[candidate] / hazard[flows[i]]);
    }
    for (int i = choiceStart[candidate]; i < choiceStart[candidate + 1]; i++) {
      int choice = choicesOf[i];
      Choice of = losses.choices().get(choice);
      double all = logLikelihood(choice, candidate, 0);
      for (int path = 0; of.lost() > 0 && path < of.paths().length; path++) {
        double sum = choiceHazard[choice][path];
        explained +=
            of.lost()
                * Math.exp(logLikelihood(of, path, sum) - all)
                * count(of.paths()[path], candidate)
                * rate[candidate]
                / sum;
      }
    }
    return explained;
  }

  /** The background that explains best what the candidates leave over. */
  double backgroundLeft() {
    double left = 0;
    for (int flow = 0; flow < hazard.length; flow++) {
      left += losses.lost(flow) * background * losses.hops(flow) / hazard[flow];
    }
    for (int choice = 0; choice < choiceHazard.length; choice++) {
      Choice of = losses.choices().get(choice);
      if (of.lost() > 0) {
        double all = logLikelihood(choice, -1, 0);
        for (int path = 0; path < of.paths().length; path++) {
          double sum = choiceHazard[choice][path];
          left +=
              of.lost()
                  * Math.exp(logLikelihood(of, path, sum) - all)
                  * background
                  * of.hops()
                  / sum;
        }
      }
    }
    return (BACKGROUND_COUNT + left) / (BACKGROUND_COUNT / USUAL_BACKGROUND + losses.hopExposure());
  }

  /** Of all flows, with what is believed of the background before. */
  double logLikelihood() {
    double sum =
        BACKGROUND_COUNT * (Math.log(background) - background / USUAL_BACKGROUND)
            - background * exactHopExposure();
    for (int candidate = 0; candidate < rate.length; candidate++) {
      sum -= rate[candidate] * losses.exposure(candidate);
    }
    for (int flow = 0; flow < hazard.length; flow++) {
      sum += losses.lost(flow) * logLost(hazard[flow]);
    }
    for (int choice = 0; choice < choiceHazard.length; choice++) {
      sum += logLikelihood(choice, -1, 0);
    }
    return sum;
  }

  private double exactHopExposure() {
    double sum = losses.hopExposure();
    for (Choice choice : losses.choices()) {
      sum -= choice.arrived() * choice.hops();
    }
    return sum;
  }

  private double logLikelihood(int choice, int candidate, double added) {
    Choice of = losses.choices().get(choice);
    double most = Double.NEGATIVE_INFINITY;
    double sum = 0;
    for (int path = 0; path < of.paths().length; path++) {
      double more = added == 0 ? 0 : count(of.paths()[path], candidate) * added;
      double term = logLikelihood(of, path, choiceHazard[choice][path] + more);
      if (term > most) {
        sum = sum * Math.exp(most - term) + 1;
        most = term;
      } else {
        sum += Math.exp(term - most);
      }
    }
    return most + Math.log(sum);
  }

  private static double logLikelihood(Choice of, int path, double sum) {
    double lost = of.lost() == 0 ? 0 : of.lost() * logLost(sum);
    return Math.log(of.weights()[path]) + lost - of.arrived() * sum;
  }

  /** {@code ln(1 - exp(-x))}. */
  static double logLost(double x) {
    return x < 1e-3 ? Math.log(x) - x / 2 + x * x / 24 : Math.log(-Math.expm1(-x));
  }
}
