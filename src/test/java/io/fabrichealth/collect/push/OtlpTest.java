package io.fabrichealth.collect.push;

import static io.fabrichealth.collect.push.Pushed.MILLIS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.fabrichealth.collect.push.PushException.Code;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.DataPointFlags;
import io.opentelemetry.proto.metrics.v1.Gauge;
import io.opentelemetry.proto.metrics.v1.Histogram;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.Sum;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OtlpTest {
  private static final String RECEIVED = "node_network_receive_bytes_total";
  private static final String SENT = "node_network_transmit_bytes_total";

  private final Pushed pushed = new Pushed();

  @AfterEach
  void close() {
    pushed.close();
  }

  private static OtlpRequest request() {
    return new OtlpRequest("host1:9100")
        .counter(RECEIVED, "", MILLIS, (1L << 60) + 1, "device", "eth0")
        .gauge("node_network_carrier", MILLIS, 1, "device", "eth0")
        .gauge("process.cpu.time", MILLIS, 1);
  }

  @Test
  void what_a_collector_scraped_becomes_what_scraping_gives() throws IOException {
    byte[] answer = pushed.otlp(request());
    pushed.close();

    assertThat(ExportMetricsServiceResponse.parseFrom(answer).hasPartialSuccess()).isFalse();
    assertThat(pushed.batch(0).device()).isEqualTo("host1");
    assertThat(pushed.batch(0).collector()).isEqualTo("otlp");
    assertThat(pushed.batch(0).at()).isEqualTo(Pushed.NOW);
    assertThat(pushed.readings(0))
        .contains("eth0 port.in_octets[0] 1152921504606846977 OK", "eth0 port.oper_up[0] 1.0 OK");
    assertThat(pushed.outcomes.getFirst().sightings()).hasSize(1);
    assertThat(pushed.refused(Refusal.UNMAPPED)).isOne();
  }

  @Test
  void the_json_form_says_the_same() throws PushException, IOException {
    String json = JsonFormat.printer().print(request().message());
    byte[] answer = pushed.otlp(OtlpEncoding.JSON, "gzip", gzip(json.getBytes(UTF_8)));
    pushed.close();

    assertThat(new String(answer, UTF_8)).isEqualTo("{}");
    assertThat(pushed.readings(0))
        .contains("eth0 port.in_octets[0] 1152921504606846977 OK", "eth0 port.oper_up[0] 1.0 OK");
  }

  @Test
  void json_may_give_numbers_as_such_and_names_of_enums() throws PushException {
    pushed.otlp(
        OtlpEncoding.JSON,
        "",
        """
        {"resourceMetrics":[{"resource":{"attributes":[
            {"key":"instance","value":{"stringValue":"host1"}},{"key":"x","value":{"arrayValue":{}}}]},
          "schemaUrl":"x","scopeMetrics":[{"scope":{},"metrics":[
          {"name":"node_network_receive_bytes_total","sum":{"isMonotonic":true,
           "aggregationTemporality":"AGGREGATION_TEMPORALITY_CUMULATIVE","dataPoints":[
            {"timeUnixNano":%d,"asInt":7,"attributes":[{"key":"device","value":{"stringValue":"eth0"}}]},
            {"timeUnixNano":%d,"asDouble":"NaN","attributes":[{"key":"device","value":{"intValue":"3"}}]}
          ]}}]}]}]}
        """
            .formatted(MILLIS * 1_000_000, MILLIS * 1_000_000)
            .getBytes(UTF_8));
    pushed.close();

    assertThat(pushed.readings(0))
        .contains("eth0 port.in_octets[0] 7 OK", "3 port.in_octets[0] UNREADABLE not a number");
  }

  @Test
  void deltas_are_rejected_in_the_partial_success_and_the_rest_is_taken() throws IOException {
    Sum.Builder delta =
        Sum.newBuilder()
            .setIsMonotonic(true)
            .setAggregationTemporality(AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA)
            .addDataPoints(OtlpRequest.point(MILLIS, "device", "eth0").setAsInt(3));
    byte[] answer = pushed.otlp(request().add(Metric.newBuilder().setName(SENT).setSum(delta)));
    pushed.close();

    ExportMetricsServiceResponse response = ExportMetricsServiceResponse.parseFrom(answer);
    assertThat(response.getPartialSuccess().getRejectedDataPoints()).isOne();
    assertThat(response.getPartialSuccess().getErrorMessage()).isEqualTo("1 delta");
    assertThat(pushed.readings(0))
        .contains("eth0 port.oper_up[0] 1.0 OK")
        .noneMatch(line -> line.contains("port.out_octets[0] 3"));
  }

  @Test
  void a_histogram_of_a_known_name_is_no_reading() {
    pushed.otlp(
        new OtlpRequest("host1")
            .add(
                Metric.newBuilder()
                    .setName(RECEIVED)
                    .setHistogram(
                        Histogram.newBuilder().addDataPoints(HistogramDataPoint.newBuilder()))));

    assertThat(pushed.refused(Refusal.TYPE)).isOne();
  }

  @Test
  void a_point_without_a_recorded_value_is_no_reading() {
    pushed.otlp(request().counter(SENT, "", MILLIS, 7, "device", "eth0"));
    Gauge.Builder gone =
        Gauge.newBuilder()
            .addDataPoints(
                OtlpRequest.point(MILLIS + 10_000, "device", "eth0")
                    .setAsInt(5)
                    .setFlags(DataPointFlags.DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK_VALUE));
    pushed.otlp(
        new OtlpRequest("host1:9100")
            .counter(RECEIVED, "", MILLIS + 10_000, 9, "device", "eth0")
            .add(Metric.newBuilder().setName(SENT).setGauge(gone)));
    pushed.close();

    assertThat(pushed.readings(1))
        .contains(
            "eth0 port.in_octets[0] 9 OK",
            "eth0 port.out_octets[0] UNREADABLE the exporter gave it before and does not now");
  }

  @Test
  void a_resource_that_names_no_exporter_is_rejected() throws IOException {
    byte[] answer =
        pushed.otlp(new OtlpRequest().counter(RECEIVED, "", MILLIS, 1, "device", "eth0"));

    assertThat(ExportMetricsServiceResponse.parseFrom(answer).getPartialSuccess().getErrorMessage())
        .isEqualTo("1 no_instance");
  }

  @Test
  void the_name_of_the_host_counts_where_the_instance_names_none() {
    String[] device = {"device", "eth0"};
    pushed.otlp(
        new OtlpRequest()
            .attribute("host.name", "gpu-001")
            .counter(RECEIVED, "", MILLIS, 1, device));
    pushed.otlp(
        new OtlpRequest("627cc493-f310-47de-96bd-71410b7dec09")
            .attribute("host.name", "gpu-002")
            .counter(RECEIVED, "", MILLIS, 1, device));
    pushed.otlp(
        new OtlpRequest("gpu-003:9100")
            .attribute("host.name", "the-collectors-own")
            .counter(RECEIVED, "", MILLIS, 1, device));
    pushed.close();

    assertThat(pushed.outcomes)
        .extracting(outcome -> outcome.batch().device())
        .containsExactly("gpu-001", "gpu-002", "gpu-003");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          node_network_receive_bytes_total | By  | true  | node_network_receive_bytes_total
          node_network_receive             | By  | true  | node_network_receive_bytes_total
          node.network.receive             | By  | true  | node_network_receive_bytes_total
          node_network_receive_bytes       | By  | true  | node_network_receive_bytes_total
          node_network_speed               | By  | false | node_network_speed_bytes
          infiniband.rate                  | By/s | false | infiniband_rate_bytes_per_second
          hw.temperature                   | Cel | false | hw_temperature_celsius
          cpu.utilization                  | 1   | false | cpu_utilization_ratio
          packets                          | {packet} | true | packets_total
          packets                          | {packet}/s | false | packets_per_second
          2nd metric--x                    |     | false | _2nd_metric_x
          """)
  void names_are_translated(String name, String unit, boolean counter, String translated) {
    assertThat(OtlpNames.translated(name, unit == null ? "" : unit, counter)).isEqualTo(translated);
  }

  @Test
  void a_metric_that_only_its_translation_names_is_known() {
    pushed.otlp(
        new OtlpRequest("host1")
            .counter("node.network.receive", "By", MILLIS, 4, "device", "eth0"));
    pushed.close();

    assertThat(pushed.readings(0)).contains("eth0 port.in_octets[0] 4 OK");
  }

  @Test
  void a_message_cut_off_anywhere_is_malformed_and_nothing_of_it_is_taken() {
    byte[] message = request().message().toByteArray();
    for (int length = 1; length < message.length; length++) {
      byte[] cut = Arrays.copyOf(message, length);
      assertThatExceptionOfType(PushException.class)
          .isThrownBy(() -> pushed.otlp(OtlpEncoding.PROTOBUF, "", cut))
          .satisfies(fault -> assertThat(fault.code()).isEqualTo(Code.MALFORMED));
    }
    pushed.close();
    assertThat(pushed.outcomes).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "7",
        "[]",
        "{\"resourceMetrics\":{}}",
        "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[{\"gauge\":{\"dataPoints\":7}}]}]}]}",
        "{\"resourceMetrics\":[{\"scopeMetrics\":[{\"metrics\":[{\"gauge\":{\"dataPoints\":[{\"timeUnixNano\":\"x\"}]}}]}]}]}",
        "{\"resourceMetrics\":["
      })
  void json_that_is_none_of_it_is_malformed(String json) {
    assertThatExceptionOfType(PushException.class)
        .isThrownBy(() -> pushed.otlp(OtlpEncoding.JSON, "", json.getBytes(UTF_8)))
        .satisfies(fault -> assertThat(fault.code()).isEqualTo(Code.MALFORMED));
  }

  @Test
  void a_failure_is_a_status_in_the_encoding_of_the_request()
      throws InvalidProtocolBufferException {
    assertThat(com.google.rpc.Status.parseFrom(OtlpEncoding.PROTOBUF.failure("no")).getMessage())
        .isEqualTo("no");
    assertThat(new String(OtlpEncoding.JSON.failure("no"), UTF_8))
        .isEqualTo("{\"message\":\"no\"}");
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }
}
