package io.fabrichealth.runtime;

import io.fabrichealth.collect.infiniband.InfinibandTarget;
import io.fabrichealth.runtime.SettingsProperties.InfinibandEntry;
import io.fabrichealth.runtime.SettingsProperties.Saved;
import io.fabrichealth.runtime.SettingsProperties.Tools;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Checks InfiniBand subnets. */
final class SettingsInfiniband {
  private static final Duration INTERVAL = Duration.ofSeconds(30);
  private static final Duration TOPOLOGY_INTERVAL = Duration.ofMinutes(5);
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final Path NOWHERE = Path.of("");

  private final SettingsProperties.Infiniband all;
  private final Duration interval;
  private final Duration topologyInterval;
  private final SettingsList<InfinibandEntry, InfinibandTarget> targets =
      new SettingsList<>(this::target, InfinibandTarget::name);

  SettingsInfiniband(SettingsProperties.Infiniband all, SettingsEntry entry) {
    this.all = all;
    interval = entry.duration("interval", all.interval(), INTERVAL);
    topologyInterval =
        entry.longDuration("topology-interval", all.topologyInterval(), TOPOLOGY_INTERVAL);
    entry.timeout(all.timeout(), TIMEOUT, interval);
  }

  SettingsList<InfinibandEntry, InfinibandTarget> targets() {
    return targets;
  }

  private InfinibandTarget target(
      InfinibandEntry written, SettingsEntry entry, Map<String, SettingsPlace> names) {
    Duration every = entry.duration("interval", written.interval(), interval);
    return new InfinibandTarget(
        entry.unique("name", written.name(), names),
        every,
        entry.longDuration("topology-interval", written.topologyInterval(), topologyInterval),
        entry.timeout(written.timeout(), all.timeout() == null ? TIMEOUT : all.timeout(), every),
        source(written, entry));
  }

  private static InfinibandTarget.Source source(InfinibandEntry written, SettingsEntry entry) {
    Saved saved = written.saved();
    Tools tools = written.tools();
    if (saved == null) {
      return tools == null
          ? new InfinibandTarget.Tools(List.of(), null, 0)
          : tools(tools, entry.at("tools"));
    }
    if (tools != null) {
      entry.reject("tools", "stands beside 'saved'", "one of the two");
    }
    return saved(saved, entry.at("saved"));
  }

  private static InfinibandTarget.Tools tools(Tools written, SettingsEntry entry) {
    List<String> command = new ArrayList<>();
    List<String> words = written.command() == null ? List.of() : written.command();
    for (int i = 0; i < words.size(); i++) {
      command.add(entry.required("command[" + i + "]", words.get(i)));
    }
    Integer caPort = written.caPort();
    if (caPort != null && (caPort < 1 || caPort > 254)) {
      entry.reject("ca-port", "'" + caPort + "' is out of range", "1 to 254");
    }
    return new InfinibandTarget.Tools(
        command,
        written.ca() == null ? null : entry.required("ca", written.ca()),
        caPort == null ? 0 : caPort);
  }

  private static InfinibandTarget.Saved saved(Saved written, SettingsEntry entry) {
    String discover = entry.required("discover", written.discover());
    Path discovered = discover.isEmpty() ? NOWHERE : entry.path("discover", discover);
    List<Path> counters = new ArrayList<>();
    List<String> files = written.counters() == null ? List.of() : written.counters();
    for (int i = 0; i < files.size(); i++) {
      String key = "counters[" + i + "]";
      Path path = entry.path(key, entry.required(key, files.get(i)));
      if (path != null) {
        counters.add(path);
      }
    }
    return new InfinibandTarget.Saved(Objects.requireNonNullElse(discovered, NOWHERE), counters);
  }
}
