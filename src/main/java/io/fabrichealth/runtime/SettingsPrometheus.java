package io.fabrichealth.runtime;

import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.runtime.SettingsProperties.PrometheusEntry;
import io.fabrichealth.topology.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Checks exporters that are scraped. */
final class SettingsPrometheus {
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final DataSize MAX_BYTES = DataSize.ofMegabytes(32);

  private final SettingsProperties.Prometheus all;
  private final Duration interval;
  private final long maxBytes;
  private final List<PrometheusTarget> targets = new ArrayList<>();
  private final Map<String, SettingsPlace> devices = new HashMap<>();

  SettingsPrometheus(SettingsProperties.Prometheus all, SettingsEntry entry) {
    this.all = all;
    interval = entry.duration("interval", all.interval(), INTERVAL);
    entry.timeout(all.timeout(), TIMEOUT, interval);
    maxBytes = entry.maxBytes(all.maxBytes(), MAX_BYTES.toBytes());
  }

  List<PrometheusTarget> targets() {
    return targets;
  }

  /**
   * @param list key of the list below the entry
   */
  void add(@Nullable List<PrometheusEntry> written, SettingsEntry entry, String list) {
    for (int i = 0; written != null && i < written.size(); i++) {
      if (written.get(i) != null) {
        targets.add(target(written.get(i), entry.at(list + "[" + i + "]")));
      }
    }
  }

  private PrometheusTarget target(PrometheusEntry written, SettingsEntry entry) {
    Duration every = entry.duration("interval", written.interval(), interval);
    Duration timeout =
        entry.timeout(written.timeout(), all.timeout() == null ? TIMEOUT : all.timeout(), every);
    SettingsAuthentication by =
        SettingsAuthentication.of(
            entry, written.bearerToken(), written.bearerTokenFile(), written.basic());
    Path ca = written.caFile() == null ? null : entry.file("ca-file", written.caFile());
    SettingsAuthentication.Basic basic = by.basic();
    return new PrometheusTarget(
        entry.unique("device", written.device(), devices),
        entry.role(written.role(), Role.HOST),
        entry.url("url", written.url()),
        every,
        timeout,
        entry.maxBytes(written.maxBytes(), maxBytes),
        by.bearerToken(),
        basic == null ? null : new PrometheusTarget.Basic(basic.user(), basic.password()),
        ca == null ? null : ca.toString());
  }
}
