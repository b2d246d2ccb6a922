package io.fabrichealth.collect.push;

import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.opentelemetry.proto.metrics.v1.ScopeMetrics;
import io.opentelemetry.proto.metrics.v1.Sum;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * The JSON form of OTLP metrics: names in lowerCamelCase, 64-bit integers as strings or numbers,
 * unknown fields passed over. Only what becomes a reading is taken over; the points of histograms
 * and summaries are but counted.
 */
final class OtlpJson {

  private OtlpJson() {}

  /**
   * @throws IllegalArgumentException where a field is not what it should be
   */
  static ExportMetricsServiceRequest request(JsonNode body) {
    if (!body.isObject()) {
      throw new IllegalArgumentException("expected an object");
    }
    ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
    for (JsonNode resourceMetrics : list(body, "resourceMetrics")) {
      ResourceMetrics.Builder ofResource = ResourceMetrics.newBuilder();
      ofResource
          .getResourceBuilder()
          .addAllAttributes(attributes(resourceMetrics.path("resource")));
      for (JsonNode scopeMetrics : list(resourceMetrics, "scopeMetrics")) {
        ScopeMetrics.Builder ofScope = ScopeMetrics.newBuilder();
        list(scopeMetrics, "metrics").forEach(metric -> ofScope.addMetrics(metric(metric)));
        ofResource.addScopeMetrics(ofScope);
      }
      request.addResourceMetrics(ofResource);
    }
    return request.build();
  }

  private static Metric metric(JsonNode from) {
    Metric.Builder metric =
        Metric.newBuilder().setName(text(from, "name")).setUnit(text(from, "unit"));
    if (from.has("gauge")) {
      metric.setGauge(Gauge.newBuilder().addAllDataPoints(points(from.path("gauge"))));
    } else if (from.has("sum")) {
      JsonNode sum = from.path("sum");
      metric.setSum(
          Sum.newBuilder()
              .addAllDataPoints(points(sum))
              .setAggregationTemporality(temporality(sum.path("aggregationTemporality")))
              .setIsMonotonic(sum.path("isMonotonic").asBoolean(false)));
    } else {
      Histogram.Builder counted = Histogram.newBuilder();
      for (String kind : List.of("histogram", "exponentialHistogram", "summary")) {
        list(from.path(kind), "dataPoints")
            .forEach(point -> counted.addDataPoints(HistogramDataPoint.getDefaultInstance()));
      }
      metric.setHistogram(counted);
    }
    return metric.build();
  }

  private static AggregationTemporality temporality(JsonNode from) {
    AggregationTemporality known =
        from.isString() ? byName(from.asString()) : AggregationTemporality.forNumber(from.asInt(0));
    return known == null ? AggregationTemporality.AGGREGATION_TEMPORALITY_UNSPECIFIED : known;
  }

  private static AggregationTemporality byName(String name) {
    for (AggregationTemporality temporality : AggregationTemporality.values()) {
      if (temporality.name().equals(name)) {
        return temporality;
      }
    }
    return AggregationTemporality.AGGREGATION_TEMPORALITY_UNSPECIFIED;
  }

  private static List<NumberDataPoint> points(JsonNode from) {
    List<NumberDataPoint> points = new ArrayList<>();
    for (JsonNode each : list(from, "dataPoints")) {
      NumberDataPoint.Builder point =
          NumberDataPoint.newBuilder()
              .addAllAttributes(attributes(each))
              .setTimeUnixNano(whole(each, "timeUnixNano"))
              .setFlags(each.path("flags").asInt(0));
      if (each.has("asInt")) {
        point.setAsInt(whole(each, "asInt"));
      } else if (each.has("asDouble")) {
        point.setAsDouble(number(each.path("asDouble")));
      }
      points.add(point.build());
    }
    return points;
  }

  private static List<KeyValue> attributes(JsonNode from) {
    List<KeyValue> attributes = new ArrayList<>();
    for (JsonNode each : list(from, "attributes")) {
      AnyValue.Builder value = AnyValue.newBuilder();
      JsonNode given = each.path("value");
      if (given.has("stringValue")) {
        value.setStringValue(given.path("stringValue").asString(""));
      } else if (given.has("boolValue")) {
        value.setBoolValue(given.path("boolValue").asBoolean(false));
      } else if (given.has("intValue")) {
        value.setIntValue(whole(given, "intValue"));
      } else if (given.has("doubleValue")) {
        value.setDoubleValue(number(given.path("doubleValue")));
      }
      attributes.add(KeyValue.newBuilder().setKey(text(each, "key")).setValue(value).build());
    }
    return attributes;
  }

  private static Iterable<JsonNode> list(JsonNode from, String field) {
    JsonNode list = from.path(field);
    if (!list.isMissingNode() && !list.isNull() && !list.isArray()) {
      throw new IllegalArgumentException(field + ": expected a list");
    }
    return list;
  }

  private static String text(JsonNode from, String field) {
    return from.path(field).asString("");
  }

  private static long whole(JsonNode from, String field) {
    JsonNode node = from.path(field);
    if (node.isMissingNode() || node.isNull()) {
      return 0;
    }
    try {
      // Times are unsigned; so large a one is none of this millennium.
      return Long.parseLong(node.asString(""));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(field + ": expected a 64-bit integer", e);
    }
  }

  private static double number(JsonNode from) {
    if (from.isNumber()) {
      return from.asDouble();
    }
    return switch (from.asString("").toLowerCase(Locale.ROOT)) {
      case "infinity" -> Double.POSITIVE_INFINITY;
      case "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> parsed(from.asString(""));
    };
  }

  /** NaN where the text is no number. */
  private static double parsed(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}
