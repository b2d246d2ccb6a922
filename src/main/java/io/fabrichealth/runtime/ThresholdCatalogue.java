package io.fabrichealth.runtime;

import io.fabrichealth.detect.Thresholds;
import io.fabrichealth.detect.Thresholds.Threshold;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads the thresholds of detection from the YAML file that ships with the service. */
public final class ThresholdCatalogue {
  private static final String FILE = "thresholds.yaml";
  private static final ObjectReader READER =
      YAMLMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build()
          .readerFor(new TypeReference<LinkedHashMap<String, LinkedHashMap<String, Entry>>>() {});

  private ThresholdCatalogue() {}

  /**
   * @throws IllegalArgumentException where the file does not hold what is expected; the message
   *     names the entry
   */
  public static Thresholds load() {
    List<Threshold> thresholds = new ArrayList<>();
    try (InputStream in = new ClassPathResource(FILE).getInputStream()) {
      Map<String, Map<String, Entry>> sections = READER.readValue(in);
      sections.forEach(
          (section, entries) ->
              entries.forEach(
                  (name, entry) -> thresholds.add(entry.toThreshold(section + "." + name))));
    } catch (JacksonException e) {
      throw new IllegalArgumentException(FILE + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Thresholds(thresholds);
  }

  private record Entry(double value, List<Double> between, String unit, String meaning) {
    Entry {
      if (between.size() != 2 || !(between.get(0) < between.get(1))) {
        throw new IllegalArgumentException("between: expected two numbers, the smaller first");
      }
    }

    Threshold toThreshold(String name) {
      return new Threshold(name, value, between.get(0), between.get(1), unit, meaning);
    }
  }
}
