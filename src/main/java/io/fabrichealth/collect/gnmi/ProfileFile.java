package io.fabrichealth.collect.gnmi;

import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * A profile as it is written; {@link ProfileLoader} says what the fields mean.
 *
 * @param include names of profiles that it takes in
 * @param encodings {@code proto | json_ietf | json}, in the order of preference
 */
record ProfileFile(
    @Nullable String description,
    @Nullable List<String> include,
    @Nullable List<String> encodings,
    @Nullable Map<String, Map<String, Double>> states,
    @Nullable List<Subscription> subscriptions,
    @Nullable List<LeftOut> leftOut) {

  private static final ObjectReader READER =
      YAMLMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build()
          .readerFor(ProfileFile.class);

  /** A path that is asked for, and what it brings. */
  record Subscription(
      @Nullable String path,
      @Nullable String target,
      @Nullable String origin,
      @Nullable String mode,
      @Nullable String sure,
      @Nullable List<Reading> readings,
      @Nullable List<Fact> facts) {}

  /**
   * A reading.
   *
   * @param leaf below the subscription's path, which it is itself where there is none; from the
   *     root where it begins with a slash
   * @param sum several of them, which are added up, instead of one
   * @param first number of the first element where the leaf's name counts them; 0
   * @param states name of the table that says what the texts mean
   */
  record Reading(
      @Nullable String leaf,
      @Nullable List<String> sum,
      @Nullable String signal,
      @Nullable Integer rank,
      @Nullable Double scale,
      @Nullable Integer divisor,
      @Nullable Integer first,
      @Nullable String states,
      @Nullable String form) {}

  record Fact(@Nullable String leaf, @Nullable String fact) {}

  record LeftOut(@Nullable String name, @Nullable String port, @Nullable List<String> types) {}

  /**
   * @throws IllegalArgumentException where the content is not what is expected, with file and line
   */
  static ProfileFile read(String name, InputStream in) {
    try {
      return READER.readValue(in);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }
}
