package io.fabrichealth.collect;

import io.fabrichealth.collect.CollectOutcome.Problem;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the passes of all collectors: each on a virtual thread of its own, so that a slow target
 * delays nobody else, and so many at once at most. This is where a collector's failure becomes an
 * outcome.
 */
public final class Schedule implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Schedule.class);
  private static final int MOST_AT_ONCE = 256;
  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final Duration MOST_TO_CLOSE = Duration.ofSeconds(2);

  /** Takes what a pass of a collector brought; may block until there is room. */
  public interface Sink {
    void accept(Collector from, CollectOutcome outcome) throws InterruptedException;
  }

  private final InstantSource clock;
  private final Sink sink;
  private volatile ReadingBudget budget;
  private final Semaphore running = new Semaphore(MOST_AT_ONCE);
  private final Map<String, Runner> runners = new ConcurrentHashMap<>();
  private final ScheduledExecutorService watchdog =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("collect-watchdog").factory());

  /**
   * @param budget of each pass, for each device
   */
  public Schedule(InstantSource clock, ReadingBudget budget, Sink sink) {
    this.clock = clock;
    this.budget = budget;
    this.sink = sink;
  }

  /**
   * Runs these collectors from now on. One that runs already goes on undisturbed; one that is no
   * longer named is closed. The history of successes and failures goes on where collector and
   * device are the same.
   */
  public synchronized void replace(List<Collector> collectors) {
    Map<String, Runner> before = new HashMap<>(runners);
    int index = 0;
    for (Collector collector : collectors) {
      String key = collector.name() + " " + collector.device();
      Runner known = before.remove(key);
      if (known == null || known.collector != collector) {
        TargetRecord record = known == null ? new TargetRecord() : known.record;
        Runner runner = new Runner(collector, record, startDelay(collector, index++));
        runners.put(key, runner);
        if (known != null) {
          known.stop();
        }
        runner.start();
      }
    }
    before.forEach(
        (key, runner) -> {
          runners.remove(key);
          runner.stop();
        });
  }

  /** Spreads the first passes over a tenth of the interval, so that not all come at once. */
  private static Duration startDelay(Collector collector, int index) {
    return Duration.ofMillis(index * 37L % Math.max(1, collector.interval().toMillis() / 10));
  }

  /** From now on this is the budget of each pass. */
  public void budget(ReadingBudget changed) {
    budget = changed;
  }

  public List<TargetStatus> statuses() {
    return runners.values().stream().map(Runner::status).toList();
  }

  /** Ends all passes, and waits a little until the collectors are closed. */
  @Override
  public synchronized void close() {
    runners.values().forEach(Runner::stop);
    long end = System.nanoTime() + MOST_TO_CLOSE.toNanos();
    runners.values().forEach(runner -> runner.awaitEnd(end));
    runners.clear();
    watchdog.shutdownNow();
  }

  private final class Runner implements Runnable {
    private final Collector collector;
    private final TargetRecord record;
    private final Duration startDelay;
    private final Thread thread;
    private volatile boolean stopped;

    Runner(Collector collector, TargetRecord record, Duration startDelay) {
      this.collector = collector;
      this.record = record;
      this.startDelay = startDelay;
      thread =
          Thread.ofVirtual()
              .name("collect-" + collector.name() + "-" + collector.device())
              .unstarted(this);
    }

    void start() {
      thread.start();
    }

    void stop() {
      stopped = true;
      thread.interrupt();
    }

    void awaitEnd(long endNanos) {
      try {
        thread.join(Duration.ofNanos(Math.max(1, endNanos - System.nanoTime())));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    TargetStatus status() {
      return record.status(collector);
    }

    @Override
    public void run() {
      try (collector) {
        Thread.sleep(startDelay);
        // Not by the time of day, which may be set back.
        long next = System.nanoTime();
        while (!stopped) {
          pass();
          next += collector.interval().toNanos();
          // Late passes are not made up for: the next one covers their time.
          next = Math.max(next, System.nanoTime());
          Thread.sleep(Duration.ofNanos(next - System.nanoTime()));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void pass() throws InterruptedException {
      running.acquire();
      ReadingBudget.Limited limited;
      long began = System.nanoTime();
      try {
        limited = collectInTime();
      } finally {
        running.release();
      }
      Duration took = Duration.ofNanos(System.nanoTime() - began);
      record.note(limited, clock.instant(), took, took.compareTo(collector.interval()) > 0);
      sink.accept(collector, limited.outcome());
    }

    private ReadingBudget.Limited collectInTime() throws InterruptedException {
      Duration allowed = collector.interval();
      Instant deadline = clock.instant().plus(allowed);
      Thread self = Thread.currentThread();
      Watch watch = new Watch(self);
      ScheduledFuture<?> alarm =
          watchdog.schedule(watch, allowed.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
      try {
        return budget.limit(collector.collect(deadline));
      } catch (InterruptedException e) {
        if (!watch.hasFired()) {
          throw e;
        }
        return failed(FailureCode.TIMEOUT, "no result within " + allowed.toSeconds() + " s");
      } catch (RuntimeException | Error e) {
        log.warn(
            "outcome=failed collector={} device={} reason=internal",
            collector.name(),
            collector.device(),
            e);
        return failed(FailureCode.INTERNAL, "fault in the collector: " + e);
      } finally {
        alarm.cancel(false);
        watch.disarm();
      }
    }

    private ReadingBudget.Limited failed(FailureCode code, String message) {
      CollectOutcome missed =
          CollectOutcome.missed(
              collector.device(), collector.name(), clock.instant(), new Problem(code, message));
      return new ReadingBudget.Limited(missed, 0);
    }
  }

  /** Interrupts a pass that does not end, and only while it runs. */
  private static final class Watch implements Runnable {
    private final Thread thread;
    private boolean armed = true;
    private boolean fired;

    Watch(Thread thread) {
      this.thread = thread;
    }

    @Override
    public synchronized void run() {
      if (armed) {
        fired = true;
        thread.interrupt();
      }
    }

    synchronized boolean hasFired() {
      return fired;
    }

    /**
     * From here on the thread is not interrupted; an interrupt that came too late is taken back.
     */
    synchronized void disarm() {
      armed = false;
      if (fired) {
        Thread.interrupted();
      }
    }
  }
}
