package io.fabrichealth.runtime;

import io.fabrichealth.detect.Thresholds;
import io.fabrichealth.detect.Thresholds.Threshold;
import io.fabrichealth.runtime.SettingsDocument.Fields;
import io.fabrichealth.runtime.SettingsDocument.Node;
import io.fabrichealth.runtime.SettingsDocument.Text;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Reads the thresholds of detection: those of the YAML file that ships with the service, and a
 * site's own values for some of them.
 */
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

  /**
   * The thresholds of the service with the values that a site's file gives some of them: {@code
   * section: {name: value}}.
   *
   * @throws SettingsException with all that is wrong with the file, each with its line and what is
   *     allowed
   */
  public static Thresholds read(Path file) {
    Map<String, Threshold> thresholds = new LinkedHashMap<>();
    load().all().forEach(threshold -> thresholds.put(threshold.name(), threshold));
    List<SettingsProblem> problems = new ArrayList<>();
    for (Node document : SettingsDocument.readAll(file)) {
      for (Node section : values(document, "sections of thresholds", problems)) {
        String known = section.key();
        Set<String> sections = sections(thresholds.keySet());
        if (!sections.contains(known)) {
          problems.add(
              section
                  .at()
                  .problem(
                      known,
                      SettingsNames.unknown("section", known, sections),
                      String.join(", ", sections)));
          continue;
        }
        for (Node value : values(section, "thresholds by name", problems)) {
          set(value, known, thresholds, problems);
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new SettingsException(problems);
    }
    return new Thresholds(thresholds.values());
  }

  private static Collection<Node> values(Node node, String what, List<SettingsProblem> problems) {
    if (node instanceof Fields fields) {
      return fields.values().values();
    }
    if (!(node instanceof Text text && (text.value() == null || text.value().isBlank()))) {
      problems.add(node.at().problem(node.key().isEmpty() ? null : node.key(), "no object", what));
    }
    return List.of();
  }

  private static Set<String> sections(Set<String> names) {
    return names.stream()
        .map(name -> name.substring(0, name.indexOf('.')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void set(
      Node node,
      String section,
      Map<String, Threshold> thresholds,
      List<SettingsProblem> problems) {
    Threshold threshold = thresholds.get(node.key());
    if (threshold == null) {
      String name = node.key().substring(section.length() + 1);
      List<String> known =
          thresholds.keySet().stream()
              .filter(other -> other.startsWith(section + "."))
              .map(other -> other.substring(section.length() + 1))
              .toList();
      problems.add(
          node.at()
              .problem(
                  node.key(),
                  SettingsNames.unknown("threshold", name, known),
                  String.join(", ", known)));
      return;
    }
    double value = number(node);
    if (value >= threshold.least() && value <= threshold.most()) {
      thresholds.put(node.key(), threshold.withValue(value));
    } else {
      String written = node instanceof Text text ? "'" + text.value() + "'" : "what stands there";
      problems.add(
          node.at()
              .problem(
                  node.key(),
                  written + (Double.isNaN(value) ? " is no number" : " is out of range"),
                  "%s to %s, %s%s"
                      .formatted(
                          number(threshold.least()),
                          number(threshold.most()),
                          number(threshold.value()),
                          " where it is not set")));
    }
  }

  private static double number(Node node) {
    try {
      return node instanceof Text text && text.value() != null
          ? Double.parseDouble(text.value())
          : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** As people write it: {@code 10}, {@code 0.5}, {@code 1e-6}. */
  static String number(double value) {
    double size = Math.abs(value);
    if (value == Math.rint(value) && size < 1e7) {
      return Long.toString((long) value);
    }
    return size >= 1e-3 && size < 1e7
        ? Double.toString(value)
        : Double.toString(value).replace(".0E", "E").replace('E', 'e');
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
