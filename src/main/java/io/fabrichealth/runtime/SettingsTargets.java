package io.fabrichealth.runtime;

import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.collect.snmp.SnmpTarget;
import io.fabrichealth.runtime.SettingsProperties.Basic;
import io.fabrichealth.runtime.SettingsProperties.PrometheusEntry;
import io.fabrichealth.runtime.SettingsProperties.SnmpEntry;
import io.fabrichealth.runtime.SettingsProperties.V2c;
import io.fabrichealth.runtime.SettingsProperties.V3;
import io.fabrichealth.topology.Role;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Checks targets as they are written, and fills in what the collectors say for all of theirs. */
final class SettingsTargets {
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Duration SNMP_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration SCRAPE_TIMEOUT = Duration.ofSeconds(5);
  private static final DataSize MAX_BYTES = DataSize.ofMegabytes(32);
  private static final int SHORTEST_PASSWORD = 8; // RFC 3414, 11.2

  /** Stands for a wrong one until all that is wrong has been found. */
  private static final URI NOT_USED = URI.create("http://localhost");

  private static final List<String> AUTH =
      List.of("SHA", "SHA224", "SHA256", "SHA384", "SHA512", "MD5");
  private static final List<String> PRIV = List.of("AES", "AES192", "AES256", "DES");

  private final SettingsProperties.Snmp snmp;
  private final SettingsProperties.Prometheus prometheus;
  private final Duration snmpInterval;
  private final Duration scrapeInterval;
  private final List<SnmpTarget> snmpTargets = new ArrayList<>();
  private final List<PrometheusTarget> prometheusTargets = new ArrayList<>();
  private final Map<String, SettingsPlace> snmpDevices = new HashMap<>();
  private final Map<String, SettingsPlace> prometheusDevices = new HashMap<>();

  SettingsTargets(SettingsProperties.Collect collect, SettingsEntry entry) {
    snmp = collect.snmp();
    prometheus = collect.prometheus();
    SettingsEntry ofSnmp = entry.at("snmp");
    snmpInterval = ofSnmp.duration("interval", snmp.interval(), INTERVAL);
    ofSnmp.timeout(snmp.timeout(), SNMP_TIMEOUT, snmpInterval);
    SettingsEntry ofPrometheus = entry.at("prometheus");
    scrapeInterval = ofPrometheus.duration("interval", prometheus.interval(), INTERVAL);
    ofPrometheus.timeout(prometheus.timeout(), SCRAPE_TIMEOUT, scrapeInterval);
    maxBytes(ofPrometheus, prometheus.maxBytes(), MAX_BYTES.toBytes());
  }

  List<SnmpTarget> snmp() {
    return snmpTargets;
  }

  List<PrometheusTarget> prometheus() {
    return prometheusTargets;
  }

  /**
   * @param list key of the list below the entry
   */
  void addSnmp(@Nullable List<SnmpEntry> written, SettingsEntry entry, String list) {
    for (int i = 0; written != null && i < written.size(); i++) {
      // an element that could not be bound was said already
      if (written.get(i) != null) {
        snmpTargets.add(snmpTarget(written.get(i), entry.at(list + "[" + i + "]")));
      }
    }
  }

  /**
   * @param list key of the list below the entry
   */
  void addPrometheus(@Nullable List<PrometheusEntry> written, SettingsEntry entry, String list) {
    for (int i = 0; written != null && i < written.size(); i++) {
      if (written.get(i) != null) {
        prometheusTargets.add(prometheusTarget(written.get(i), entry.at(list + "[" + i + "]")));
      }
    }
  }

  private SnmpTarget snmpTarget(SnmpEntry written, SettingsEntry entry) {
    Duration interval = entry.duration("interval", written.interval(), snmpInterval);
    Duration timeout =
        entry.timeout(
            written.timeout(), snmp.timeout() == null ? SNMP_TIMEOUT : snmp.timeout(), interval);
    int port = written.port() == null ? 161 : written.port();
    if (port < 1 || port > 65_535) {
      entry.reject("port", "'" + port + "' is out of range", "1 to 65535");
    }
    String address = entry.required("address", written.address());
    if (address.contains("/") || address.contains(" ")) {
      entry.reject("address", "'" + address + "' is no address", "a host name or an IP address");
    }
    if (written.v2c() == null && written.v3() == null && !entry.says("v2c") && !entry.says("v3")) {
      entry.reject("", "has no credentials", "'v2c' or 'v3'");
    }
    return new SnmpTarget(
        device(written.device(), entry, snmpDevices),
        entry.role(written.role(), Role.SWITCH),
        address,
        port,
        interval,
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

  private PrometheusTarget prometheusTarget(PrometheusEntry written, SettingsEntry entry) {
    Duration interval = entry.duration("interval", written.interval(), scrapeInterval);
    Duration timeout =
        entry.timeout(
            written.timeout(),
            prometheus.timeout() == null ? SCRAPE_TIMEOUT : prometheus.timeout(),
            interval);
    String bearer = entry.secret("bearer-token", written.bearerToken(), written.bearerTokenFile());
    if (bearer != null && written.basic() != null) {
      entry.reject("basic", "stands beside a bearer token", "one of the two");
    }
    Path ca = written.caFile() == null ? null : entry.file("ca-file", written.caFile());
    DataSize ofAll = prometheus.maxBytes() == null ? MAX_BYTES : prometheus.maxBytes();
    return new PrometheusTarget(
        device(written.device(), entry, prometheusDevices),
        entry.role(written.role(), Role.HOST),
        url(entry, entry.required("url", written.url())),
        interval,
        timeout,
        maxBytes(entry, written.maxBytes(), ofAll.toBytes()),
        bearer,
        written.basic() == null ? null : basic(written.basic(), entry.at("basic")),
        ca == null ? null : ca.toString());
  }

  private static PrometheusTarget.Basic basic(Basic written, SettingsEntry entry) {
    return new PrometheusTarget.Basic(
        entry.required("user", written.user()),
        entry.requiredSecret("password", written.password(), written.passwordFile()));
  }

  private static long maxBytes(SettingsEntry entry, @Nullable DataSize written, long absent) {
    if (written == null) {
      return absent;
    }
    if (written.compareTo(DataSize.ofKilobytes(1)) < 0
        || written.compareTo(DataSize.ofGigabytes(1)) > 0) {
      entry.reject("max-bytes", "'" + written + "' is out of range", "1KB to 1GB");
    }
    return written.toBytes();
  }

  private static final int LARGEST_PORT = 65_535;

  private static URI url(SettingsEntry entry, String written) {
    String allowed = "http://host:port/path or https://host:port/path, without user or password";
    String shown = written.replaceFirst("\\?.*", ""); // a query may hold a secret
    if (written.isEmpty()) {
      return NOT_USED;
    }
    try {
      URI url = URI.create(written);
      if (url.getRawUserInfo() != null) {
        entry.reject("url", "holds credentials", allowed);
      } else if (url.getHost() == null
          || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
        entry.reject("url", "'" + shown + "' is no URL that can be scraped", allowed);
      } else if (url.getPort() == 0 || url.getPort() > LARGEST_PORT) {
        entry.reject("url", "port " + url.getPort() + " is out of range", "a port of 1 to 65535");
      } else {
        return url;
      }
    } catch (IllegalArgumentException e) {
      entry.reject("url", "'" + shown + "' is no URL", allowed);
    }
    return NOT_USED;
  }

  private static String device(
      @Nullable String written, SettingsEntry entry, Map<String, SettingsPlace> seen) {
    String device = entry.required("device", written);
    if (device.isEmpty()) {
      return device;
    }
    SettingsPlace here = entry.place("device");
    SettingsPlace before = seen.putIfAbsent(device, here);
    if (before != null) {
      entry.reject(
          "device",
          "'" + device + "' stands here a second time, the first is at " + before.where(),
          "each device once in a collector");
    }
    return device;
  }
}
