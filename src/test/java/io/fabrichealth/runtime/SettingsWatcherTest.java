package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class SettingsWatcherTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<Settings> changes = new ArrayList<>();

  @TempDir private Path folder;
  private Path config;
  private Path targets;

  @BeforeEach
  void write_files() throws IOException {
    config = folder.resolve("fabric-health.yaml");
    targets = folder.resolve("targets.json");
    Files.writeString(config, "fabric-health: {collect: {targets-file: targets.json}}");
    Files.writeString(targets, targets("h1"));
  }

  @Test
  void nothing_is_told_while_no_file_changes() {
    SettingsWatcher watcher = watcher();

    watcher.poll();

    assertThat(changes).isEmpty();
    assertThat(valid()).isEqualTo(1);
  }

  @Test
  void a_changed_file_gives_new_settings_to_the_listener() throws IOException {
    SettingsWatcher watcher = watcher();

    Files.writeString(targets, targets("h1", "h2"));
    watcher.poll();
    watcher.poll();

    assertThat(changes).hasSize(1);
    assertThat(changes.getFirst().prometheus()).hasSize(2);
    assertThat(reloads("applied")).isEqualTo(1);
  }

  @Test
  void a_wrong_file_is_counted_once_and_a_corrected_one_taken() throws IOException {
    SettingsWatcher watcher = watcher();

    Files.writeString(config, "fabric-health: {colect: {targets-file: targets.json}}");
    watcher.poll();
    watcher.poll();

    assertThat(changes).isEmpty();
    assertThat(valid()).isZero();
    assertThat(reloads("rejected")).isEqualTo(1);

    Files.writeString(config, "fabric-health: {collect: {prometheus: {interval: 3s}}}");
    watcher.poll();

    assertThat(changes).hasSize(1);
    assertThat(valid()).isEqualTo(1);
  }

  @Test
  void a_malformed_file_leaves_the_settings_as_they_were() throws IOException {
    SettingsWatcher watcher = watcher();

    Files.writeString(config, "fabric-health: {collect: [");
    watcher.poll();

    assertThat(changes).isEmpty();
    assertThat(reloads("rejected")).isEqualTo(1);
  }

  @Test
  void a_file_that_has_gone_does_not_empty_the_settings() throws IOException {
    SettingsWatcher watcher = watcher();

    Files.delete(config);
    watcher.poll();

    assertThat(changes).isEmpty();
    assertThat(valid()).isZero();

    Files.writeString(config, "fabric-health: {collect: {targets-file: targets.json}}");
    watcher.poll();

    assertThat(changes).hasSize(1);
    assertThat(valid()).isEqualTo(1);
  }

  @Test
  void a_file_that_was_missing_is_taken_when_it_comes() throws IOException {
    SettingsWatcher watcher = watcher();
    Files.writeString(config, "fabric-health: {collect: {targets-file: other.json}}");
    watcher.poll();
    assertThat(changes).isEmpty();

    Files.writeString(folder.resolve("other.json"), targets("h9"));
    watcher.poll();

    assertThat(changes).hasSize(1);
    assertThat(changes.getFirst().prometheus().getFirst().device()).isEqualTo("h9");
  }

  @Test
  void a_listener_that_fails_is_counted_and_the_next_change_is_still_told() throws IOException {
    SettingsWatcher watcher =
        watcher(
            settings -> {
              changes.add(settings);
              throw new IllegalStateException("no");
            });

    Files.writeString(targets, targets("h1", "h2"));
    watcher.poll();
    Files.writeString(targets, targets("h1", "h2", "h3"));
    watcher.poll();

    assertThat(changes).hasSize(2);
    assertThat(reloads("rejected")).isEqualTo(2);
  }

  private SettingsWatcher watcher() {
    return watcher(changes::add);
  }

  private SettingsWatcher watcher(SettingsListener listener) {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("args", Map.of(SettingsLoader.LOCATION, "file:" + config)));
    ConfigDataEnvironmentPostProcessor.applyTo(environment);
    SettingsLoader loader = SettingsLoader.of(environment);
    Settings settings = loader.load();
    StaticListableBeanFactory beans = new StaticListableBeanFactory();
    beans.addBean("listener", listener);
    return new SettingsWatcher(
        loader, settings, beans.getBeanProvider(SettingsListener.class), meters);
  }

  private double valid() {
    return meters.get("fabric.health.config.valid").gauge().value();
  }

  private double reloads(String outcome) {
    return meters.get("fabric.health.config.reloads").tag("outcome", outcome).counter().count();
  }

  private static String targets(String... devices) {
    List<String> entries = new ArrayList<>();
    for (String device : devices) {
      entries.add("{\"device\": \"%1$s\", \"url\": \"http://%1$s/\"}".formatted(device));
    }
    return "{\"exporters\": [" + String.join(", ", entries) + "]}";
  }
}
