package io.fabrichealth.incident.internal;

import io.fabrichealth.incident.Incident;
import io.fabrichealth.incident.internal.IncidentTable.Conflict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;

/**
 * The way of incidents to the database: journal on disk first, then one thread that writes, however
 * long the database is away. Nothing is dropped: an incident stays here and in the journal until
 * the database has it.
 *
 * <p>Of each incident only the latest version waits. Where the journal has no room or the disk
 * fails, incidents wait in memory alone, which is logged and counted.
 */
final class WriteBehind implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WriteBehind.class);
  private static final int BATCH = 200;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);
  private static final Duration LAST_CHANCE = Duration.ofSeconds(5);

  private final IncidentTable table;
  private final IncidentJournal journal;
  private final InstantSource clock;
  private final Consumer<Conflict> onConflict;
  private final Thread writer = new Thread(this::run, "incident-writer");

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<UUID, Incident> waiting = new LinkedHashMap<>();

  /** Whether something waits that is not in the journal. */
  private boolean journalBehind;

  private boolean closing;
  private volatile long lastWriteMillis;

  private final Counter writeFailures;
  private final Counter journalFailures;
  private final Counter rejected;

  /**
   * @param onConflict told, on the writer's thread, what the database has in place of what was to
   *     be written; what it makes of it comes by {@link #put}
   */
  WriteBehind(
      IncidentTable table,
      IncidentJournal journal,
      InstantSource clock,
      MeterRegistry meters,
      Consumer<Conflict> onConflict) {
    this.table = table;
    this.journal = journal;
    this.clock = clock;
    this.onConflict = onConflict;
    writeFailures =
        Counter.builder("fabric.incident.write.failures")
            .description("Attempts to write incidents to the database that failed")
            .register(meters);
    journalFailures =
        Counter.builder("fabric.incident.journal.failures")
            .description(
                "Attempts to write the journal that failed; those incidents wait in memory")
            .register(meters);
    rejected =
        Counter.builder("fabric.incident.rejected")
            .description("Incidents that the database refused for their content")
            .register(meters);
    Gauge.builder("fabric.incident.journal.entries", this, WriteBehind::size)
        .description("Incidents that wait for the database")
        .register(meters);
    Gauge.builder("fabric.incident.journal.bytes", this, WriteBehind::journalBytes)
        .baseUnit("bytes")
        .description("Size of the journal on disk")
        .register(meters);
    TimeGauge.builder(
            "fabric.incident.last.write.timestamp",
            this,
            TimeUnit.MILLISECONDS,
            self -> self.lastWriteMillis)
        .description("When incidents were last written to the database; 0 before the first time")
        .register(meters);
  }

  /**
   * Begins to write.
   *
   * @param left what an earlier process did not get into the database
   */
  void start(Collection<Incident> left) {
    lock.lock();
    try {
      left.forEach(incident -> waiting.put(incident.id(), incident));
      rewriteJournal();
    } finally {
      lock.unlock();
    }
    writer.setDaemon(true);
    writer.start();
  }

  /** Takes incidents to be written; on return they are on disk, where the disk takes them. */
  void put(Collection<Incident> incidents) {
    lock.lock();
    try {
      incidents.forEach(incident -> waiting.put(incident.id(), incident));
      if (!journalBehind) {
        appendToJournal(incidents);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** What the database does not have yet. */
  List<Incident> waiting() {
    lock.lock();
    try {
      return List.copyOf(waiting.values());
    } finally {
      lock.unlock();
    }
  }

  @Nullable Incident waiting(UUID id) {
    lock.lock();
    try {
      return waiting.get(id);
    } finally {
      lock.unlock();
    }
  }

  /** Gives the database a last chance of 5 seconds; the journal keeps what it does not take. */
  @Override
  public void close() {
    lock.lock();
    try {
      closing = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      writer.join(LAST_CHANCE);
      if (writer.isAlive()) {
        writer.interrupt();
        writer.join(LAST_CHANCE);
      }
      int left = size();
      if (left > 0) {
        log.warn("incident-writer=closed waiting={} reason=\"kept in the journal\"", left);
      }
      journal.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      journalFailures.increment();
      log.warn("incident-journal=failed action=close reason=\"{}\"", e.toString());
    }
  }

  private void run() {
    Duration pause = FIRST_PAUSE;
    try {
      for (List<Incident> batch = next(); !batch.isEmpty(); batch = next()) {
        if (write(batch)) {
          pause = FIRST_PAUSE;
          continue;
        }
        if (isClosing()) {
          return;
        }
        log.warn("incident-writer=waiting entries={} retry-in={}ms", size(), pause.toMillis());
        pause(pause);
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The next to be written; waits for some. Empty when closing and done. */
  private List<Incident> next() throws InterruptedException {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closing) {
        changed.await();
      }
      return waiting.values().stream().limit(BATCH).toList();
    } finally {
      lock.unlock();
    }
  }

  /** False where the database is away. */
  private boolean write(List<Incident> batch) {
    RuntimeException refused = attempt(batch);
    if (refused == null) {
      return true;
    }
    if (!isRefusal(refused)) {
      log.warn("incident-writer=failed entries={} reason=\"{}\"", batch.size(), oneLine(refused));
      return false;
    }
    if (batch.size() > 1) {
      // One that the database refuses must not keep back the others.
      return batch.stream().map(List::of).allMatch(this::write);
    }
    // A race for the fingerprint shows as a conflict when it is tried again.
    RuntimeException again = attempt(batch);
    if (again != null && isRefusal(again)) {
      reject(batch.getFirst(), again);
      return true;
    }
    return again == null;
  }

  private @Nullable RuntimeException attempt(List<Incident> batch) {
    try {
      written(batch, table.write(batch));
      return null;
    } catch (RuntimeException e) {
      writeFailures.increment();
      return e;
    }
  }

  /** Whether it is the content's fault, so that waiting does not help. */
  private static boolean isRefusal(RuntimeException e) {
    return e instanceof DataIntegrityViolationException || !(e instanceof DataAccessException);
  }

  private void reject(Incident incident, RuntimeException reason) {
    rejected.increment();
    log.error(
        "incident={} outcome=rejected reason=\"{}\" content={}",
        incident.id(),
        oneLine(reason),
        IncidentJson.line(incident));
    written(List.of(incident), List.of());
  }

  private void written(List<Incident> batch, List<Conflict> conflicts) {
    // First, so that what comes of a conflict is in the journal before the entry leaves it.
    conflicts.forEach(onConflict);
    lock.lock();
    try {
      batch.forEach(incident -> waiting.remove(incident.id(), incident));
      lastWriteMillis = clock.millis();
      if (waiting.isEmpty()) {
        clearJournal();
      } else if (journalBehind) {
        rewriteJournal();
      }
    } finally {
      lock.unlock();
    }
  }

  private void appendToJournal(Collection<Incident> incidents) {
    try {
      journal.append(incidents);
    } catch (IncidentJournal.FullException e) {
      // Most lines are outdated by later ones of the same incident.
      rewriteJournal();
    } catch (IOException e) {
      journalFailed(e);
    }
  }

  private void rewriteJournal() {
    try {
      journal.rewrite(waiting.values());
      journalBehind = false;
    } catch (IOException e) {
      journalFailed(e);
    }
  }

  private void clearJournal() {
    try {
      journal.clear();
      journalBehind = false;
    } catch (IOException e) {
      journalFailed(e);
    }
  }

  private void journalFailed(IOException e) {
    journalBehind = true;
    journalFailures.increment();
    log.error(
        "incident-journal={} entries={} reason=\"{}\" effect=\"would be lost if the process were"
            + " killed before the database is back\"",
        e instanceof IncidentJournal.FullException ? "full" : "failed",
        waiting.size(),
        e.getMessage());
  }

  private void pause(Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    lock.lock();
    try {
      if (journalBehind) {
        rewriteJournal();
      }
      for (long left = time.toNanos(); left > 0 && !closing; left = end - System.nanoTime()) {
        changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosing() {
    lock.lock();
    try {
      return closing;
    } finally {
      lock.unlock();
    }
  }

  private int size() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  private long journalBytes() {
    lock.lock();
    try {
      return journal.bytes();
    } finally {
      lock.unlock();
    }
  }

  private static String oneLine(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage()).lines().findFirst().orElse("");
  }
}
