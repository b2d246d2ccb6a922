package io.fabrichealth.benchmark.localise;

import io.fabrichealth.latency.FlowLosses;
import io.fabrichealth.latency.LossFault;
import io.fabrichealth.latency.LossLocalisation;
import io.fabrichealth.latency.LossPrior;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How well lossy links are found from the paths of flows alone, against votes as 007 counts them
 * and success ratios as NetBouncer solves them. Each method's settings are those that were best on
 * training traces; what is printed is of other traces, the same for all. {@code shipped} is the
 * localisation with the settings of the service.
 *
 * <p>Arguments: traces of a regime, regimes, {@link FlowSizes}, and methods if not all.
 */
public final class LocalisationBenchmark {
  private static final int TRAINING = 40;
  private static final long FIRST_TEST = 1_000;
  private static final double SHIPPED_LOG_ODDS = Math.log(1e-3);
  private static final double[] SHARES = {
    .001, .0015, .002, .003, .004, .005, .006, .008, .01, .012, .015, .02, .025, .03, .04, .05, .07,
    .1
  };
  private static final double[] LAMBDAS = {.003, .03, .3};
  private static final double[] LOG_ODDS = {-2, -3, -4, -5, -6};
  private static final double[] CUTS = {-1.5, -1, -.5, 0, .5};

  private final Regime regime;
  private final FatTreeTraces traces;

  private LocalisationBenchmark(Regime regime, FlowSizes sizes) {
    this.regime = regime;
    traces = new FatTreeTraces(8, sizes);
  }

  public static void main(String[] args) {
    int tests = args.length > 0 ? Integer.parseInt(args[0]) : 100;
    String regimes = args.length > 1 ? args[1] : "ABCDE";
    FlowSizes sizes = args.length > 2 ? FlowSizes.valueOf(args[2]) : FlowSizes.MEAN_OF_SIZES;
    System.out.println(
        "| regime | method | settings | precision | recall | F1 | mean P | mean R | F1 of means |");
    System.out.println("| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (Regime regime : Regime.values()) {
      if (regimes.contains(regime.name())) {
        new LocalisationBenchmark(regime, sizes).run(tests, args.length > 3 ? args[3] : "");
      }
    }
  }

  /** Finds links with some settings. */
  private interface Method {
    Map<String, BitSet> found(LossTrace trace);
  }

  private void run(int tests, String only) {
    Map<String, Method> methods = new TreeMap<>();
    methods.put("007", LocalisationBenchmark::votes);
    methods.put("NetBouncer", LocalisationBenchmark::netBouncer);
    methods.put("localisation", LocalisationBenchmark::localised);
    methods.put("shipped", LocalisationBenchmark::shipped);
    methods.keySet().removeIf(method -> !only.isEmpty() && !only.contains(method));
    Map<String, Map<String, Tally>> training = tallied(methods, 1, TRAINING);
    Map<String, Map<String, Tally>> tested = tallied(methods, FIRST_TEST, tests);
    for (String method : methods.keySet()) {
      String best = best(training.get(method));
      Tally tally = tested.get(method).get(best);
      System.out.printf(
          Locale.ROOT,
          "| %s | %s | %s | %.3f | %.3f | %.3f ± %.3f | %.3f | %.3f | %.3f |%n",
          regime,
          method,
          best,
          tally.precision(),
          tally.recall(),
          tally.f1(),
          tally.f1Error(),
          tally.meanPrecision(),
          tally.meanRecall(),
          tally.f1OfMeans());
    }
  }

  private Map<String, Map<String, Tally>> tallied(
      Map<String, Method> methods, long first, int count) {
    Map<String, Map<String, Tally>> tallies = new TreeMap<>();
    for (long seed = first; seed < first + count; seed++) {
      LossTrace trace = traces.trace(regime, seed);
      methods.forEach(
          (name, method) ->
              method
                  .found(trace)
                  .forEach(
                      (settings, found) ->
                          tallies
                              .computeIfAbsent(name, key -> new TreeMap<>())
                              .computeIfAbsent(settings, key -> new Tally())
                              .add(found, trace.faulty())));
    }
    return tallies;
  }

  private static String best(Map<String, Tally> tallies) {
    List<String> settings = new ArrayList<>(tallies.keySet());
    String best = settings.getFirst();
    for (String of : settings) {
      best = tallies.get(of).f1() > tallies.get(best).f1() ? of : best;
    }
    return best;
  }

  private static Map<String, BitSet> votes(LossTrace trace) {
    Map<String, BitSet> found = new TreeMap<>();
    for (double share : SHARES) {
      found.put("share " + share, Vote007.blamed(trace, share));
    }
    return found;
  }

  private static Map<String, BitSet> netBouncer(LossTrace trace) {
    Map<String, BitSet> found = new TreeMap<>();
    NetBouncerSolver solver = new NetBouncerSolver(trace);
    for (double lambda : LAMBDAS) {
      double[] losses = solver.losses(lambda);
      for (int step = 0; step <= 30; step++) {
        double least = 1e-6 * Math.pow(10, step / 6.0);
        BitSet links = new BitSet();
        for (int link = 0; link < losses.length; link++) {
          links.set(link, losses[link] > least);
        }
        found.put(String.format(Locale.ROOT, "lambda %s, loss %.1e", lambda, least), links);
      }
    }
    return found;
  }

  static FlowLosses losses(LossTrace trace) {
    FlowLosses losses = new FlowLosses(trace.candidates());
    int[] path = new int[8];
    trace.walk(
        (flow, from, to) -> {
          for (int i = from; i < to; i++) {
            path[i - from] = trace.elements()[i];
          }
          losses.add(path, 0, to - from, to - from, trace.sent()[flow], trace.lost()[flow]);
        });
    return losses;
  }

  private static Map<String, BitSet> localised(LossTrace trace) {
    Map<String, BitSet> found = new TreeMap<>();
    FlowLosses losses = losses(trace);
    for (double odds : LOG_ODDS) {
      List<LossFault> faults =
          LossLocalisation.faults(losses, LossPrior.even(trace.candidates(), odds));
      for (double cut : CUTS) {
        BitSet links = new BitSet();
        for (LossFault fault : faults) {
          if (odds + fault.nats() >= cut) {
            links.set(fault.candidate());
          }
          for (LossFault.Rival rival : fault.rivals()) {
            if (odds + rival.nats() >= cut) {
              links.set(rival.candidate());
            }
          }
        }
        found.put("prior " + odds + ", posterior " + cut, links);
      }
    }
    return found;
  }

  private static Map<String, BitSet> shipped(LossTrace trace) {
    BitSet links = new BitSet();
    LossPrior prior = LossPrior.even(trace.candidates(), SHIPPED_LOG_ODDS);
    for (LossFault fault : LossLocalisation.faults(losses(trace), prior)) {
      links.set(fault.candidate());
    }
    return Map.of("prior 1e-3", links);
  }
}
