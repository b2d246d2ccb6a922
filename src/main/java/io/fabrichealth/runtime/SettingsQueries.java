package io.fabrichealth.runtime;

import io.fabrichealth.collect.query.QueryTarget;
import io.fabrichealth.runtime.SettingsProperties.QueryEntry;
import io.fabrichealth.topology.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Checks time-series databases that are asked for what exporters said. */
final class SettingsQueries {
  private static final Duration INTERVAL = Duration.ofSeconds(15);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final String DEVICE_LABEL = "instance";

  /** What stands before a port; also of an IPv6 address in brackets. */
  private static final String DEVICE_PATTERN = "^\\[?(.+?)\\]?(?::\\d+)?$";

  /** Of a label's name, as the data model of Prometheus has it. */
  private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

  private final SettingsProperties.PrometheusQuery all;
  private final Duration interval;
  private final SettingsList<QueryEntry, QueryTarget> targets =
      new SettingsList<>(this::target, QueryTarget::name);

  SettingsQueries(SettingsProperties.PrometheusQuery all, SettingsEntry entry) {
    this.all = all;
    interval = entry.duration("interval", all.interval(), INTERVAL);
    entry.timeout(all.timeout(), TIMEOUT, interval);
  }

  SettingsList<QueryEntry, QueryTarget> targets() {
    return targets;
  }

  private QueryTarget target(
      QueryEntry written, SettingsEntry entry, Map<String, SettingsPlace> names) {
    Duration every = entry.duration("interval", written.interval(), interval);
    SettingsAuthentication by =
        SettingsAuthentication.of(
            entry, written.bearerToken(), written.bearerTokenFile(), written.basic());
    SettingsAuthentication.Basic basic = by.basic();
    Path ca = written.caFile() == null ? null : entry.file("ca-file", written.caFile());
    return new QueryTarget(
        entry.unique("name", written.name(), names),
        entry.url("url", written.url()),
        match(written.match(), entry),
        label(written.deviceLabel(), entry),
        pattern(written.devicePattern(), entry),
        entry.role(written.role(), Role.HOST),
        every,
        entry.timeout(written.timeout(), all.timeout() == null ? TIMEOUT : all.timeout(), every),
        by.bearerToken(),
        basic == null ? null : new QueryTarget.Basic(basic.user(), basic.password()),
        ca == null ? null : ca.toString());
  }

  private static Map<String, String> match(@Nullable List<String> written, SettingsEntry entry) {
    Map<String, String> labels = new LinkedHashMap<>();
    for (int i = 0; written != null && i < written.size(); i++) {
      String matcher = entry.required("match[" + i + "]", written.get(i));
      int equals = matcher.indexOf('=');
      String label = equals < 0 ? "" : matcher.substring(0, equals).strip();
      if (LABEL.matcher(label).matches()) {
        labels.put(label, matcher.substring(equals + 1).strip());
      } else if (!matcher.isEmpty()) {
        entry.reject("match[" + i + "]", "'" + matcher + "' is no matcher", "label=value");
      }
    }
    return labels;
  }

  private static String label(@Nullable String written, SettingsEntry entry) {
    String label = written == null ? DEVICE_LABEL : entry.required("device-label", written);
    if (!label.isEmpty() && !LABEL.matcher(label).matches()) {
      entry.reject("device-label", "'" + label + "' is no name of a label", "letters, digits, _");
    }
    return label;
  }

  private static String pattern(@Nullable String written, SettingsEntry entry) {
    String pattern = written == null ? DEVICE_PATTERN : entry.required("device-pattern", written);
    try {
      if (!pattern.isEmpty() && Pattern.compile(pattern).matcher("").groupCount() == 0) {
        entry.reject("device-pattern", "has no group", "an expression with the name in ( )");
      }
    } catch (PatternSyntaxException e) {
      entry.reject(
          "device-pattern",
          "is no regular expression: " + e.getDescription(),
          "an expression with the name in ( )");
    }
    return pattern;
  }
}
