package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabrichealth.detect.Detectors;
import io.fabrichealth.detect.Thresholds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThresholdCatalogueTest {
  private static final String POLL = "budget.poll-seconds";

  @TempDir private Path folder;

  @Test
  void the_shipped_file_holds_all_that_the_detectors_ask_for() {
    assertThat(Detectors.standard(SignalCatalogue.load(), ThresholdCatalogue.load()).ports())
        .isNotEmpty();
  }

  @Test
  void every_threshold_says_what_it_means() {
    assertThat(ThresholdCatalogue.load().all())
        .isNotEmpty()
        .allSatisfy(one -> assertThat(one.meaning()).isNotBlank())
        .allSatisfy(one -> assertThat(one.unit()).isNotBlank())
        .allSatisfy(one -> assertThat(one.name()).matches("[a-z0-9-]+\\.[a-z0-9-]+"));
  }

  @Test
  void a_site_sets_some_and_keeps_the_others() throws IOException {
    Thresholds shipped = ThresholdCatalogue.load();

    Thresholds site = ThresholdCatalogue.read(write("budget: {poll-seconds: 30}\n"));

    assertThat(site.number(POLL)).isEqualTo(30).isNotEqualTo(shipped.number(POLL));
    assertThat(site.all()).hasSameSizeAs(shipped.all());
    assertThat(site).isNotEqualTo(shipped);
    assertThat(site.number("budget.statistics-per-link"))
        .isEqualTo(shipped.number("budget.statistics-per-link"));
  }

  @Test
  void a_file_that_sets_nothing_changes_nothing() throws IOException {
    assertThat(ThresholdCatalogue.read(write(""))).isEqualTo(ThresholdCatalogue.load());
    assertThat(ThresholdCatalogue.read(write("# nothing\nbudget:\n")))
        .isEqualTo(ThresholdCatalogue.load());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "budget: {poll-seconds: 0} | :1:24: budget.poll-seconds: '0' is out of range; allowed: 1 to 300, 10 where",
        "budget: {poll-seconds: soon} | 'soon' is no number; allowed: 1 to 300",
        "budget: {poll-seconds: .nan} | '.nan' is no number",
        "budget: {poll-seconds: NaN} | 'NaN' is no number",
        "budget: {poll-seconds: [1]} | what stands there is no number",
        "budget: {poll-second: 5} | unknown threshold 'poll-second', did you mean 'poll-seconds'?; allowed: false-alarms",
        "budgt: {poll-seconds: 5} | unknown section 'budgt', did you mean 'budget'?; allowed: ",
        "budget: 5 | budget: no object; allowed: thresholds by name",
        "5 | no object; allowed: sections of thresholds",
        "budget: {poll-seconds: 5, poll-seconds: 6} | not well-formed YAML"
      })
  void what_is_wrong_is_said_with_its_line_and_what_is_allowed(String yaml, String problem)
      throws IOException {
    Path file = write(yaml);

    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> ThresholdCatalogue.read(file))
        .withMessageContaining("thresholds.yaml:1:")
        .withMessageContaining(problem);
  }

  @Test
  void all_that_is_wrong_is_said_at_once() throws IOException {
    Path file = write("budget:\n  poll-seconds: 0\n  statistics-per-link: none\nother: {}\n");

    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> ThresholdCatalogue.read(file))
        .satisfies(e -> assertThat(e.problems()).hasSize(3))
        .withMessageContaining("thresholds.yaml:2:")
        .withMessageContaining("thresholds.yaml:3:")
        .withMessageContaining("thresholds.yaml:4:");
  }

  @Test
  void settings_name_the_file_and_are_refused_where_it_is_wrong() throws IOException {
    write("budget: {poll-seconds: 30}");
    Path config = folder.resolve("fabric-health.yaml");
    Files.writeString(config, "fabric-health: {thresholds: thresholds.yaml}");

    Settings settings = SettingsLoader.read(config, false);

    assertThat(settings.thresholds().number(POLL)).isEqualTo(30);
    assertThat(settings.files()).contains(folder.resolve("thresholds.yaml"));

    write("budget: {poll-seconds: 3000}");
    assertThatExceptionOfType(SettingsException.class)
        .isThrownBy(() -> SettingsLoader.read(config, false))
        .withMessageContaining("thresholds.yaml:1:24");
  }

  private Path write(String yaml) throws IOException {
    return Files.writeString(folder.resolve("thresholds.yaml"), yaml);
  }
}
