package io.fabrichealth.runtime;

import io.fabrichealth.detect.Thresholds.Threshold;
import io.fabrichealth.testing.GeneratedPart;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of the thresholds is made from the file that ships with the service. */
class ThresholdsReferenceTest {

  @Test
  void the_page_of_the_thresholds_is_that_of_the_file() {
    String rows =
        ThresholdCatalogue.load().all().stream()
            .map(ThresholdsReferenceTest::row)
            .collect(Collectors.joining("\n"));

    GeneratedPart.of(Path.of("docs/reference/thresholds.md"), "thresholds")
        .assertIs(
            "| threshold | value | unit | allowed | meaning |\n| --- | --- | --- | --- | --- |\n"
                + rows);
  }

  private static String row(Threshold threshold) {
    return "| `%s` | %s | %s | %s to %s | %s |"
        .formatted(
            threshold.name(),
            ThresholdCatalogue.number(threshold.value()),
            threshold.unit(),
            ThresholdCatalogue.number(threshold.least()),
            ThresholdCatalogue.number(threshold.most()),
            threshold.meaning());
  }
}
