package io.fabrichealth.metrics;

import io.fabrichealth.testing.FakeIncidents;
import io.fabrichealth.testing.SampleFabric;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What {@code /metrics/fabric} gives for a fabric that has everything. */
final class MetricsReference {
  private MetricsReference() {}

  static Set<String> seriesNames() {
    return families().stream()
        .map(MetricsReference::seriesName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The page of the documentation. */
  static String page() {
    StringBuilder page =
        new StringBuilder(
            """
            # Metrics of the fabric

            Served at `/metrics/fabric` on the main port, as Prometheus text or OpenMetrics. The service's own metrics are at `/actuator/prometheus` on the management port.

            A value that was not read has no series: absent is not zero. Counters are the growth since the service first read them, so they go on over resets and wraps of the device. Value series carry few labels; join rail, tier and peer from `fabric_port_info`: `… * on (device, port) group_left (rail, tier) fabric_port_info`.

            | series | type | labels | meaning |
            | --- | --- | --- | --- |
            """);
    for (MetricSnapshot family : families()) {
      page.append(
          "| `%s` | %s | %s | %s |\n"
              .formatted(
                  seriesName(family),
                  type(family),
                  labels(family),
                  family.getMetadata().getHelp()));
    }
    return page.toString();
  }

  private static List<MetricSnapshot> families() {
    SampleFabric fabric = new SampleFabric(Instant.EPOCH);
    return new FabricMetrics(fabric, new FakeIncidents(fabric.incidents()), "1")
        .collect().stream().sorted(Comparator.comparing(MetricsReference::seriesName)).toList();
  }

  private static String seriesName(MetricSnapshot family) {
    String name = family.getMetadata().getPrometheusName();
    return switch (family) {
      case CounterSnapshot counter -> name + "_total";
      case InfoSnapshot info -> name + "_info";
      default -> name;
    };
  }

  private static String type(MetricSnapshot family) {
    return switch (family) {
      case CounterSnapshot counter -> "counter";
      case InfoSnapshot info -> "info";
      default -> "gauge";
    };
  }

  private static String labels(MetricSnapshot family) {
    return family.getDataPoints().stream()
        .flatMap(point -> point.getLabels().stream())
        .map(Label::getName)
        .distinct()
        .sorted()
        .map(name -> "`" + name + "`")
        .collect(Collectors.joining(", "));
  }
}
