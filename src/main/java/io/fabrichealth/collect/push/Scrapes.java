package io.fabrichealth.collect.push;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.prometheus.MetricMapping;
import io.fabrichealth.collect.push.PushException.Code;
import io.fabrichealth.collect.scrape.ByteKeys;
import io.fabrichealth.collect.scrape.DeviceNames;
import io.fabrichealth.collect.scrape.Exporter;
import io.fabrichealth.collect.scrape.OpenScrape;
import io.fabrichealth.collect.scrape.ScrapeOutcomes;
import io.fabrichealth.topology.Role;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Puts samples that come in any order and in parts together to scrapes of exporters, and hands each
 * on as the outcome that scraping would have brought. What waits is held as numbers; where nobody
 * takes outcomes, it goes on waiting, and no more is let in. Belongs to whoever holds its lock.
 */
final class Scrapes {
  /**
   * A scrape is whole when no part of it came for so long: a sender's queues send parts of it one
   * after another, and Prometheus lets a queue wait 5 s for its batch to fill.
   */
  static final Duration QUIET = Duration.ofSeconds(6);

  /** Samples that wait for the rest of their scrape, of all exporters. */
  static final int MOST_WAITING = 8_000_000;

  /** Host part of {@code instance}. */
  private static final Pattern HOST =
      Pattern.compile("(?:https?://)?(\\[[^\\]]+\\]|[^:/]+)(?::\\d+)?(?:/.*)?");

  private static final int MOST_EXPORTERS = 20_000;

  /** More than any sender's queues are apart. */
  private static final int MOST_OPEN = 8;

  private static final int MOST_OPEN_WITHOUT_SINK = 64;
  private static final Duration GONE_AFTER = Duration.ofHours(1);
  private static final long OLDEST_MILLIS = Duration.ofMinutes(10).toMillis();
  private static final long AHEAD_MILLIS = Duration.ofMinutes(1).toMillis();
  private static final int LONGEST_KEY = 1_024;

  private final MetricMapping mapping;
  private final long quietNanos;
  private final int mostWaiting;
  private final InstantSource clock;
  private final Predicate<CollectOutcome> sink;
  private final PushTally tally;
  private final DeviceNames names;
  private final ScrapeOutcomes outcomes;
  private ByteKeys keys = new ByteKeys();
  private List<Exporter> exporters = new ArrayList<>();
  private @Nullable CollectOutcome refusedBySink;
  private int waiting;
  private boolean closed;
  private long nowMillis;
  private long nowNanos;

  Scrapes(
      String collector,
      MetricMapping mapping,
      Duration quiet,
      int mostWaiting,
      InstantSource clock,
      Predicate<CollectOutcome> sink,
      MeterRegistry meters) {
    this.mapping = mapping;
    quietNanos = quiet.toNanos();
    this.mostWaiting = mostWaiting;
    this.clock = clock;
    this.sink = sink;
    tally = new PushTally(collector, meters);
    tally.show(this);
    names = new DeviceNames(collector, HOST, true, Role.HOST, mapping);
    outcomes = new ScrapeOutcomes(names, mapping);
    nowMillis = clock.millis();
    nowNanos = System.nanoTime();
  }

  MetricMapping mapping() {
    return mapping;
  }

  /** Counts for all that goes in here. */
  PushTally tally() {
    return tally;
  }

  /** Number of exporters that are known. */
  int size() {
    return exporters.size();
  }

  /** Samples that wait for the rest of their scrape, or for room behind it. */
  int waiting() {
    return waiting;
  }

  /**
   * Before a request.
   *
   * @throws PushException where there is no room for more
   */
  void begin() throws PushException {
    nowMillis = clock.millis();
    nowNanos = System.nanoTime();
    if (closed) {
      throw new PushException(Code.BUSY, "the service stops");
    }
    if (waiting >= mostWaiting) {
      endEarly();
    }
    if (waiting >= mostWaiting || !sinkTakes()) {
      throw new PushException(Code.BUSY, "too many samples wait for detection");
    }
  }

  /**
   * The exporter of a job and an instance, which the range holds with a 0 between them; null where
   * there is no room for one more.
   */
  @Nullable Exporter exporter(byte[] key, int from, int to, int jobEnd) {
    if (to - from > LONGEST_KEY) {
      return null;
    }
    int hash = ByteKeys.hash(key, from, to);
    int known = keys.find(key, from, to, hash);
    if (known >= 0) {
      return exporters.get(known);
    }
    if (exporters.size() >= MOST_EXPORTERS) {
      return null;
    }
    keys.add(key, from, to, hash);
    Exporter exporter =
        new Exporter(
            new String(key, from, jobEnd - from, UTF_8),
            new String(key, jobEnd + 1, to - jobEnd - 1, UTF_8));
    exporters.add(exporter);
    return exporter;
  }

  /**
   * Takes a sample.
   *
   * @param whole whether the value is a whole number, and no bits of a double
   * @param labelSet its number in the exporter's sets
   */
  void add(Exporter exporter, int metric, boolean whole, int labelSet, long value, long atMillis) {
    OpenScrape scrape = scrape(exporter, atMillis);
    if (scrape != null) {
      scrape.add(metric, whole, labelSet, value);
      waiting++;
      tally.taken();
    }
  }

  /** A series has ended: at that time the exporter was asked, and did not give it. */
  void ended(Exporter exporter, long atMillis) {
    OpenScrape _ = scrape(exporter, atMillis);
  }

  private @Nullable OpenScrape scrape(Exporter exporter, long millis) {
    OpenScrape known = exporter.scrape(millis);
    if (known == null) {
      Refusal why = refusal(exporter, millis);
      if (why != null) {
        tally.refused(why, 1);
        return null;
      }
      known = exporter.begin(millis);
    }
    known.touch(nowNanos);
    exporter.heard(nowNanos);
    return known;
  }

  private @Nullable Refusal refusal(Exporter exporter, long millis) {
    if (exporter.isPast(millis)) {
      return Refusal.LATE;
    }
    if (millis < nowMillis - OLDEST_MILLIS) {
      return Refusal.OLD;
    }
    if (millis > nowMillis + AHEAD_MILLIS) {
      return Refusal.FUTURE;
    }
    if (exporter.open().size() >= MOST_OPEN
        && !end(exporter, null)
        && exporter.open().size() >= MOST_OPEN_WITHOUT_SINK) {
      return Refusal.ROOM;
    }
    // The oldest may just have ended.
    return exporter.isPast(millis) ? Refusal.LATE : null;
  }

  /** Hands on the scrapes of which no part came lately. */
  synchronized void endQuiet() {
    long now = System.nanoTime();
    if (endUntouchedSince(now - quietNanos)) {
      forget(now);
    }
    tally.flush();
  }

  /**
   * Lets no more in, and hands on all there is.
   *
   * @return false where nobody takes it now; it is to be tried again
   */
  synchronized boolean close() {
    closed = true;
    boolean all = endUntouchedSince(System.nanoTime()) && sinkTakes();
    tally.flush();
    return all;
  }

  private boolean endUntouchedSince(long nanos) {
    for (Exporter exporter : exporters) {
      OpenScrape oldest = exporter.open().peekFirst();
      while (oldest != null && oldest.touchedNanos() - nanos <= 0) {
        if (!end(exporter, null)) {
          return false;
        }
        oldest = exporter.open().peekFirst();
      }
    }
    return true;
  }

  /** Makes room: the oldest scrape of each exporter is handed on as it is. */
  private void endEarly() {
    Problem early =
        new Problem(FailureCode.PARTIAL, "ended before it was whole: too many samples wait");
    for (Exporter exporter : exporters) {
      if (waiting < mostWaiting / 4 * 3) {
        return;
      }
      if (!exporter.open().isEmpty()) {
        if (!end(exporter, early)) {
          return;
        }
        tally.evicted();
      }
    }
  }

  private boolean sinkTakes() {
    CollectOutcome before = refusedBySink;
    if (before != null && sink.test(before)) {
      refusedBySink = null;
    }
    return refusedBySink == null;
  }

  /** Hands on the oldest scrape; false where nobody takes it, so that it goes on waiting. */
  private boolean end(Exporter exporter, @Nullable Problem early) {
    if (!sinkTakes()) {
      return false;
    }
    OpenScrape scrape = exporter.end();
    waiting -= scrape.size();
    CollectOutcome outcome = outcomes.outcome(exporter, scrape, early);
    tally.refused(Refusal.DUPLICATE, outcomes.duplicates());
    tally.scrape();
    if (!sink.test(outcome)) {
      refusedBySink = outcome;
    }
    return true;
  }

  /** Forgets exporters of which nothing came for long. */
  private void forget(long now) {
    Set<Exporter> gone =
        exporters.stream()
            .filter(e -> e.open().isEmpty() && now - e.heardNanos() > GONE_AFTER.toNanos())
            .collect(Collectors.toSet());
    if (gone.isEmpty()) {
      return;
    }
    gone.forEach(names::release);
    ByteKeys left = new ByteKeys();
    List<Exporter> kept = new ArrayList<>();
    for (int number = 0; number < exporters.size(); number++) {
      if (!gone.contains(exporters.get(number))) {
        int from = keys.from(number);
        int to = keys.to(number);
        left.add(keys.bytes(), from, to, ByteKeys.hash(keys.bytes(), from, to));
        kept.add(exporters.get(number));
      }
    }
    keys = left;
    exporters = kept;
  }
}
