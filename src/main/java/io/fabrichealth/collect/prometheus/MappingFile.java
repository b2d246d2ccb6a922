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
 * @param kind as what the metrics show ports: {@code hca | netdev | nvlink | node}; null where
 *     there are none
 * @param device the label that names the device; null where it is the target's own
 * @param labels the labels that make the port's name, joined by a slash
 * @param source what tells of devices that are not the target's own
 * @param node the other labels that tell of a node
 * @param rank of the metrics that name none
 * @param oldAfterSeconds the metrics come from a file that the exporter reads, which is old after
 *     so long; null where they do not
 * @param metrics by name; {@code {lane}} and {@code {priority}} stand for each number
 * @param facts metrics that tell something else than a reading
 * @param probes metrics of probers
 * @param nodes metrics that tell of InfiniBand nodes and their wiring
 * @param leftOut interfaces that are no ports of a fabric
 */
record MappingFile(
    @Nullable String kind,
    @Nullable String device,
    @Nullable List<String> labels,
    @Nullable String source,
    @Nullable Node node,
    @Nullable Integer rank,
    @JsonProperty("old_after_seconds") @Nullable Integer oldAfterSeconds,
    @Nullable Map<String, Metric> metrics,
    @Nullable Map<String, Fact> facts,
    @Nullable Map<String, Probe> probes,
    @Nullable Map<String, Node> nodes,
    @JsonProperty("left_out") @Nullable List<LeftOutRule> leftOut) {

  private static final ObjectReader READER =
      YAMLMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build()
          .readerFor(MappingFile.class);

  /**
   * A metric; {@link MetricValue} says what the other fields mean.
   *
   * @param element the label that is the number of the lane, priority or bin
   */
  record Metric(
      String signal,
      @Nullable Integer rank,
      @Nullable String element,
      @Nullable Double scale,
      @Nullable Integer divisor,
      @Nullable Integer factor,
      @Nullable Integer decimals,
      @JsonProperty("one_where") @Nullable Double oneWhere,
      @Nullable Integer bit,
      @JsonProperty("negative_is_unknown") @Nullable Boolean negativeIsUnknown,
      @JsonProperty("no_light_at") @Nullable Double noLightAt,
      @JsonProperty("unknown_from") @Nullable Long unknownFrom,
      @Nullable Integer bits,
      @JsonProperty("saturates_at") @Nullable Long saturatesAt) {}

  /**
   * Which labels tell of an InfiniBand node.
   *
   * @param role {@code switch | host} where the metric is of no others
   * @param type the label that says {@code switch} or {@code ca}
   */
  record Node(
      @Nullable String guid,
      @Nullable String port,
      @Nullable String name,
      @Nullable String role,
      @Nullable String type,
      @JsonProperty("remote_guid") @Nullable String remoteGuid,
      @JsonProperty("remote_port") @Nullable String remotePort,
      @JsonProperty("remote_name") @Nullable String remoteName,
      @JsonProperty("remote_type") @Nullable String remoteType) {}

  /**
   * A metric of a prober; {@link ProbeMetric} says what the fields mean.
   *
   * @param counts {@code sent | answered | bucket | peers}
   * @param lostWhere of peers: the label, and its value where they do not answer
   */
  record Probe(
      @Nullable String tool,
      @Nullable String counts,
      @Nullable String src,
      @Nullable String dst,
      @Nullable List<String> flow,
      @Nullable Double micros,
      @JsonProperty("in_flight") @Nullable Integer inFlight,
      @JsonProperty("lost_where") @Nullable Map<String, String> lostWhere) {}

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
