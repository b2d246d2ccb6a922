package io.fabrichealth.collect.query;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.prometheus.MetricMapping;
import io.fabrichealth.collect.scrape.DeviceNames;
import io.fabrichealth.collect.scrape.Exporter;
import io.fabrichealth.collect.scrape.LabelSets;
import io.fabrichealth.collect.scrape.OpenScrape;
import io.fabrichealth.collect.scrape.ScrapeOutcomes;
import io.fabrichealth.collect.scrape.SeriesLabels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The exporters that one database scrapes, and what was read of each. A scrape becomes readings
 * once, however often the database tells of it.
 */
final class QueriedExporters {
  private static final byte[] NAME = "__name__".getBytes(US_ASCII);
  private static final byte[] JOB = "job".getBytes(US_ASCII);
  private static final int MOST_EXPORTERS = 20_000;

  /** So long after a scrape all of it is there, also where it is written in parts. */
  private static final long SETTLED_MILLIS = 10_000;

  /** As long as Prometheus itself takes a sample to hold where it knows no better. */
  private static final long LOOK_BACK_MILLIS = Duration.ofMinutes(5).toMillis();

  private static final long GONE_MILLIS = Duration.ofHours(1).toMillis();

  private final MetricMapping mapping;
  private final byte[] deviceLabel;
  private final DeviceNames names;
  private final ScrapeOutcomes outcomes;
  private final Map<Key, Queried> exporters = new LinkedHashMap<>();
  private long nameless;
  private long tooMany;

  private record Key(String job, String instance) {}

  private static final class Queried {
    private final Exporter exporter;
    private long lastMillis;
    private int lastSize;
    private long spacingMillis;

    Queried(Exporter exporter, long now) {
      this.exporter = exporter;
      lastMillis = now;
    }

    boolean isNamed() {
      return exporter.reader() != null;
    }

    /** Whether it is longer ago than usual that the exporter was scraped. */
    boolean isLate(long now) {
      return now - lastMillis
          > (spacingMillis == 0 ? LOOK_BACK_MILLIS : spacingMillis * 5 / 2 + SETTLED_MILLIS);
    }
  }

  QueriedExporters(QueryTarget target, String collector, MetricMapping mapping) {
    this.mapping = mapping;
    deviceLabel = target.deviceLabel().getBytes(UTF_8);
    names =
        new DeviceNames(
            collector, Pattern.compile(target.devicePattern()), false, target.role(), mapping);
    outcomes = new ScrapeOutcomes(names, mapping);
  }

  /** Before a pass: it brings anew whatever is not taken yet. */
  void begin() {
    nameless = 0;
    tooMany = 0;
    exporters.values().forEach(queried -> queried.exporter.dropOpen());
  }

  /** Takes a series in. */
  void add(SeriesLabels labels, long[] times, double[] values, int samples, long now) {
    int name = labels.find(NAME);
    int metric =
        name < 0 ? -1 : mapping.find(labels.bytes(), labels.valueFrom(name), labels.valueTo(name));
    if (metric < 0) {
      return;
    }
    int instance = labels.find(deviceLabel);
    int job = labels.find(JOB);
    if (instance < 0 || labels.valueFrom(instance) == labels.valueTo(instance)) {
      nameless++;
      return;
    }
    Key key = new Key(labels.value(job), labels.value(instance));
    Queried queried = exporters.get(key);
    if (queried == null) {
      if (exporters.size() == MOST_EXPORTERS) {
        tooMany++;
        return;
      }
      queried = new Queried(new Exporter(key.job(), key.instance()), now);
      exporters.put(key, queried);
    }
    Exporter exporter = queried.exporter;
    int set = exporter.labels().number(labels, name, job, instance);
    if (set < 0) {
      tooMany += set == LabelSets.TOO_MANY ? 1 : 0;
      return;
    }
    for (int sample = 0; sample < samples; sample++) {
      if (!exporter.isPast(times[sample])) {
        OpenScrape known = exporter.scrape(times[sample]);
        OpenScrape scrape = known == null ? exporter.begin(times[sample]) : known;
        scrape.add(metric, false, set, Double.doubleToRawLongBits(values[sample]));
      }
    }
  }

  /** Series without the label that tells whose they are. */
  long nameless() {
    return nameless;
  }

  /** Series beyond the limits on exporters and sets of labels. */
  long tooMany() {
    return tooMany;
  }

  /**
   * What the pass brought: the newest scrape of each exporter that has a new one, and a missed pass
   * of each that has long had none.
   *
   * @param ended why answers are missing; null where none are
   */
  List<CollectOutcome> outcomes(long now, @Nullable Problem ended) {
    List<CollectOutcome> all = new ArrayList<>();
    Iterator<Queried> each = exporters.values().iterator();
    while (each.hasNext()) {
      Queried queried = each.next();
      OpenScrape newest = newestWhole(queried, now);
      if (newest != null) {
        all.add(take(queried, newest, ended));
      } else if (queried.isLate(now) && now - queried.lastMillis > GONE_MILLIS) {
        names.release(queried.exporter);
        each.remove();
      } else if (queried.isNamed() && queried.exporter.open().isEmpty() && queried.isLate(now)) {
        all.add(missed(queried, now, "was not scraped lately"));
      }
    }
    return all;
  }

  /** A missed pass of all that are known. */
  List<CollectOutcome> missed(long now, String why) {
    return exporters.values().stream()
        .filter(Queried::isNamed)
        .map(queried -> missed(queried, now, why))
        .toList();
  }

  private CollectOutcome missed(Queried queried, long now, String why) {
    return outcomes.outcome(
        queried.exporter,
        new OpenScrape(now),
        new Problem(FailureCode.PARTIAL, queried.exporter.instance() + " " + why));
  }

  /**
   * A database may show a scrape while it is still being written: where it has less than others of
   * the exporter, or there is no other, it waits until it is old enough.
   */
  private static @Nullable OpenScrape newestWhole(Queried queried, long now) {
    Collection<OpenScrape> open = queried.exporter.open();
    boolean isOnlyOne = queried.lastSize == 0 && open.size() == 1;
    int whole =
        isOnlyOne
            ? Integer.MAX_VALUE
            : open.stream().mapToInt(OpenScrape::size).reduce(queried.lastSize, Math::max);
    OpenScrape newest = null;
    for (OpenScrape scrape : open) {
      if (scrape.size() >= whole || now - scrape.millis() >= SETTLED_MILLIS) {
        newest = scrape;
      }
    }
    return newest;
  }

  private CollectOutcome take(Queried queried, OpenScrape newest, @Nullable Problem ended) {
    Exporter exporter = queried.exporter;
    OpenScrape scrape = exporter.end();
    while (scrape != newest) {
      scrape = exporter.end();
    }
    if (queried.isNamed() && newest.millis() > queried.lastMillis) {
      queried.spacingMillis = newest.millis() - queried.lastMillis;
    }
    queried.lastMillis = newest.millis();
    queried.lastSize = ended == null ? newest.size() : queried.lastSize;
    return outcomes.outcome(exporter, newest, ended);
  }
}
