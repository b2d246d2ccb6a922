package io.fabrichealth.runtime;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.signal.PollBatch;
import io.fabrichealth.signal.Quality;
import io.fabrichealth.signal.SignalDictionary;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Reads each target once, and says what can be seen of it and what cannot. */
public final class TargetTrial {
  private static final int MOST_AT_ONCE = 64;
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final InstantSource clock;
  private final Duration limit;
  private final SignalDictionary dictionary = SignalCatalogue.load();

  /**
   * @param limit for one target
   */
  public TargetTrial(InstantSource clock, Duration limit) {
    this.clock = clock;
    this.limit = limit;
  }

  /**
   * What came of one target.
   *
   * @param target name of the device, or of a target that tells of many
   * @param devices that it told of
   * @param ports that it told of
   * @param families families of signals that gave a value, with the number of ports that did
   * @param unreadable families that gave none, with a reason that was given
   * @param failure the gravest problem; null where the pass was complete
   */
  public record Result(
      String target,
      String collector,
      boolean reached,
      int devices,
      int ports,
      int probes,
      Map<String, Integer> families,
      Map<String, String> unreadable,
      @Nullable FailureCode failure,
      @Nullable String message) {
    public Result {
      families = Map.copyOf(families);
      unreadable = Map.copyOf(unreadable);
    }
  }

  /** Families of signals that there are. */
  public List<String> families() {
    return dictionary.signals().stream()
        .map(signal -> signal.family())
        .distinct()
        .sorted()
        .toList();
  }

  /**
   * Reads all targets, some at a time.
   *
   * @param done is told how many are done, from several threads
   */
  public List<Result> run(Settings settings, IntConsumer done) throws InterruptedException {
    Semaphore places = new Semaphore(MOST_AT_ONCE);
    AtomicInteger ready = new AtomicInteger();
    try (CollectorFactory factory = new CollectorFactory(dictionary, clock, new LiveJobs());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Result>> tasks = new ArrayList<>();
      for (Collector collector : factory.create(settings)) {
        tasks.add(
            () -> {
              places.acquire();
              try (collector) {
                return attempt(collector);
              } finally {
                places.release();
                done.accept(ready.incrementAndGet());
              }
            });
      }
      List<Result> results = new ArrayList<>();
      for (Future<Result> result : threads.invokeAll(tasks)) {
        results.add(result.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a collector failed", e.getCause());
    }
  }

  /** One pass; more of them where a stream has nothing yet, as long as there is time. */
  private Result attempt(Collector collector) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    CollectOutcome outcome = pass(collector, end);
    while (collector.readsPorts()
        && outcome.readings() == 0
        && outcome.problems().isEmpty()
        && end - System.nanoTime() > PAUSE.toNanos()) {
      Thread.sleep(PAUSE);
      outcome = pass(collector, end);
    }
    return result(collector, outcome);
  }

  private CollectOutcome pass(Collector collector, long end) throws InterruptedException {
    Duration left = Duration.ofNanos(end - System.nanoTime());
    try {
      return collector.collect(clock.instant().plus(left));
    } catch (RuntimeException e) {
      return CollectOutcome.missed(
          collector.device(),
          collector.name(),
          clock.instant(),
          new Problem(FailureCode.INTERNAL, "fault in the collector: " + e));
    }
  }

  private Result result(Collector collector, CollectOutcome outcome) {
    Map<String, Set<String>> seen = new TreeMap<>();
    Map<String, String> unreadable = new TreeMap<>();
    int ports = 0;
    for (PollBatch batch : outcome.batches()) {
      ports += (int) batch.ports().stream().filter(port -> !port.isEmpty()).count();
      for (int reading = 0; reading < batch.size(); reading++) {
        String family = dictionary.signal(batch.signal(reading)).family();
        Quality quality = batch.quality(reading);
        if (quality.hasValue()) {
          String port = batch.ports().get(batch.portIndex(reading));
          seen.computeIfAbsent(family, unseen -> new HashSet<>()).add(batch.device() + ":" + port);
        } else if (quality == Quality.UNREADABLE) {
          String reason = batch.reason(reading);
          unreadable.putIfAbsent(family, reason == null ? "no reason given" : reason);
        }
      }
    }
    unreadable.keySet().removeAll(seen.keySet());
    Map<String, Integer> families = new TreeMap<>();
    seen.forEach((family, of) -> families.put(family, of.size()));
    Problem gravest = outcome.problems().isEmpty() ? null : outcome.problems().getFirst();
    return new Result(
        collector.device(),
        collector.name(),
        outcome.readings() > 0
            || !outcome.probes().isEmpty()
            || (!collector.readsPorts() && outcome.problems().isEmpty()),
        (int) outcome.batches().stream().filter(batch -> batch.size() > 0).count(),
        ports,
        outcome.probes().size(),
        families,
        unreadable,
        gravest == null ? null : gravest.code(),
        gravest == null ? null : gravest.message());
  }
}
