package io.fabrichealth.latency;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Finds the smallest set of lossy candidates that explains which flows lost packets: the most
 * probable one under a prior for each candidate, with a rate of its own for each that is lossy and
 * one background for all links.
 *
 * <p>It adds the candidate with the highest posterior odds, sets the rates anew, and takes out what
 * the others explain by now; then it tries to exchange, to split and to join. As the background is
 * not known before the faults are, it begins with several and keeps the most probable answer. The
 * decision is by log-odds, so that it does not depend on the size of the fabric or on the number of
 * packets. The same input gives the same answer.
 */
public final class LossLocalisation {
  private static final int MOST_BACKGROUNDS = 8;
  private static final int ROUNDS = 8;
  private static final int SWEEPS = 3;
  private static final double LEVEL = 4;
  private static final int MOST_FAULTS = 256;
  private static final int MOST_EXCHANGED = 32;
  private static final double BETTER = 1e-3;
  private static final double LEAST_RIVAL = -6;
  private static final int MOST_RIVALS = 16;

  private final LossModel model;
  private final LossPrior prior;
  private final double[] logOdds;

  private LossLocalisation(FlowLosses losses, LossPrior prior) {
    model = new LossModel(losses);
    this.prior = prior;
    logOdds = prior.logOdds();
  }

  /** The candidates that are more likely lossy than not, the strongest first. */
  public static List<LossFault> faults(FlowLosses losses, LossPrior prior) {
    if (prior.logOdds().length != losses.candidates()) {
      throw new IllegalArgumentException(
          prior.logOdds().length + " priors for " + losses.candidates() + " candidates");
    }
    if (losses.totalLost() == 0) {
      return List.of();
    }
    return new LossLocalisation(losses, prior).search();
  }

  private List<LossFault> search() {
    double background = model.background();
    Answer best = from(background);
    int worse = 0;
    for (int level = 1; level < MOST_BACKGROUNDS && worse < 2; level++) {
      background /= LEVEL;
      Answer answer = from(background);
      worse = answer.score > best.score + BETTER ? 0 : worse + 1;
      best = worse == 0 ? answer : best;
    }
    return described(exchanged(best));
  }

  // --- one answer

  private record Answer(int[] faults, double[] rates, double background, double score) {}

  private Answer from(double background) {
    clear();
    model.background(background);
    return settled(new ArrayList<>(), -1);
  }

  /** Adds and takes out until nothing changes; never adds {@code banned}. */
  private Answer settled(List<Integer> faults, int banned) {
    for (int round = 0; round < ROUNDS; round++) {
      boolean isChanged = add(faults, banned);
      for (int sweep = 0; sweep < SWEEPS; sweep++) {
        isChanged |= sweep(faults);
        model.background(model.backgroundLeft());
      }
      if (!isChanged) {
        break;
      }
    }
    return answer(faults);
  }

  private Answer answer(List<Integer> faults) {
    double score = model.logLikelihood();
    double[] rates = new double[faults.size()];
    int[] candidates = new int[faults.size()];
    for (int i = 0; i < rates.length; i++) {
      candidates[i] = faults.get(i);
      rates[i] = model.rate(candidates[i]);
      RatePosterior posterior = alone(candidates[i]);
      score += logOdds[candidates[i]] + posterior.logBayes() - posterior.gain();
    }
    return new Answer(candidates, rates, model.background(), score);
  }

  private void restore(Answer answer) {
    clear();
    for (int i = 0; i < answer.faults.length; i++) {
      model.rate(answer.faults[i], answer.rates[i]);
    }
    model.background(answer.background);
  }

  private void clear() {
    for (int candidate = 0; candidate < model.candidates(); candidate++) {
      model.rate(candidate, 0);
    }
  }

  /** What is known of the rate of a candidate, as if it had none. */
  private RatePosterior alone(int candidate) {
    double rate = model.rate(candidate);
    model.rate(candidate, 0);
    RatePosterior posterior = RatePosterior.of(model, prior, candidate);
    model.rate(candidate, rate);
    return posterior;
  }

  /** Sets the rates of all faults, and drops those that are not likely any more. */
  private boolean sweep(List<Integer> faults) {
    return faults.removeIf(
        candidate -> {
          model.rate(candidate, 0);
          RatePosterior posterior = RatePosterior.of(model, prior, candidate);
          if (logOdds[candidate] + posterior.logBayes() < 0) {
            return true;
          }
          model.rate(candidate, posterior.mode());
          return false;
        });
  }

  /**
   * Adds the most likely candidate while there is one. One that is added only takes from the
   * others, so that what was computed before is a bound, and few need to be computed again.
   */
  private boolean add(List<Integer> faults, int banned) {
    PriorityQueue<Odds> queue =
        new PriorityQueue<>(
            Comparator.comparingDouble((Odds odds) -> -odds.value)
                .thenComparingInt(odds -> odds.candidate));
    for (int candidate = 0; candidate < model.candidates(); candidate++) {
      if (model.rate(candidate) == 0
          && candidate != banned
          && logOdds[candidate] + model.gainBound(candidate) > 0) {
        double odds = logOdds[candidate] + RatePosterior.of(model, prior, candidate).logBayes();
        if (odds > 0) {
          queue.add(new Odds(candidate, odds, 0));
        }
      }
    }
    int added = 0;
    while (!queue.isEmpty() && faults.size() < MOST_FAULTS) {
      Odds first = queue.remove();
      RatePosterior posterior = RatePosterior.of(model, prior, first.candidate);
      double odds = logOdds[first.candidate] + posterior.logBayes();
      Odds next = queue.peek();
      if (odds <= 0) {
        continue;
      }
      if (first.age < added && next != null && odds < next.value) {
        queue.add(new Odds(first.candidate, odds, added));
        continue;
      }
      model.rate(first.candidate, posterior.mode());
      faults.add(first.candidate);
      added++;
    }
    return added > 0;
  }

  private record Odds(int candidate, double value, int age) {}

  // --- exchange

  /**
   * Tries for each fault what explains the packets without it: another candidate, or the parts of
   * it, or nothing. Tries for each candidate that could stand for several faults whether it does.
   */
  private Answer exchanged(Answer first) {
    Answer best = first;
    for (int at = 0; at < Math.min(first.faults.length, MOST_EXCHANGED); at++) {
      int out = first.faults[at];
      if (Arrays.stream(best.faults).noneMatch(fault -> fault == out)) {
        continue;
      }
      restore(best);
      model.rate(out, 0);
      Answer without = settled(remaining(best, out), out);
      if (without.score > best.score + BETTER) {
        best = without;
      }
    }
    return best;
  }

  private static List<Integer> remaining(Answer answer, int out) {
    List<Integer> faults = new ArrayList<>();
    for (int fault : answer.faults) {
      if (fault != out) {
        faults.add(fault);
      }
    }
    return faults;
  }

  // --- result

  private List<LossFault> described(Answer answer) {
    restore(answer);
    List<LossFault> found = new ArrayList<>();
    for (int candidate : answer.faults) {
      double lost = model.explained(candidate);
      double rate = model.rate(candidate);
      model.rate(candidate, 0);
      RatePosterior own = RatePosterior.of(model, prior, candidate);
      List<LossFault.Rival> rivals = rivals(candidate, own);
      List<LossFault.Rival> weighed = new ArrayList<>();
      for (LossFault.Rival rival : rivals) {
        double nats =
            rival.logBayes() - logOthers(rivals, rival, logOdds[candidate] + own.logBayes());
        weighed.add(new LossFault.Rival(rival.candidate(), rival.logBayes(), nats));
      }
      found.add(
          new LossFault(
              candidate,
              own.logBayes(),
              own.logBayes() - logOthers(rivals, null, Double.NEGATIVE_INFINITY),
              ratio(own.mean()),
              ratio(own.low()),
              ratio(own.high()),
              lost,
              weighed));
      model.rate(candidate, rate);
    }
    found.sort(
        Comparator.comparingDouble((LossFault fault) -> -fault.logBayes())
            .thenComparingInt(LossFault::candidate));
    return found;
  }

  /** Log of the odds that it is nothing, or a rival but this one, or one of the odds given. */
  private double logOthers(
      List<LossFault.Rival> rivals, LossFault.@Nullable Rival but, double odds) {
    double most = Math.max(0, odds);
    for (LossFault.Rival rival : rivals) {
      most = Math.max(most, logOdds[rival.candidate()] + rival.logBayes());
    }
    double sum = Math.exp(-most) + Math.exp(odds - most);
    for (LossFault.Rival rival : rivals) {
      if (rival != but) {
        sum += Math.exp(logOdds[rival.candidate()] + rival.logBayes() - most);
      }
    }
    return most + Math.log(sum);
  }

  private List<LossFault.Rival> rivals(int candidate, RatePosterior own) {
    List<LossFault.Rival> rivals = new ArrayList<>();
    double enough = logOdds[candidate] + own.logBayes() + LEAST_RIVAL;
    for (int other : model.sharing(candidate)) {
      if (model.rate(other) == 0 && logOdds[other] + model.gainBound(other) > enough) {
        double bayes = RatePosterior.of(model, prior, other).logBayes();
        if (logOdds[other] + bayes > enough) {
          rivals.add(new LossFault.Rival(other, bayes, bayes));
        }
      }
    }
    rivals.sort(
        Comparator.comparingDouble(
                (LossFault.Rival rival) -> -rival.logBayes() - logOdds[rival.candidate()])
            .thenComparingInt(LossFault.Rival::candidate));
    return rivals.size() > MOST_RIVALS ? rivals.subList(0, MOST_RIVALS) : rivals;
  }

  private static double ratio(double hazard) {
    return -Math.expm1(-hazard);
  }
}
