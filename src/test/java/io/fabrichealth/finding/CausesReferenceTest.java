package io.fabrichealth.finding;

import io.fabrichealth.testing.GeneratedPart;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of the causes is made from what explanations of incidents say. */
class CausesReferenceTest {

  @Test
  void the_page_of_the_causes_says_what_explanations_say() {
    GeneratedPart.of(Path.of("docs/reference/causes.md"), "causes")
        .assertIs(
            Arrays.stream(Cause.values())
                .map(CausesReferenceTest::section)
                .collect(Collectors.joining("\n\n")));
  }

  private static String section(Cause cause) {
    Guidance guidance = Guidance.of(cause);
    return "## %s\n\n%s %s%s\n\n%s\n\n**What to do:** %s"
        .formatted(
            cause,
            guidance.meaning(),
            guidance.impact(),
            cause.degradesLink() ? " The link counts as degraded." : "",
            guidance.checks().stream()
                .map(check -> "- " + check)
                .collect(Collectors.joining("\n", "**Check first:**\n\n", "")),
            cause.recommendedAction());
  }
}
