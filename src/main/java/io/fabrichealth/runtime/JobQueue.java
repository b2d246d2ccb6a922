package io.fabrichealth.runtime;

import io.fabrichealth.collect.jobs.GatheredInputs;
import io.fabrichealth.runtime.JobDesk.Analysis;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Analyses one job at a time, for an analysis takes all of a job into memory. What of one job waits
 * together is analysed together, so that ranks that send their dumps at once do not cost an
 * analysis each.
 */
final class JobQueue implements AutoCloseable {
  private final Duration patience;
  private final Work work;

  /** By job, and no empty ones. */
  private final Map<String, Deque<Sent>> waiting = new HashMap<>();

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("job-analyses").factory());

  /** Analyses a job. */
  @FunctionalInterface
  interface Work {
    /**
     * @param sent in the order they came; each is to be answered
     */
    void analyze(String job, List<Sent> sent);
  }

  /**
   * Something of a job that waits for its analysis.
   *
   * @param read takes it into memory
   * @param isFresh whether what came before it is forgotten
   */
  record Sent(Supplier<GatheredInputs> read, boolean isFresh, CompletableFuture<Analysis> answer) {}

  /**
   * @param patience after which what still waits is given back
   */
  JobQueue(Duration patience, Work work) {
    this.patience = patience;
    this.work = work;
  }

  /**
   * Waits for the analysis.
   *
   * @return empty where those of others take too long
   */
  Optional<Analysis> analyze(String job, Supplier<GatheredInputs> read, boolean isFresh)
      throws UnusableJobException, InterruptedException {
    Sent sent = new Sent(read, isFresh, new CompletableFuture<>());
    synchronized (waiting) {
      waiting.computeIfAbsent(job, none -> new ArrayDeque<>()).add(sent);
    }
    thread.execute(() -> analyzeNext(job));
    try {
      try {
        return Optional.of(sent.answer.get(patience.toNanos(), TimeUnit.NANOSECONDS));
      } catch (TimeoutException tooLong) {
        return withdraw(job, sent) ? Optional.empty() : Optional.of(sent.answer.get());
      }
    } catch (ExecutionException failed) {
      throw failure(failed);
    }
  }

  private static UnusableJobException failure(ExecutionException failed) {
    Throwable cause = failed.getCause();
    if (cause instanceof UnusableJobException unusable) {
      return unusable;
    }
    if (cause instanceof RuntimeException unexpected) {
      throw unexpected;
    }
    throw new IllegalStateException("an analysis failed", failed);
  }

  /** How many wait for an analysis to begin. */
  int waiting() {
    synchronized (waiting) {
      return waiting.values().stream().mapToInt(Deque::size).sum();
    }
  }

  private boolean withdraw(String job, Sent sent) {
    synchronized (waiting) {
      Deque<Sent> others = waiting.get(job);
      if (others == null || !others.remove(sent)) {
        return false;
      }
      if (others.isEmpty()) {
        waiting.remove(job);
      }
      return true;
    }
  }

  private void analyzeNext(String job) {
    List<Sent> next = take(job);
    if (next.isEmpty()) {
      return; // an earlier one took it along
    }
    try {
      work.analyze(job, next);
    } catch (RuntimeException | Error problem) {
      next.forEach(sent -> sent.answer.completeExceptionally(problem));
    }
  }

  /** All that waits, up to what is to begin anew. */
  private List<Sent> take(String job) {
    List<Sent> taken = new ArrayList<>();
    synchronized (waiting) {
      Deque<Sent> all = waiting.getOrDefault(job, new ArrayDeque<>());
      while (!all.isEmpty() && (taken.isEmpty() || !all.peek().isFresh())) {
        taken.add(all.remove());
      }
      if (all.isEmpty()) {
        waiting.remove(job);
      }
    }
    return taken;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
