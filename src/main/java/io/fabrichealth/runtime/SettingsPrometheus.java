package io.fabrichealth.runtime;

import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.runtime.SettingsProperties.PrometheusEntry;
import io.fabrichealth.topology.Role;
import java.nio.file.Path;
import java.time.Duration;
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
  private final SettingsAuthentication authentication;
  private final @Nullable Path caFile;
  private final SettingsList<PrometheusEntry, PrometheusTarget> targets =
      new SettingsList<>(this::target, PrometheusTarget::device);

  SettingsPrometheus(SettingsProperties.Prometheus all, SettingsEntry entry) {
    this.all = all;
    interval = entry.duration("interval", all.interval(), INTERVAL);
    entry.timeout(all.timeout(), TIMEOUT, interval);
    maxBytes = entry.maxBytes(all.maxBytes(), MAX_BYTES.toBytes());
    authentication =
        SettingsAuthentication.of(entry, all.bearerToken(), all.bearerTokenFile(), all.basic());
    caFile = all.caFile() == null ? null : entry.file("ca-file", all.caFile());
  }

  SettingsList<PrometheusEntry, PrometheusTarget> targets() {
    return targets;
  }

  private PrometheusTarget target(
      PrometheusEntry written, SettingsEntry entry, Map<String, SettingsPlace> names) {
    Duration every = entry.duration("interval", written.interval(), interval);
    Duration timeout =
        entry.timeout(written.timeout(), all.timeout() == null ? TIMEOUT : all.timeout(), every);
    SettingsAuthentication by =
        SettingsAuthentication.of(
            entry, written.bearerToken(), written.bearerTokenFile(), written.basic());
    if (by.isNone()) {
      by = authentication;
    }
    Path ca = written.caFile() == null ? caFile : entry.file("ca-file", written.caFile());
    SettingsAuthentication.Basic basic = by.basic();
    return new PrometheusTarget(
        entry.unique("device", written.device(), names),
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
