package io.fabrichealth.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fabrichealth.runtime.SettingsException;
import io.fabrichealth.runtime.SettingsLoader;
import io.fabrichealth.runtime.TopologyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documents name exists. */
class DocumentsTest {
  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|#)([^)#]+)(#[^)]*)?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

  @Test
  void links_between_documents_lead_somewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      Matcher links = LINK.matcher(Files.readString(page));
      while (links.find()) {
        Path linked = page.toAbsolutePath().getParent().resolve(links.group(1)).normalize();
        if (!Files.exists(linked)) {
          broken.add(page + ": " + links.group());
        } else if (links.group(2) != null && !headings(linked).contains(links.group(2))) {
          broken.add(page + ": " + links.group() + " has no such heading");
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void files_that_documents_name_exist() throws IOException {
    Pattern path = Pattern.compile("`((?:src|config|docs|helm|alert-rules|dashboards)/[\\w./-]+)`");
    List<String> missing = new ArrayList<>();
    for (Path page : pages()) {
      Matcher named = path.matcher(Files.readString(page));
      while (named.find()) {
        if (!Files.exists(Path.of(named.group(1)))
            && !named.group(1).equals("config/fabric-health.yaml")) {
          missing.add(page + ": " + named.group(1));
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void decisions_fit_on_one_page() throws IOException {
    for (Path decision : pages()) {
      if (decision.startsWith("docs/explanation/adr")) {
        assertThat(decision).content().contains("## Context", "## Decision", "## Consequences");
        assertThat(Files.readString(decision).length()).isLessThan(3_000);
      }
    }
  }

  @Test
  void the_example_configuration_lacks_nothing_but_its_secrets() {
    assertThatCode(() -> SettingsLoader.read(Path.of("config/fabric-health.example.yaml"), false))
        .isInstanceOfSatisfying(
            SettingsException.class,
            wrong ->
                assertThat(wrong.problems())
                    .hasSize(3)
                    .allSatisfy(problem -> assertThat(problem.problem()).endsWith("is not set")));
  }

  @Test
  void the_example_plan_is_valid() {
    assertThat(TopologyFile.read(Path.of("config/topology.example.yaml")).links()).hasSize(2);
  }

  private static List<String> headings(Path page) throws IOException {
    return HEADING
        .matcher(Files.readString(page))
        .results()
        .map(heading -> "#" + heading.group(1).toLowerCase(java.util.Locale.ROOT).replace(' ', '-'))
        .toList();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> all = Files.walk(Path.of("docs"))) {
      return Stream.concat(Stream.of(Path.of("README.md")), all)
          .filter(file -> file.toString().endsWith(".md"))
          .toList();
    }
  }
}
