package io.fabrichealth.runtime;

import io.fabrichealth.collect.gnmi.GnmiTarget;
import io.fabrichealth.runtime.SettingsProperties.GnmiEntry;
import io.fabrichealth.topology.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks switches that are subscribed to over gNMI. */
final class SettingsGnmi {
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int PORT = 9339; // registered by IANA
  private static final String PROFILE = "openconfig";
  private static final String SYSTEM = "system";

  private final SettingsBundles bundles;
  private final Duration interval;
  private final Duration timeout;
  private final List<GnmiTarget> targets = new ArrayList<>();
  private final Map<String, SettingsPlace> devices = new HashMap<>();

  SettingsGnmi(SettingsProperties.Gnmi all, SettingsEntry entry, SettingsBundles bundles) {
    this.bundles = bundles;
    interval = entry.duration("interval", all.interval(), INTERVAL);
    timeout = entry.duration("timeout", all.timeout(), TIMEOUT);
  }

  List<GnmiTarget> targets() {
    return targets;
  }

  /**
   * @param list key of the list below the entry
   */
  void add(@Nullable List<GnmiEntry> written, SettingsEntry entry, String list) {
    for (int i = 0; written != null && i < written.size(); i++) {
      if (written.get(i) != null) {
        targets.add(target(written.get(i), entry.at(list + "[" + i + "]")));
      }
    }
  }

  private GnmiTarget target(GnmiEntry written, SettingsEntry entry) {
    return new GnmiTarget(
        entry.unique("device", written.device(), devices),
        entry.role(written.role(), Role.SWITCH),
        entry.address(written.address()),
        entry.port("port", written.port(), PORT),
        written.profile() == null ? PROFILE : entry.required("profile", written.profile()),
        entry.duration("interval", written.interval(), interval),
        entry.duration("timeout", written.timeout(), timeout),
        tls(written, entry),
        user(written, entry));
  }

  private GnmiTarget.@Nullable Tls tls(GnmiEntry written, SettingsEntry entry) {
    String serverName =
        written.serverName() == null ? null : entry.required("server-name", written.serverName());
    if (written.tls() == null) {
      if (serverName != null) {
        entry.reject("server-name", "stands without 'tls'", "'tls' beside it");
      }
      return null;
    }
    String bundle = entry.required("tls", written.tls());
    return bundle.equals(SYSTEM)
        ? new GnmiTarget.Tls(null, null, null, serverName)
        : bundles.tls(bundle, serverName, entry);
  }

  private static GnmiTarget.@Nullable User user(GnmiEntry written, SettingsEntry entry) {
    if (written.user() == null) {
      if (written.password() != null || written.passwordFile() != null) {
        entry.reject("", "has a password and no 'user'", "both or neither");
      }
      return null;
    }
    return new GnmiTarget.User(
        entry.required("user", written.user()),
        entry.requiredSecret("password", written.password(), written.passwordFile()));
  }
}
