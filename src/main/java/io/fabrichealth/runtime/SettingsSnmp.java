package io.fabrichealth.runtime;

import io.fabrichealth.collect.snmp.SnmpTarget;
import io.fabrichealth.runtime.SettingsProperties.SnmpEntry;
import io.fabrichealth.runtime.SettingsProperties.V2c;
import io.fabrichealth.runtime.SettingsProperties.V3;
import io.fabrichealth.topology.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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
  private final Duration interval;
  private final List<SnmpTarget> targets = new ArrayList<>();
  private final Map<String, SettingsPlace> devices = new HashMap<>();

  SettingsSnmp(SettingsProperties.Snmp all, SettingsEntry entry) {
    this.all = all;
    interval = entry.duration("interval", all.interval(), INTERVAL);
    entry.timeout(all.timeout(), TIMEOUT, interval);
  }

  List<SnmpTarget> targets() {
    return targets;
  }

  /**
   * @param list key of the list below the entry
   */
  void add(@Nullable List<SnmpEntry> written, SettingsEntry entry, String list) {
    for (int i = 0; written != null && i < written.size(); i++) {
      // an element that could not be bound was said already
      if (written.get(i) != null) {
        targets.add(target(written.get(i), entry.at(list + "[" + i + "]")));
      }
    }
  }

  private SnmpTarget target(SnmpEntry written, SettingsEntry entry) {
    Duration every = entry.duration("interval", written.interval(), interval);
    Duration timeout =
        entry.timeout(written.timeout(), all.timeout() == null ? TIMEOUT : all.timeout(), every);
    if (written.v2c() == null && written.v3() == null && !entry.says("v2c") && !entry.says("v3")) {
      entry.reject("", "has no credentials", "'v2c' or 'v3'");
    }
    return new SnmpTarget(
        entry.unique("device", written.device(), devices),
        entry.role(written.role(), Role.SWITCH),
        entry.address(written.address()),
        entry.port("port", written.port(), PORT),
        every,
        timeout,
        written.v2c() == null ? null : community(written.v2c(), entry.at("v2c")),
        written.v3() == null ? null : user(written.v3(), entry.at("v3")));
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
