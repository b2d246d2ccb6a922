package io.fabrichealth.collect.prometheus;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * A file that says which metrics of an exporter are what.
 *
 * @param kind as what the metrics show ports: {@code hca | netdev}; null where there are none
 * @param labels the labels that make the port's name, joined by a slash
 * @param rank of the metrics that name none
 * @param metrics by name; {@code {lane}} and {@code {priority}} stand for each number
 * @param facts metrics that tell something else than a reading
 * @param leftOut interfaces that are no ports of a fabric
 */
record MappingFile(
    @Nullable String kind,
    @Nullable List<String> labels,
    @Nullable Integer rank,
    @Nullable Map<String, Metric> metrics,
    @Nullable Map<String, Fact> facts,
    @JsonProperty("left_out") @Nullable List<LeftOutRule> leftOut) {

  private static final ObjectReader READER =
      YAMLMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build()
          .readerFor(MappingFile.class);

  /** A metric; {@link MetricColumn} says what the fields mean. */
  record Metric(
      String signal,
      @Nullable Integer rank,
      @Nullable Double scale,
      @Nullable Integer divisor,
      @JsonProperty("one_where") @Nullable Double oneWhere,
      @Nullable Integer bit,
      @JsonProperty("negative_is_unknown") @Nullable Boolean negativeIsUnknown,
      @JsonProperty("saturates_at") @Nullable Long saturatesAt) {}

  /** A metric that tells of the host. */
  record Fact(String fact, @Nullable List<String> labels) {}

  /**
   * Interfaces that are left out.
   *
   * @param netdev pattern of the whole name
   * @param namesHost whether neighbours may know the host by the address of such an interface
   */
  record LeftOutRule(
      String rule, String netdev, @JsonProperty("names_host") @Nullable Boolean namesHost) {}

  /**
   * @throws IllegalArgumentException where the content is not what is expected, with file and line
   */
  static MappingFile read(String name, InputStream in) throws IOException {
    try {
      return READER.readValue(in);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }
}
