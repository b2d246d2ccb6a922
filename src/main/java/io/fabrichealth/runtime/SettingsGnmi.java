package io.fabrichealth.runtime;

import io.fabrichealth.collect.gnmi.GnmiCollectors;
import io.fabrichealth.collect.gnmi.GnmiTarget;
import io.fabrichealth.runtime.SettingsProperties.GnmiEntry;
import io.fabrichealth.topology.Role;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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

  /** Names of all, once they are needed. */
  private Set<String> profiles = Set.of();

  private final String profile;
  private final GnmiTarget.@Nullable Tls tls;
  private final GnmiTarget.@Nullable User user;
  private final SettingsList<GnmiEntry, GnmiTarget> targets =
      new SettingsList<>(this::target, GnmiTarget::device);

  SettingsGnmi(SettingsProperties.Gnmi all, SettingsEntry entry, SettingsBundles bundles) {
    this.bundles = bundles;
    interval = entry.duration("interval", all.interval(), INTERVAL);
    timeout = entry.duration("timeout", all.timeout(), TIMEOUT);
    profile = all.profile() == null ? PROFILE : profile(all.profile(), entry);
    tls = all.tls() == null ? null : tls(all.tls(), null, entry);
    user = user(all.user(), all.password(), all.passwordFile(), entry);
  }

  SettingsList<GnmiEntry, GnmiTarget> targets() {
    return targets;
  }

  private GnmiTarget target(
      GnmiEntry written, SettingsEntry entry, Map<String, SettingsPlace> names) {
    return new GnmiTarget(
        entry.unique("device", written.device(), names),
        entry.role(written.role(), Role.SWITCH),
        entry.address(written.address()),
        entry.port("port", written.port(), PORT),
        written.profile() == null ? profile : profile(written.profile(), entry),
        entry.duration("interval", written.interval(), interval),
        entry.duration("timeout", written.timeout(), timeout),
        tls(written, entry),
        written.user() == null && written.password() == null && written.passwordFile() == null
            ? user
            : user(written.user(), written.password(), written.passwordFile(), entry));
  }

  private String profile(String written, SettingsEntry entry) {
    String name = entry.required("profile", written);
    if (profiles.isEmpty() && !name.equals(PROFILE)) {
      profiles = GnmiCollectors.profiles(SignalCatalogue.load());
    }
    if (!name.isEmpty() && !name.equals(PROFILE) && !profiles.contains(name)) {
      entry.reject(
          "profile",
          SettingsNames.unknown("profile", name, profiles),
          String.join(", ", new TreeSet<>(profiles)));
    }
    return name;
  }

  private GnmiTarget.@Nullable Tls tls(GnmiEntry written, SettingsEntry entry) {
    String serverName =
        written.serverName() == null ? null : entry.required("server-name", written.serverName());
    if (written.tls() != null) {
      return tls(written.tls(), serverName, entry);
    }
    if (serverName == null || tls == null) {
      if (serverName != null) {
        entry.reject("server-name", "stands without 'tls'", "'tls' beside it");
      }
      return tls;
    }
    return new GnmiTarget.Tls(tls.caFile(), tls.certFile(), tls.keyFile(), serverName);
  }

  private GnmiTarget.@Nullable Tls tls(
      String written, @Nullable String serverName, SettingsEntry entry) {
    String bundle = entry.required("tls", written);
    return bundle.equals(SYSTEM)
        ? new GnmiTarget.Tls(null, null, null, serverName)
        : bundles.tls(bundle, serverName, entry);
  }

  private static GnmiTarget.@Nullable User user(
      @Nullable String name,
      @Nullable String password,
      @Nullable String passwordFile,
      SettingsEntry entry) {
    if (name == null) {
      if (password != null || passwordFile != null) {
        entry.reject("", "has a password and no 'user'", "both or neither");
      }
      return null;
    }
    return new GnmiTarget.User(
        entry.required("user", name), entry.requiredSecret("password", password, passwordFile));
  }
}
