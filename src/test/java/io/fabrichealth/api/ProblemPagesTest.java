package io.fabrichealth.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemPagesTest {
  private static final Path PAGES = Path.of("docs/problems");

  @Test
  void every_problem_has_a_page_and_every_page_a_problem() throws IOException {
    try (Stream<Path> pages = Files.list(PAGES)) {
      assertThat(pages.map(page -> page.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(ApiProblem.Kind.values()).map(kind -> kind.slug() + ".md").toList());
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_page_bears_the_title_and_the_code(ApiProblem.Kind kind) throws IOException {
    assertThat(Files.readString(PAGES.resolve(kind.slug() + ".md")))
        .startsWith("# " + kind.title() + "\n")
        .contains("code `" + kind.slug() + "`");
  }
}
