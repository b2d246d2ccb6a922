package io.fabrichealth.runtime;

import io.fabrichealth.collect.snmp.SnmpTarget;
import io.fabrichealth.runtime.SettingsProperties.SnmpEntry;
import io.fabrichealth.runtime.SettingsProperties.V2c;
import io.fabrichealth.runtime.SettingsProperties.V3;
import io.fabrichealth.topology.Role;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks switches that are read over SNMP. */
final class SettingsSnmp {
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final int PORT = 161;
  private static final int SHORTEST_PASSWORD = 8; // RFC 3414, 11.2

  private static final List<String> AUTH =
      List.of("SHA", "SHA224", "SHA256", "SHA384", "SHA512", "MD5");
  private static final List<String> PRIV = List.of("AES", "AES192", "AES256", "DES");

  private final SettingsProperties.Snmp all;
  private final boolean saysCredentials;
  private final Duration interval;
  private final SnmpTarget.@Nullable Community v2c;
  private final SnmpTarget.@Nullable User v3;
  private final SettingsList<SnmpEntry, SnmpTarget> targets =
      new SettingsList<>(this::target, SnmpTarget::device);

  SettingsSnmp(SettingsProperties.Snmp all, SettingsEntry entry) {
    this.all = all;
    interval = entry.duration("interval", all.interval(), INTERVAL);
    entry.timeout(all.timeout(), TIMEOUT, interval);
    saysCredentials = entry.says("v2c") || entry.says("v3");
    v2c = all.v2c() == null ? null : community(all.v2c(), entry.at("v2c"));
    v3 = all.v3() == null ? null : user(all.v3(), entry.at("v3"));
  }

  SettingsList<SnmpEntry, SnmpTarget> targets() {
    return targets;
  }

  private SnmpTarget target(
      SnmpEntry written, SettingsEntry entry, Map<String, SettingsPlace> names) {
    Duration every = entry.duration("interval", written.interval(), interval);
    Duration timeout =
        entry.timeout(written.timeout(), all.timeout() == null ? TIMEOUT : all.timeout(), every);
    // Its own credentials, right or wrong, stand instead of those for all, not beside them.
    boolean hasOwn = entry.says("v2c") || entry.says("v3");
    if (!hasOwn && v2c == null && v3 == null && !saysCredentials) {
      entry.reject("", "has no credentials", "'v2c' or 'v3', here or for all of the collector");
    }
    return new SnmpTarget(
        entry.unique("device", written.device(), names),
        entry.role(written.role(), Role.SWITCH),
        entry.address(written.address()),
        entry.port("port", written.port(), PORT),
        every,
        timeout,
        hasOwn ? written.v2c() == null ? null : community(written.v2c(), entry.at("v2c")) : v2c,
        hasOwn ? written.v3() == null ? null : user(written.v3(), entry.at("v3")) : v3);
  }

  private static SnmpTarget.Community community(V2c written, SettingsEntry entry) {
    return new SnmpTarget.Community(
        entry.requiredSecret("community", written.community(), written.communityFile()));
  }

  private static SnmpTarget.User user(V3 written, SettingsEntry entry) {
    entry.oneOf("level", written.level(), "authPriv", List.of("authPriv"));
    return new SnmpTarget.User(
        entry.required("user", written.user()),
        entry.oneOf("auth-protocol", written.authProtocol(), "SHA", AUTH),
        password(entry, "auth-password", written.authPassword(), written.authPasswordFile()),
        entry.oneOf("priv-protocol", written.privProtocol(), "AES", PRIV),
        password(entry, "priv-password", written.privPassword(), written.privPasswordFile()));
  }

  private static String password(
      SettingsEntry entry, String key, @Nullable String value, @Nullable String file) {
    String password = entry.requiredSecret(key, value, file);
    if (!password.isEmpty() && password.length() < SHORTEST_PASSWORD) {
      entry.reject(
          file == null ? key : key + "-file",
          "is too short for SNMP v3",
          SHORTEST_PASSWORD + " characters or more");
    }
    return password;
  }
}
