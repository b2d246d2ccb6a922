package io.fabrichealth.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The families of one scrape. A family without series is left out: absent is not zero. */
final class Scrape {
  private final List<MetricSnapshot> families = new ArrayList<>();

  /** Takes the series of one family; a value that is not a number is none. */
  interface Series {
    void add(Labels labels, double value);
  }

  void gauge(String name, String help, Consumer<Series> fill) {
    List<GaugeDataPointSnapshot> points = new ArrayList<>();
    fill.accept(
        (labels, value) -> {
          if (!Double.isNaN(value)) {
            points.add(new GaugeDataPointSnapshot(value, labels, null));
          }
        });
    if (!points.isEmpty()) {
      families.add(new GaugeSnapshot(new MetricMetadata(name, help), points));
    }
  }

  /**
   * @param name without {@code _total}
   */
  void counter(String name, String help, Consumer<Series> fill) {
    List<CounterDataPointSnapshot> points = new ArrayList<>();
    fill.accept(
        (labels, value) -> {
          if (!Double.isNaN(value)) {
            points.add(new CounterDataPointSnapshot(value, labels, null, 0));
          }
        });
    if (!points.isEmpty()) {
      families.add(new CounterSnapshot(new MetricMetadata(name, help), points));
    }
  }

  /**
   * @param name without {@code _info}
   */
  void info(String name, String help, List<Labels> series) {
    if (!series.isEmpty()) {
      families.add(
          new InfoSnapshot(
              new MetricMetadata(name, help),
              series.stream().map(InfoDataPointSnapshot::new).toList()));
    }
  }

  MetricSnapshots families() {
    return new MetricSnapshots(families);
  }

  /** A label's value for something that may be unknown; Prometheus drops an empty label. */
  static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }
}
