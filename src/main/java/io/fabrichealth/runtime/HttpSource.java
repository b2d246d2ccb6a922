package io.fabrichealth.runtime;

import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.runtime.SettingsProperties.HttpSd;
import io.fabrichealth.topology.Role;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.util.unit.DataSize;

/**
 * A server that lists targets.
 *
 * @param refreshInterval from one request to the next
 * @param page how the list is fetched
 */
record HttpSource(TargetGroups.Kind kind, Duration refreshInterval, PrometheusTarget page) {
  private static final Duration REFRESH = Duration.ofMinutes(1);
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final DataSize MAX_BYTES = DataSize.ofMegabytes(16);

  static HttpSource of(HttpSd written, TargetGroups.Kind kind, SettingsEntry entry) {
    Duration refresh = entry.longDuration("refresh-interval", written.refreshInterval(), REFRESH);
    if (refresh.compareTo(SHORTEST) < 0) {
      entry.reject(
          "refresh-interval", "'" + Settings.text(refresh) + "' is out of range", "1s to 24h");
    }
    SettingsAuthentication by =
        SettingsAuthentication.of(
            entry, written.bearerToken(), written.bearerTokenFile(), written.basic());
    SettingsAuthentication.Basic basic = by.basic();
    Path ca = written.caFile() == null ? null : entry.file("ca-file", written.caFile());
    return new HttpSource(
        kind,
        refresh,
        new PrometheusTarget(
            "http-sd",
            Role.SWITCH,
            entry.url("url", written.url()),
            refresh,
            entry.duration("timeout", written.timeout(), TIMEOUT),
            entry.maxBytes(written.maxBytes(), MAX_BYTES.toBytes()),
            by.bearerToken(),
            basic == null ? null : new PrometheusTarget.Basic(basic.user(), basic.password()),
            ca == null ? null : ca.toString()));
  }

  /** The server, as people say it; without what a query may hold. */
  String name() {
    return page.address();
  }

  /** Of the list, however often and by whose right it is asked for. */
  String key() {
    return kind + " " + page.url();
  }
}
