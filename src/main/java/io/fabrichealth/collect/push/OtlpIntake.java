package io.fabrichealth.collect.push;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabrichealth.collect.scrape.Exporter;
import io.fabrichealth.collect.scrape.LabelSets;
import io.fabrichealth.collect.scrape.SeriesLabels;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.DataPointFlags;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Gives data points of OTLP to the scrapes that they are of. A resource is an exporter: its {@code
 * service.instance.id} is the instance, else {@code instance}, else {@code host.name}.
 */
final class OtlpIntake {
  private static final long NANOS_A_MILLI = 1_000_000;

  /** What SDKs make up for an instance: it names no host. */
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private final Scrapes scrapes;
  private final PushTally tally;
  private final OtlpNames names;
  private final SeriesLabels labels = new SeriesLabels();

  OtlpIntake(Scrapes scrapes) {
    this.scrapes = scrapes;
    tally = scrapes.tally();
    names = new OtlpNames(scrapes.mapping());
  }

  void take(ResourceMetrics ofResource) {
    Map<String, String> resource = new HashMap<>();
    ofResource
        .getResource()
        .getAttributesList()
        .forEach(each -> resource.put(each.getKey(), text(each.getValue())));
    boolean hasInstance =
        resource.containsKey("service.instance.id")
            || resource.containsKey("instance")
            || resource.containsKey("host.name");
    Exporter exporter = hasInstance ? exporter(resource) : null;
    for (ScopeMetrics ofScope : ofResource.getScopeMetricsList()) {
      for (Metric metric : ofScope.getMetricsList()) {
        take(metric, exporter, hasInstance ? Refusal.ROOM : Refusal.NO_INSTANCE);
      }
    }
  }

  private @Nullable Exporter exporter(Map<String, String> resource) {
    String host = resource.getOrDefault("host.name", "");
    String instance =
        resource.getOrDefault("service.instance.id", resource.getOrDefault("instance", host));
    String namespace = resource.getOrDefault("service.namespace", "");
    String service = resource.getOrDefault("service.name", "");
    String job = (namespace.isEmpty() ? service : namespace + "/" + service).replace("\0", "");
    byte[] key = (job + "\0" + instance).getBytes(UTF_8);
    Exporter exporter = scrapes.exporter(key, 0, key.length, job.getBytes(UTF_8).length);
    // A collector may add its own host's name to what it scraped elsewhere.
    if (exporter != null && UUID.matcher(instance).matches()) {
      exporter.hostName(host);
    }
    return exporter;
  }

  /**
   * @param without why points are refused where there is no exporter
   */
  private void take(Metric metric, @Nullable Exporter exporter, Refusal without) {
    boolean isCounter =
        metric.getDataCase() == Metric.DataCase.SUM && metric.getSum().getIsMonotonic();
    int number = names.metric(metric.getName(), metric.getUnit(), isCounter);
    int points = points(metric);
    if (number < 0) {
      tally.refused(Refusal.UNMAPPED, points);
      return;
    }
    if (exporter == null) {
      tally.refused(without, points);
      return;
    }
    switch (metric.getDataCase()) {
      case GAUGE -> take(metric.getGauge().getDataPointsList(), number, exporter);
      case SUM -> {
        if (metric.getSum().getAggregationTemporality()
            == AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE) {
          take(metric.getSum().getDataPointsList(), number, exporter);
        } else {
          tally.refused(Refusal.DELTA, points);
        }
      }
      case HISTOGRAM, EXPONENTIAL_HISTOGRAM, SUMMARY, DATA_NOT_SET ->
          tally.refused(Refusal.TYPE, points);
    }
  }

  private static int points(Metric metric) {
    return switch (metric.getDataCase()) {
      case GAUGE -> metric.getGauge().getDataPointsCount();
      case SUM -> metric.getSum().getDataPointsCount();
      case HISTOGRAM -> metric.getHistogram().getDataPointsCount();
      case EXPONENTIAL_HISTOGRAM -> metric.getExponentialHistogram().getDataPointsCount();
      case SUMMARY -> metric.getSummary().getDataPointsCount();
      case DATA_NOT_SET -> 0;
    };
  }

  private void take(List<NumberDataPoint> points, int metric, Exporter exporter) {
    for (NumberDataPoint point : points) {
      int set = labelSet(point.getAttributesList(), exporter);
      long millis = Long.divideUnsigned(point.getTimeUnixNano(), NANOS_A_MILLI);
      if (set < 0) {
        tally.refused(set == LabelSets.TOO_LONG ? Refusal.LABELS : Refusal.ROOM, 1);
      } else if ((point.getFlags() & DataPointFlags.DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK_VALUE)
          != 0) {
        scrapes.ended(exporter, millis);
      } else {
        switch (point.getValueCase()) {
          case AS_INT -> scrapes.add(exporter, metric, true, set, point.getAsInt(), millis);
          case AS_DOUBLE ->
              scrapes.add(
                  exporter,
                  metric,
                  false,
                  set,
                  Double.doubleToRawLongBits(point.getAsDouble()),
                  millis);
          case VALUE_NOT_SET -> scrapes.ended(exporter, millis);
        }
      }
    }
  }

  private int labelSet(List<KeyValue> attributes, Exporter exporter) {
    if (attributes.size() > SeriesLabels.MOST) {
      return LabelSets.TOO_LONG;
    }
    labels.begin();
    for (KeyValue attribute : attributes) {
      boolean _ = labels.add(OtlpNames.sanitized(attribute.getKey()), text(attribute.getValue()));
    }
    return exporter.labels().number(labels, -1, -1, -1);
  }

  /** As the value of a label. */
  private static String text(AnyValue value) {
    return switch (value.getValueCase()) {
      case STRING_VALUE -> value.getStringValue();
      case BOOL_VALUE -> Boolean.toString(value.getBoolValue());
      case INT_VALUE -> Long.toString(value.getIntValue());
      case DOUBLE_VALUE -> Double.toString(value.getDoubleValue());
      case ARRAY_VALUE, KVLIST_VALUE, BYTES_VALUE, VALUE_NOT_SET -> "";
    };
  }
}
