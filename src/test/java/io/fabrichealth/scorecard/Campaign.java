package io.fabrichealth.scorecard;

import io.fabrichealth.engine.Engine;
import io.fabrichealth.runtime.Replay;
import io.fabrichealth.runtime.ThresholdCatalogue;
import io.fabrichealth.simulate.world.Scenario;
import io.fabrichealth.simulate.world.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs seeds, classes and severities of the simulator through the engine, in virtual time and
 * without files.
 *
 * @param classes of the benchmark
 * @param firstSeed of those that follow each other
 * @param healthyLinkDays simulated without any fault, 20 signals a port at 30 s polls
 * @param shorter runs of this length instead of the benchmark's; null for the benchmark's
 */
record Campaign(
    List<Integer> classes,
    List<Severity> severities,
    long firstSeed,
    int seeds,
    double healthyLinkDays,
    int threads,
    @Nullable Duration shorter) {

  /** The classes that counters or a job's collectives can tell. */
  static final List<Integer> ALL =
      List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 18, 19, 20, 21, 22, 23, 24, 25);

  private static final String PART = "F1-part";
  private static final double PART_LINKS = 128;
  private static final long HEALTHY_SEEDS = 1_000_000;

  /** Healthy days and the classes in which nothing is wrong. */
  private static final Set<Integer> CONFOUNDERS = Set.of(0, 17, 18, 23, 25);

  /** Classes in which hosts or the job itself are at fault, and no link is. */
  private static final Set<Integer> NOT_OF_THE_NETWORK = Set.of(12, 13, 14, 19, 21, 23);

  static boolean isConfounder(int faultClass) {
    return CONFOUNDERS.contains(faultClass);
  }

  static boolean isOfTheNetwork(int faultClass) {
    return !NOT_OF_THE_NETWORK.contains(faultClass);
  }

  private record Job(String label, Callable<ScoredRun.Result> run) {}

  /**
   * @param tell is told each run that is done
   */
  Scorecard run(Consumer<String> tell, List<PeerTable.Peer> peers, FecMargins fec)
      throws InterruptedException {
    Scorecard.Builder card = new Scorecard.Builder(this);
    List<Job> jobs = new ArrayList<>();
    for (int faultClass : classes) {
      for (Severity severity : severities) {
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
          add(jobs, scenario(faultClass, severity, seed), card, peers);
        }
      }
    }
    healthy().forEach(scenario -> add(jobs, scenario, card, peers));
    long begun = System.nanoTime();
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<Future<ScoredRun.Result>> results =
          jobs.stream().map(job -> workers.submit(job.run())).toList();
      for (int i = 0; i < results.size(); i++) {
        try {
          card.add(results.get(i).get());
          tell.accept(
              "%d of %d runs, %d s: %s"
                  .formatted(
                      i + 1,
                      results.size(),
                      (System.nanoTime() - begun) / 1_000_000_000,
                      jobs.get(i).label()));
        } catch (ExecutionException e) {
          throw new IllegalStateException(jobs.get(i).label() + " failed", e.getCause());
        }
      }
    }
    return card.build(fec);
  }

  private void add(
      List<Job> jobs, Scenario scenario, Scorecard.Builder card, List<PeerTable.Peer> peers) {
    jobs.add(
        new Job(
            "class %d %s seed %d"
                .formatted(scenario.faultClass(), scenario.severity(), scenario.seed()),
            () -> {
              PeerTable table = new PeerTable(peers);
              Engine engine = Replay.engine(ThresholdCatalogue.load());
              ScoredRun run =
                  new ScoredRun(engine, card.calibration(), table.watchers(engine.dictionary()));
              ScoredRun.Result result = run.simulated(scenario);
              card.add(table);
              return result;
            }));
  }

  private Scenario scenario(int faultClass, Severity severity, long seed) {
    Scenario whole = Scenario.of(PART, faultClass, severity, seed * 1_000 + faultClass);
    return shorter == null ? whole : whole.with(shorter, whole.poll());
  }

  /** Days of healthy fabrics. */
  private List<Scenario> healthy() {
    int runs = (int) Math.ceil(healthyLinkDays / PART_LINKS);
    return IntStream.range(0, runs)
        .mapToObj(
            run ->
                Scenario.healthy(
                    PART,
                    HEALTHY_SEEDS + firstSeed + run,
                    Duration.ofDays(1),
                    Duration.ofSeconds(30)))
        .toList();
  }
}
