package io.fabrichealth.collect.torchdebug;

import io.fabrichealth.collect.BackOff;
import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.prometheus.PageClient;
import io.fabrichealth.collect.torchdebug.TorchDebugTarget.Worker;
import io.fabrichealth.collective.FlightRecorder;
import io.fabrichealth.collective.LiveJob;
import io.fabrichealth.collective.RankAnswer;
import io.fabrichealth.collective.recorder.DumpReading;
import io.fabrichealth.collective.recorder.RecorderValues;
import io.fabrichealth.engine.EngineInput;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Pulls the recorders of all ranks of a job, some at once, and says what they tell together. A rank
 * that does not answer is left alone for a while, and costs the others nothing.
 */
final class TorchDebugCollector implements Collector {
  static final String NAME = "torch-debug";

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final int MOST_PROBLEMS = 20;

  /** Of the interval; the rest is for the analysis. */
  private static final double PULL_SHARE = .8;

  private final TorchDebugTarget target;
  private final WorkerClient client;
  private final InstantSource clock;
  private final LiveReport.Sink sink;
  private final LiveJob live;
  private final Map<Integer, Rank> ranks = new TreeMap<>();

  private record Rank(Worker worker, BackOff backOff) {}

  TorchDebugCollector(
      TorchDebugTarget target, PageClient client, InstantSource clock, LiveReport.Sink sink) {
    this.target = target;
    this.client = new WorkerClient(client, target);
    this.clock = clock;
    this.sink = sink;
    live = new LiveJob(target.job());
    for (Worker worker : target.workers()) {
      ranks.put(worker.rank(), new Rank(worker, new BackOff(target.interval(), LONGEST_PAUSE)));
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String device() {
    return target.name();
  }

  @Override
  public String address() {
    Worker first = target.workers().getFirst();
    int others = target.workers().size() - 1;
    return others == 0 ? first.url().toString() : first.url() + " and " + others + " more";
  }

  @Override
  public Duration interval() {
    return target.interval();
  }

  @Override
  public boolean readsPorts() {
    return false;
  }

  /**
   * A rank's answer, with what went wrong.
   *
   * @param code null where nothing did
   */
  private record Asked(RankAnswer answer, @Nullable FailureCode code) {
    static Asked failed(Worker worker, List<FlightRecorder> some, FailureCode code, String why) {
      return new Asked(new RankAnswer(worker.rank(), some, why), code);
    }
  }

  @Override
  public CollectOutcome collect(Instant deadline) throws InterruptedException {
    Instant begin = clock.instant();
    long millis = Math.max(1, Duration.between(begin, deadline).toMillis());
    long end = System.nanoTime() + (long) (millis * 1e6 * PULL_SHARE);
    List<Asked> asked = ask(begin, end);
    List<RankAnswer> answers = asked.stream().map(Asked::answer).toList();
    live.take(clock.instant(), answers);
    List<Problem> problems = new ArrayList<>();
    for (Asked one : asked) {
      if (one.code() != null && problems.size() < MOST_PROBLEMS) {
        problems.add(new Problem(one.code(), String.valueOf(one.answer().problem())));
      }
    }
    explain(end + (long) (millis * 1e6 * (1 - PULL_SHARE) / 2), problems);
    int answered = (int) answers.stream().filter(answer -> answer.problem() == null).count();
    Instant at = clock.instant();
    sink.take(
        new LiveReport(
            target.name(),
            at,
            ranks.size(),
            answered,
            live.entries(),
            live.unseen(),
            live.restarts(),
            live.analysis()));
    return new CollectOutcome(
        List.of(),
        List.of(),
        List.of(),
        answered == 0 ? List.of() : List.of(found(at)),
        List.of(),
        problems,
        remarks(answered));
  }

  private EngineInput found(Instant at) {
    return new EngineInput.Analysis(
        at, target.name(), EngineInput.Analysis.LIVE, live.analysis().findings());
  }

  private List<String> remarks(int answered) {
    List<String> remarks = new ArrayList<>();
    remarks.add("%d of %d ranks answered".formatted(answered, ranks.size()));
    if (live.unseen() > 0) {
      remarks.add(
          "%,d entries left the rings between two pulls: a larger ring or a shorter interval"
              .formatted(live.unseen()));
    }
    return remarks;
  }

  private List<Asked> ask(Instant now, long end) throws InterruptedException {
    // Ranks have most values in common; kept for one pull, they cannot grow with the job's life.
    RecorderValues shared = new RecorderValues();
    Semaphore places = new Semaphore(target.parallel());
    List<Callable<Asked>> tasks = new ArrayList<>();
    for (Rank rank : ranks.values()) {
      tasks.add(
          () -> {
            places.acquire();
            try {
              return ask(rank, shared, now, end);
            } finally {
              places.release();
            }
          });
    }
    List<Asked> asked = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Asked> one : threads.invokeAll(tasks)) {
        asked.add(one.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a rank's answer could not be taken in", e.getCause());
    }
    return asked;
  }

  private Asked ask(Rank rank, RecorderValues shared, Instant now, long end)
      throws InterruptedException {
    Worker worker = rank.worker();
    String held = rank.backOff().holds(now);
    if (held != null) {
      return Asked.failed(
          worker, List.of(), FailureCode.BACK_OFF, "rank " + worker.rank() + ": " + held);
    }
    List<FlightRecorder> recorders = new ArrayList<>();
    String damage = null;
    for (String backend : target.backends()) {
      Duration limit = limit(end);
      if (limit.isZero()) {
        return Asked.failed(
            worker,
            recorders,
            FailureCode.TIMEOUT,
            "rank %d: no time was left in this pull".formatted(worker.rank()));
      }
      try {
        DumpReading reading = client.recorder(worker, backend, shared, limit);
        recorders.add(reading.recorder());
        damage = reading.reason() == null ? damage : reading.reason();
      } catch (CollectException e) {
        rank.backOff().failed(now, String.valueOf(e.getMessage()));
        return Asked.failed(worker, recorders, e.code(), String.valueOf(e.getMessage()));
      }
    }
    rank.backOff().succeeded();
    return damage == null
        ? new Asked(new RankAnswer(worker.rank(), recorders, null), null)
        : Asked.failed(
            worker,
            recorders,
            FailureCode.MALFORMED,
            "rank %d: %s".formatted(worker.rank(), damage));
  }

  private Duration limit(long end) {
    long left = Math.max(0, end - System.nanoTime());
    return Duration.ofNanos(Math.min(left, target.timeout().toNanos()));
  }

  /** Fetches where those stand that hold the job up. */
  private void explain(long end, List<Problem> problems) throws InterruptedException {
    for (int number : live.unexplained()) {
      Rank rank = ranks.get(number);
      Duration limit = limit(end);
      if (rank == null || limit.isZero()) {
        continue; // the next pull asks
      }
      try {
        live.explain(number, client.stack(rank.worker(), limit));
      } catch (CollectException e) {
        problems.add(new Problem(e.code(), "stack of " + e.getMessage()));
      }
    }
  }

  @Override
  public void close() {
    // The connections belong to all.
  }
}
