package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabrichealth.notify.Receiver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsNotificationsTest {
  @TempDir private Path folder;

  @Test
  void receivers_are_read_with_their_secrets_and_never_print_them() throws IOException {
    Files.writeString(folder.resolve("hook.secret"), "hush-hush\n");
    Settings settings =
        read(
            """
            fabric-health:
              notifications:
                webhooks:
                  - name: chat
                    url: https://chat.example.org/hooks/7
                    secret-file: hook.secret
                    timeout: 3s
                alertmanagers:
                  - name: alerts
                    url: http://alertmanager.example.org:9093
                    basic: {user: ada, password: hush-hush}
                    allow-private: true
            """);

    assertThat(settings.receivers()).hasSize(2);
    Receiver chat = settings.receivers().getFirst();
    assertThat(chat.kind()).isEqualTo(Receiver.Kind.WEBHOOK);
    assertThat(chat.secret()).isEqualTo("hush-hush");
    assertThat(chat.timeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(chat.allowPrivate()).isFalse();
    Receiver alerts = settings.receivers().getLast();
    assertThat(alerts.authorization()).isEqualTo("Basic YWRhOmh1c2gtaHVzaA==");
    assertThat(alerts.allowPrivate()).isTrue();
    assertThat(settings.toString()).doesNotContain("hush").doesNotContain("YWRh");
    assertThat(settings.files()).contains(folder.resolve("hook.secret").toAbsolutePath());
  }

  @Test
  void what_is_missing_doubled_or_misspelt_is_told_by_its_key() {
    List<String> problems =
        problems(
            """
            fabric-health:
              notifications:
                webhooks:
                  - {name: a, url: "ftp://example.org"}
                  - {name: b, url: "https://example.org", secret: x, alow-private: true}
                alertmanagers:
                  - {name: a, url: "https://example.org"}
            """);

    assertThat(problems)
        .anyMatch(problem -> problem.contains("webhooks[0].url"))
        .anyMatch(problem -> problem.contains("'secret' is missing"))
        .anyMatch(problem -> problem.contains("alow-private"));
  }

  @Test
  void names_are_unique_over_both_kinds() {
    assertThat(
            problems(
                """
                fabric-health:
                  notifications:
                    webhooks:
                      - {name: a, url: "https://example.org", secret: x}
                    alertmanagers:
                      - {name: a, url: "https://example.org"}
                """))
        .singleElement()
        .asString()
        .contains("alertmanagers[0].name", "second time");
  }

  @Test
  void nobody_is_told_where_nobody_is_named() {
    assertThat(SettingsLoader.none().receivers()).isEmpty();
  }

  private List<String> problems(String yaml) {
    return catchThrowableOfType(SettingsException.class, () -> read(yaml)).problems().stream()
        .map(SettingsProblem::toString)
        .toList();
  }

  private Settings read(String yaml) {
    Path file = folder.resolve("fabric-health.yaml");
    try {
      Files.writeString(file, yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return SettingsLoader.read(file, false);
  }
}
