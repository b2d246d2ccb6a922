package io.fabrichealth.collect.prometheus;

import io.fabrichealth.collect.BackOff;
import io.fabrichealth.collect.CollectException;
import io.fabrichealth.collect.CollectOutcome;
import io.fabrichealth.collect.CollectOutcome.Problem;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.FailureCode;
import java.io.EOFException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/** Scrapes one exporter. */
final class PrometheusCollector implements Collector {
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final PrometheusTarget target;
  private final ExporterClient client;
  private final PagePool pages;
  private final InstantSource clock;
  private final PageReader reader;
  private final BackOff backOff;

  PrometheusCollector(
      PrometheusTarget target,
      ExporterClient client,
      PagePool pages,
      MetricMapping mapping,
      InstantSource clock) {
    this.target = target;
    this.client = client;
    this.pages = pages;
    this.clock = clock;
    reader = new PageReader(target.device(), target.role(), mapping);
    backOff = new BackOff(target.interval(), LONGEST_PAUSE);
  }

  @Override
  public String name() {
    return PageReader.NAME;
  }

  @Override
  public String device() {
    return target.device();
  }

  @Override
  public String address() {
    return target.address();
  }

  @Override
  public Duration interval() {
    return target.interval();
  }

  @Override
  public CollectOutcome collect(Instant deadline) throws InterruptedException {
    Instant now = clock.instant();
    String held = backOff.holds(now);
    if (held != null) {
      return missed(now, new Problem(FailureCode.BACK_OFF, target.device() + ": " + held));
    }
    Duration left = Duration.between(now, deadline);
    Duration limit = left.compareTo(target.timeout()) < 0 ? left : target.timeout();
    if (!limit.isPositive()) {
      return missed(now, new Problem(FailureCode.TIMEOUT, target.device() + ": no time was left"));
    }
    Page page = pages.take();
    try {
      return scrape(page, limit);
    } finally {
      pages.giveBack(page);
    }
  }

  private CollectOutcome scrape(Page page, Duration limit) throws InterruptedException {
    Problem ended = null;
    page.clear();
    try {
      client.fetch(
          target,
          limit,
          (body, contentType) -> {
            page.read(body);
            checkEnd(page, contentType);
          });
    } catch (CollectException e) {
      ended = new Problem(e.code(), String.valueOf(e.getMessage()));
    }
    Instant at = clock.instant();
    CollectOutcome outcome = reader.outcome(page, at, ended);
    boolean isEmpty = outcome.readings() == 0 && outcome.probes().isEmpty();
    // The first page of a prober is empty and no failure: it tells what comes later from what.
    if (isEmpty && !outcome.problems().isEmpty()) {
      backOff.failed(at, outcome.problems().getFirst().message());
    } else {
      backOff.succeeded();
    }
    return outcome;
  }

  private static void checkEnd(Page page, String contentType) throws CutPageException {
    boolean openMetrics =
        contentType.toLowerCase(Locale.ROOT).startsWith("application/openmetrics-text");
    if (openMetrics && !page.sawEof() && page.samples() > 0) {
      throw new CutPageException();
    }
  }

  /** An OpenMetrics page came without the marker of its end. */
  private static final class CutPageException extends EOFException {
    private static final long serialVersionUID = 1;

    CutPageException() {
      super("no # EOF");
    }
  }

  private CollectOutcome missed(Instant at, Problem why) {
    return CollectOutcome.missed(target.device(), name(), at, why);
  }

  @Override
  public void close() {
    // The client is shared by all targets and is closed with them.
  }
}
