package io.fabrichealth.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabrichealth.collect.Collector;
import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class SettingsWatcherTest {
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final List<Settings> changes = new CopyOnWriteArrayList<>();

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

  @Test
  void a_list_of_targets_that_goes_wrong_leaves_the_former_one_and_stops_nothing_else()
      throws IOException {
    Path list = folder.resolve("list.json");
    Files.writeString(
        config,
        "fabric-health: {collect: {targets-file: targets.json,"
            + " prometheus: {file-sd: [{files: ['list*.json']}]}}}");
    Files.writeString(list, "[{\"targets\": [\"h7\", \"h8\"]}]");
    SettingsWatcher watcher = watcher();

    Files.writeString(list, "[{\"targets\": [\"h7\", ");
    Files.writeString(targets, targets("h1", "h2"));
    watcher.poll();

    assertThat(devices()).containsExactly("h1", "h2", "h7", "h8");
    assertThat(valid()).isEqualTo(1);
    assertThat(wrongLists()).isEqualTo(1);
    assertThat(failures("wrong")).isEqualTo(1);
    assertThat(changes.getLast().leftOut().toString()).contains("list.json:1:", "not well-formed");

    Files.writeString(list, "[{\"targets\": [\"h8\", \"h9\"]}]");
    watcher.poll();

    assertThat(devices()).containsExactly("h1", "h2", "h8", "h9");
    assertThat(wrongLists()).isZero();
    assertThat(changes.getLast().leftOut()).isEmpty();
  }

  @Test
  void lists_come_and_go_while_the_service_runs() throws IOException {
    Files.writeString(
        config, "fabric-health: {collect: {prometheus: {file-sd: [{files: ['list*.json']}]}}}");
    SettingsWatcher watcher = watcher();

    Files.writeString(folder.resolve("list-new.json"), "[{\"targets\": [\"h7\"]}]");
    watcher.poll();
    assertThat(devices()).containsExactly("h7");

    Files.delete(folder.resolve("list-new.json"));
    watcher.poll();
    assertThat(devices()).isEmpty();
    assertThat(valid()).isEqualTo(1);
  }

  @Test
  void a_target_that_did_not_change_goes_on_with_the_same_collector() throws IOException {
    Files.writeString(
        config,
        """
        fabric-health: {collect: {
          snmp: {v2c: {community: c}, file-sd: [{files: ['switches.json']}]},
          prometheus: {file-sd: [{files: ['list*.json']}]}}}
        """);
    Files.writeString(folder.resolve("switches.json"), "[{\"targets\": [\"leaf1\", \"leaf2\"]}]");
    Files.writeString(folder.resolve("list.json"), "[{\"targets\": [\"h7\", \"h8\"]}]");
    try (CollectorFactory factory =
        new CollectorFactory(SignalCatalogue.load(), InstantSource.system(), new LiveJobs())) {
      SettingsWatcher watcher = watcher();
      Map<String, Collector> before = byName(factory.create(SettingsLoader.read(config, true)));

      Files.writeString(
          folder.resolve("switches.json"), "[{\"targets\": [\"leaf2\", \"leaf1:1161\"]}]");
      watcher.poll();
      Map<String, Collector> after = byName(factory.create(changes.getLast()));

      assertThat(after.get("snmp leaf2")).isSameAs(before.get("snmp leaf2"));
      assertThat(after.get("prometheus h7")).isSameAs(before.get("prometheus h7"));
      assertThat(after.get("snmp leaf1")).isNotSameAs(before.get("snmp leaf1"));
      assertThat(after).hasSameSizeAs(before);
    }
  }

  private static Map<String, Collector> byName(List<Collector> collectors) {
    return collectors.stream()
        .collect(Collectors.toMap(one -> one.name() + " " + one.device(), one -> one));
  }

  @Test
  void the_list_of_a_server_is_taken_when_it_changes_and_stands_while_the_server_is_silent()
      throws IOException {
    AtomicReference<String> list = new AtomicReference<>("[{\"targets\": [\"h1\"]}]");
    AtomicInteger status = new AtomicInteger(200);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] bytes = list.get().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status.get(), bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    Files.writeString(
        config,
        "fabric-health: {collect: {prometheus: {http-sd: [{url: 'http://127.0.0.1:%d/',"
                .formatted(server.getAddress().getPort())
            + " refresh-interval: 1s}]}}}");
    SettingsWatcher watcher = watcher();
    watcher.start();
    try {
      await(() -> devices().equals(List.of("h1")));
      list.set("[{\"targets\": [\"h1\", \"h2\"]}]");
      await(() -> devices().equals(List.of("h1", "h2")));
      status.set(503);
      await(() -> failures("unreachable") > 0);
      assertThat(devices()).containsExactly("h1", "h2");
    } finally {
      watcher.stop();
      server.stop(0);
    }
  }

  private static void await(BooleanSupplier condition) {
    for (int i = 0; i < 300 && !condition.getAsBoolean(); i++) {
      LockSupport.parkNanos(100_000_000);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  private List<String> devices() {
    return changes.isEmpty()
        ? List.of()
        : changes.getLast().prometheus().stream().map(PrometheusTarget::device).toList();
  }

  private double wrongLists() {
    return meters.get("fabric.health.discovery.lists.wrong").gauge().value();
  }

  private double failures(String reason) {
    return meters.get("fabric.health.discovery.failures").tag("reason", reason).counter().count();
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
