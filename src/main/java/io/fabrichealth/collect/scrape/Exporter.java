package io.fabrichealth.collect.scrape;

import io.fabrichealth.collect.prometheus.PageReader;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** An exporter whose samples are pushed, and its scrapes that are not whole yet. */
public final class Exporter {
  /**
   * Samples so close together are of one scrape: exporters that give their samples times of their
   * own do not give all of them the same.
   */
  private static final long TOGETHER_MILLIS = 400;

  private final String job;
  private final String instance;
  private final LabelSets labels = new LabelSets();

  /** In the order of their times. */
  private final Deque<OpenScrape> open = new ArrayDeque<>();

  private String hostName = "";
  private @Nullable OpenScrape last;
  private @Nullable PageReader reader;
  private String key = "";
  private long pastMillis = Long.MIN_VALUE;
  private long heardNanos;

  public Exporter(String job, String instance) {
    this.job = job;
    this.instance = instance;
  }

  public String job() {
    return job;
  }

  public String instance() {
    return instance;
  }

  public LabelSets labels() {
    return labels;
  }

  public Deque<OpenScrape> open() {
    return open;
  }

  /** What its host calls itself, as far as the sender says it; empty where it does not. */
  public String hostName() {
    return hostName;
  }

  public void hostName(String name) {
    hostName = name;
  }

  /** Null until it has a name. */
  public @Nullable PageReader reader() {
    return reader;
  }

  /** Device and collector, which no other exporter has. */
  public String key() {
    return key;
  }

  public void name(String deviceAndCollector, PageReader named) {
    key = deviceAndCollector;
    reader = named;
  }

  public long heardNanos() {
    return heardNanos;
  }

  public void heard(long nanos) {
    heardNanos = nanos;
  }

  public boolean isPast(long millis) {
    return millis <= pastMillis;
  }

  /** The open scrape of that time; null where there is none. */
  public @Nullable OpenScrape scrape(long millis) {
    OpenScrape known = last;
    if (known != null && known.millis() == millis) {
      return known;
    }
    for (OpenScrape scrape : open) {
      if (Math.abs(scrape.millis() - millis) <= TOGETHER_MILLIS) {
        last = scrape;
        return scrape;
      }
    }
    return null;
  }

  /** Opens a scrape of a time that has none. */
  public OpenScrape begin(long millis) {
    OpenScrape scrape = new OpenScrape(millis);
    Deque<OpenScrape> later = new ArrayDeque<>();
    while (!open.isEmpty() && open.getLast().millis() > millis) {
      later.addFirst(open.removeLast());
    }
    open.addLast(scrape);
    open.addAll(later);
    last = scrape;
    return scrape;
  }

  /** What is open is to come again. */
  public void dropOpen() {
    open.clear();
    last = null;
  }

  /** The oldest scrape is past now: what comes of it yet is late. */
  public OpenScrape end() {
    OpenScrape scrape = open.removeFirst();
    pastMillis = scrape.millis() + TOGETHER_MILLIS;
    last = null;
    return scrape;
  }
}
