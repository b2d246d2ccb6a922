package io.fabrichealth.collect.push;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fabrichealth.collect.scrape.Exporter;
import io.fabrichealth.collect.scrape.LabelSets;
import io.fabrichealth.collect.scrape.SeriesLabels;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds metric, exporter and labels of each series, and gives its samples to their scrapes. */
final class SeriesIntake implements SeriesListener {
  /** A NaN with this payload says that the series has ended (Prometheus, model/value). */
  static final long STALE = 0x7FF0000000000002L;

  private static final byte[] NAME = "__name__".getBytes(US_ASCII);
  private static final byte[] INSTANCE = "instance".getBytes(US_ASCII);
  private static final byte[] JOB = "job".getBytes(US_ASCII);

  private final Scrapes scrapes;
  private final PushTally tally;

  // Of the last series: the next one mostly has the same metric and exporter.
  private byte[] lastName = {};
  private int lastMetric = -1;
  private byte[] key = new byte[256];
  private int keyEnd = -1;
  private @Nullable Exporter lastExporter;

  private @Nullable Exporter exporter;
  private int metric;
  private int labelSet;

  SeriesIntake(Scrapes scrapes) {
    this.scrapes = scrapes;
    tally = scrapes.tally();
  }

  /** Before a request: exporters may have been forgotten since the last one. */
  void begin() {
    keyEnd = -1;
    lastExporter = null;
  }

  @Override
  public boolean series(SeriesLabels labels, int samples) {
    int name = labels.find(NAME);
    if (name < 0) {
      refused(Refusal.LABELS, samples);
      return false;
    }
    metric = metric(labels, name);
    if (metric < 0) {
      refused(Refusal.UNMAPPED, samples);
      return false;
    }
    int instance = labels.find(INSTANCE);
    if (instance < 0 || labels.valueFrom(instance) == labels.valueTo(instance)) {
      refused(Refusal.NO_INSTANCE, samples);
      return false;
    }
    int job = labels.find(JOB);
    Exporter found = exporter(labels, job, instance);
    exporter = found;
    if (found == null) {
      refused(Refusal.ROOM, samples);
      return false;
    }
    labelSet = found.labels().number(labels, name, job, instance);
    if (labelSet < 0) {
      refused(labelSet == LabelSets.TOO_LONG ? Refusal.LABELS : Refusal.ROOM, samples);
      return false;
    }
    return true;
  }

  private int metric(SeriesLabels labels, int name) {
    byte[] bytes = labels.bytes();
    int from = labels.valueFrom(name);
    int to = labels.valueTo(name);
    if (!Arrays.equals(bytes, from, to, lastName, 0, lastName.length)) {
      lastName = Arrays.copyOfRange(bytes, from, to);
      lastMetric = scrapes.mapping().find(bytes, from, to);
    }
    return lastMetric;
  }

  private @Nullable Exporter exporter(SeriesLabels labels, int job, int instance) {
    byte[] bytes = labels.bytes();
    int jobFrom = job < 0 ? 0 : labels.valueFrom(job);
    int jobLength = job < 0 ? 0 : labels.valueTo(job) - jobFrom;
    int from = labels.valueFrom(instance);
    int end = jobLength + 1 + labels.valueTo(instance) - from;
    boolean isLast =
        end == keyEnd
            && Arrays.equals(key, 0, jobLength, bytes, jobFrom, jobFrom + jobLength)
            && key[jobLength] == 0
            && Arrays.equals(key, jobLength + 1, end, bytes, from, labels.valueTo(instance));
    if (!isLast) {
      if (end > key.length) {
        key = new byte[2 * end];
      }
      System.arraycopy(bytes, jobFrom, key, 0, jobLength);
      key[jobLength] = 0;
      System.arraycopy(bytes, from, key, jobLength + 1, end - jobLength - 1);
      keyEnd = end;
      lastExporter = scrapes.exporter(key, 0, end, jobLength);
    }
    return lastExporter;
  }

  @Override
  public void sample(long bits, long millis) {
    Exporter of = exporter;
    if (of == null) {
      return;
    }
    if (bits == STALE) {
      scrapes.ended(of, millis);
    } else {
      scrapes.add(of, metric, false, labelSet, bits, millis);
    }
  }

  @Override
  public void refused(Refusal why, int samples) {
    tally.refused(why, samples);
  }
}
