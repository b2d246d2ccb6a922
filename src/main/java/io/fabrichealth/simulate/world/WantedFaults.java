package io.fabrichealth.simulate.world;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads which faults to stage: the faults of a truth file, or a list of such. */
public final class WantedFaults {

  private WantedFaults() {}

  /**
   * @param start of the run
   * @throws IllegalArgumentException where the file does not hold faults; the message names the
   *     entry
   */
  public static List<Scenario.Wanted> read(Path file, Instant start) throws IOException {
    JsonNode root;
    try {
      root = JsonMapper.shared().readTree(Files.readString(file));
    } catch (JacksonException e) {
      throw new IllegalArgumentException(file + ": no JSON: " + e.getOriginalMessage(), e);
    }
    JsonNode list = root.isArray() ? root : root.path("faults");
    if (!list.isArray()) {
      throw new IllegalArgumentException(
          file + ": expected a list of faults, or an object with the list 'faults'");
    }
    List<Scenario.Wanted> wanted = new ArrayList<>();
    for (JsonNode entry : list) {
      String place = "%s: faults[%d]".formatted(file, wanted.size());
      wanted.add(fault(entry, start, place));
    }
    return wanted;
  }

  private static Scenario.Wanted fault(JsonNode entry, Instant start, String place) {
    JsonNode faultClass = entry.path("class");
    if (!faultClass.isInt()) {
      throw new IllegalArgumentException(place + ".class: expected the number of a class");
    }
    String severity = text(entry.path("severity"));
    String onset = text(entry.path("onset"));
    return new Scenario.Wanted(
        faultClass.intValue(),
        severity == null ? Severity.MEDIUM : severity(severity, place),
        text(entry.path("subject").path("id")),
        onset == null ? null : after(onset, start, place));
  }

  private static @Nullable String text(JsonNode node) {
    return node.isString() ? node.stringValue() : null;
  }

  private static Severity severity(String word, String place) {
    try {
      return Severity.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          place + ".severity: '" + word + "' is none of low, medium, high", e);
    }
  }

  private static Duration after(String onset, Instant start, String place) {
    try {
      Duration after = Duration.between(start, Instant.parse(onset));
      if (!after.isNegative()) {
        return after;
      }
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(place + ".onset: '" + onset + "' is no time", e);
    }
    throw new IllegalArgumentException(
        place + ".onset: '" + onset + "' is before the start of the run, " + start);
  }
}
