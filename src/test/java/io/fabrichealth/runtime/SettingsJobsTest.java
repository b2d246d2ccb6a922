package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsJobsTest {
  @TempDir private Path folder;

  @Test
  void absent_they_are_the_documented_ones_and_nothing_is_watched() {
    assertThat(SettingsLoader.none().uploads())
        .isEqualTo(
            new SettingsJobs(
                1L << 30,
                16L << 30,
                5_000_000,
                null,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30)));
  }

  @Test
  void each_can_be_set() throws IOException {
    String written =
        "{max-upload: 2MB, max-unpacked: 3GB, max-kept-entries: 0, watch: ./later,"
            + " watch-interval: 1m, watch-settled: 5s}";

    assertThat(SettingsLoader.read(file(written), false).uploads())
        .isEqualTo(
            new SettingsJobs(
                2L << 20,
                3L << 30,
                0,
                folder.toRealPath().resolve("later"),
                Duration.ofMinutes(1),
                Duration.ofSeconds(5)));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          max-upload: 0           | max-upload       | 1KB to 1024GB
          max-upload: 2048GB      | max-upload       | 1KB to 1024GB
          max-upload: much        | max-upload       | a size such as
          max-unpacked: -1        | max-unpacked     | 1KB to 1024GB
          max-kept-entries: -1    | max-kept-entries | 0 to 1000000000
          max-kept-entries: 2000000000 | max-kept-entries | 0 to 1000000000
          max-kept-entries: many  | max-kept-entries | a whole number
          max-uplaod: 1GB         | max-uplaod       | did you mean 'max-upload'
          watch: ""               | watch            | the path of a directory
          watch: fabric-health.yaml | watch          | the path of a directory
          watch: "a\\0b"          | watch            | a path
          watch-interval: 1ms     | watch-interval   | 100ms to 1h
          watch-settled: 2h       | watch-settled    | 100ms to 1h
          """)
  void what_is_wrong_is_named_with_line_key_and_what_is_allowed(
      String written, String key, String allowed) throws IOException {
    Path file = file("{\n" + written + "}");

    SettingsException refused =
        catchThrowableOfType(SettingsException.class, () -> SettingsLoader.read(file, false));

    assertThat(refused.problems()).hasSize(1);
    SettingsProblem problem = refused.problems().getFirst();
    assertThat(problem.line()).isEqualTo(2);
    assertThat(problem.key()).isEqualTo("fabric-health.jobs." + key);
    assertThat(problem.toString()).contains(allowed);
  }

  private Path file(String jobs) throws IOException {
    return Files.writeString(
        folder.toRealPath().resolve("fabric-health.yaml"), "fabric-health: {jobs: " + jobs + "}");
  }
}
