package io.fabrichealth.collect.push;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.ArrayList;
import java.util.List;

/** Metrics of one resource, as a collector exports them. */
final class OtlpRequest {
  private final Resource.Builder resource = Resource.newBuilder();
  private final ScopeMetrics.Builder metrics = ScopeMetrics.newBuilder();

  OtlpRequest(String instance) {
    attribute("service.instance.id", instance);
    attribute("service.name", "node");
  }

  /** Of a resource that says nothing of itself. */
  OtlpRequest() {}

  OtlpRequest attribute(String key, String value) {
    resource.addAttributes(keyValue(key, value));
    return this;
  }

  OtlpRequest gauge(String name, long millis, double value, String... attributes) {
    return add(
        Metric.newBuilder()
            .setName(name)
            .setGauge(
                Gauge.newBuilder().addDataPoints(point(millis, attributes).setAsDouble(value))));
  }

  OtlpRequest counter(String name, String unit, long millis, long value, String... attributes) {
    return add(
        Metric.newBuilder()
            .setName(name)
            .setUnit(unit)
            .setSum(
                Sum.newBuilder()
                    .setIsMonotonic(true)
                    .setAggregationTemporality(
                        AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE)
                    .addDataPoints(point(millis, attributes).setAsInt(value))));
  }

  OtlpRequest add(Metric.Builder metric) {
    metrics.addMetrics(metric);
    return this;
  }

  /**
   * A point without a value.
   *
   * @param attributes names and values in turn
   */
  static NumberDataPoint.Builder point(long millis, String... attributes) {
    List<KeyValue> all = new ArrayList<>();
    for (int index = 0; index < attributes.length; index += 2) {
      all.add(keyValue(attributes[index], attributes[index + 1]));
    }
    return NumberDataPoint.newBuilder().setTimeUnixNano(millis * 1_000_000).addAllAttributes(all);
  }

  private static KeyValue keyValue(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }

  ExportMetricsServiceRequest message() {
    return ExportMetricsServiceRequest.newBuilder()
        .addResourceMetrics(
            ResourceMetrics.newBuilder().setResource(resource).addScopeMetrics(metrics))
        .build();
  }
}
