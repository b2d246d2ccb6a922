package io.fabrichealth.collect.scrape;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.prometheus.ExporterSamples;
import io.fabrichealth.collect.prometheus.MetricMapping;
import io.fabrichealth.collect.prometheus.PageReader;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Makes the outcomes of scrapes. Not for use by several threads. */
public final class ScrapeOutcomes {
  private final DeviceNames names;
  private final ExporterSamples samples;
  private int duplicates;

  public ScrapeOutcomes(DeviceNames names, MetricMapping mapping) {
    this.names = names;
    samples = new ExporterSamples(mapping);
  }

  /**
   * The outcome that scraping would have brought; the exporter gets a name with its first.
   *
   * @param ended why samples are missing; null where none are
   */
  public CollectOutcome outcome(Exporter exporter, OpenScrape scrape, @Nullable Problem ended) {
    samples.clear();
    duplicates = 0;
    for (int sample = 0; sample < scrape.size(); sample++) {
      exporter.labels().begin(scrape.labels(sample), samples);
      boolean isNew =
          scrape.isWhole(sample)
              ? samples.add(scrape.metric(sample), scrape.value(sample))
              : samples.add(scrape.metric(sample), Double.longBitsToDouble(scrape.value(sample)));
      duplicates += isNew ? 0 : 1;
    }
    PageReader reader = exporter.reader();
    if (reader == null) {
      reader = names.name(exporter, scrape);
    }
    return samples.outcome(reader, Instant.ofEpochMilli(scrape.millis()), ended);
  }

  /** Samples of the last scrape that stood there twice. */
  public int duplicates() {
    return duplicates;
  }
}
