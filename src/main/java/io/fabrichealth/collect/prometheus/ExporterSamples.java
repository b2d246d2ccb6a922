package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Samples of one scrape of one exporter that came in another way than as its page: pushed, or from
 * a database. They become the outcome that the page would have become. Reused from scrape to
 * scrape; not for use by several threads.
 */
public final class ExporterSamples {
  private final MetricMapping mapping;
  private final Page page;
  private final SampleLine line = new SampleLine();
  private long number;

  public ExporterSamples(MetricMapping mapping) {
    this.mapping = mapping;
    page = new Page(mapping);
  }

  public MetricMapping mapping() {
    return mapping;
  }

  /** Begins a scrape. */
  public void clear() {
    page.clear();
    number = 0;
  }

  /**
   * Begins a sample.
   *
   * @param buffer holds the labels; must stay as it is until the sample is added
   */
  public void begin(byte[] buffer) {
    line.begin(buffer, ++number);
  }

  /**
   * Gives the sample a label, by places in the buffer. The value stands there as in the exposition
   * format: backslash, quote and newline are escaped.
   *
   * @return false where the sample has too many of them
   */
  public boolean label(int nameFrom, int nameTo, int valueFrom, int valueTo) {
    return line.addLabel(nameFrom, nameTo, valueFrom, valueTo);
  }

  /**
   * Adds the sample.
   *
   * @param metric its number in the mapping
   * @return false where the scrape has the series already: the first stays
   */
  public boolean add(int metric, double value) {
    line.value.set(value);
    return page.feed(metric, line);
  }

  /** The same of a whole number, exactly. */
  public boolean add(int metric, long value) {
    line.value.set(value);
    return page.feed(metric, line);
  }

  /**
   * The outcome of the scrape.
   *
   * @param reader that of the exporter
   * @param at when the exporter was scraped
   * @param ended why samples are missing; null where none are
   */
  public CollectOutcome outcome(PageReader reader, Instant at, @Nullable Problem ended) {
    return reader.outcome(page, at, ended);
  }
}
