package io.fabrichealth.runtime;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Looks every two seconds whether a file of the settings changed, and hands new settings to the
 * listeners. Wrong ones are logged and counted; the service goes on with those it has.
 */
@Component
public class SettingsWatcher implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(SettingsWatcher.class);
  private static final Duration PERIOD = Duration.ofSeconds(2);

  private final SettingsLoader loader;
  private final ObjectProvider<SettingsListener> listeners;
  private final Counter applied;
  private final Counter rejected;
  private final Counter wrongLists;
  private final HttpDiscovery servers;
  private Settings current;
  private Map<Path, String> seen;
  private volatile boolean valid = true;
  private volatile boolean running;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("settings-watcher").factory());

  public SettingsWatcher(
      SettingsLoader loader,
      Settings settings,
      ObjectProvider<SettingsListener> listeners,
      MeterRegistry meters) {
    this.loader = loader;
    this.listeners = listeners;
    current = settings;
    seen = look();
    Gauge.builder("fabric.health.config.valid", this, watcher -> watcher.valid ? 1 : 0)
        .description("1 while the configuration files are those that the service runs with")
        .register(meters);
    applied = reloads(meters, "applied");
    rejected = reloads(meters, "rejected");
    wrongLists = discoveryFailures(meters, "wrong");
    Counter silent = discoveryFailures(meters, "unreachable");
    servers = new HttpDiscovery(loader.discovery(), silent::increment);
    Gauge.builder("fabric.health.discovery.lists.wrong", loader.discovery(), TargetDiscovery::wrong)
        .description("Lists of targets that are wrong, so that an earlier one stands")
        .register(meters);
  }

  private static Counter discoveryFailures(MeterRegistry meters, String reason) {
    return Counter.builder("fabric.health.discovery.failures")
        .description("Lists of targets that could not be had or were wrong")
        .tag("reason", reason)
        .register(meters);
  }

  private static Counter reloads(MeterRegistry meters, String outcome) {
    return Counter.builder("fabric.health.config.reloads")
        .description("Changes of the configuration files, by what became of them")
        .tag("outcome", outcome)
        .register(meters);
  }

  /** Reads the settings anew if a file changed since the last look. */
  synchronized void poll() {
    Map<Path, String> now = look();
    if (!servers.takeChanged() && now.equals(seen)) {
      return;
    }
    try {
      Settings settings = loader.reload();
      if (!settings.dataDir().equals(current.dataDir())) {
        log.warn(
            "event=config_needs_restart key=fabric-health.data-dir running={} configured={}",
            current.dataDir(),
            settings.dataDir());
      }
      servers.follow(loader.discovery().servers());
      say(settings);
      listeners.forEach(listener -> listener.changed(settings));
      current = settings;
      valid = true;
      applied.increment();
      log.info(
          "event=config_reloaded snmp_targets={} prometheus_targets={} gnmi_targets={}"
              + " infiniband_targets={} query_targets={}",
          settings.snmp().size(),
          settings.prometheus().size(),
          settings.gnmi().size(),
          settings.infiniband().size(),
          settings.queries().size());
    } catch (SettingsException e) {
      reject();
      e.problems().forEach(problem -> log.error("event=config_rejected problem=\"{}\"", problem));
    } catch (RuntimeException | Error e) {
      reject();
      log.error("event=config_rejected problem=\"a listener failed\"", e);
    }
    // a reload may have found other files to watch
    seen = look();
    now.forEach(seen::put);
  }

  private void say(Settings settings) {
    wrongLists.increment(loader.discovery().wrong());
    settings
        .leftOut()
        .forEach(problem -> log.warn("event=targets_left_out problem=\"{}\"", problem));
  }

  private void reject() {
    valid = false;
    rejected.increment();
  }

  private Map<Path, String> look() {
    Map<Path, String> found = new HashMap<>();
    loader.watched().forEach(file -> found.put(file, fingerprint(file)));
    return found;
  }

  private static String fingerprint(Path file) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey();
    } catch (IOException e) {
      return "absent";
    }
  }

  @Override
  public void start() {
    running = true;
    say(current);
    servers.follow(loader.discovery().servers());
    thread.scheduleWithFixedDelay(
        this::poll, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void stop() {
    running = false;
    thread.shutdownNow();
    servers.close();
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
