package io.fabrichealth.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MetricsReferenceTest {
  private static final Path CHECKED_IN = Path.of("docs/reference/metrics.md");

  /** {@code mvn test -Dtest=MetricsReferenceTest -Ddocs.write} writes the page anew. */
  @Test
  void the_page_in_the_repository_lists_what_the_service_gives() throws IOException {
    String page = MetricsReference.page();
    if (System.getProperty("docs.write") != null) {
      Files.writeString(CHECKED_IN, page);
    }

    assertThat(CHECKED_IN)
        .as("written anew by mvn test -Dtest=MetricsReferenceTest -Ddocs.write")
        .hasContent(page);
  }
}
