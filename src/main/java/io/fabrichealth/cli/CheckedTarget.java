package io.fabrichealth.cli;

import io.fabrichealth.collect.gnmi.GnmiTarget;
import io.fabrichealth.collect.infiniband.InfinibandTarget;
import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.collect.query.QueryTarget;
import io.fabrichealth.collect.snmp.SnmpTarget;
import io.fabrichealth.collect.torchdebug.TorchDebugTarget;
import io.fabrichealth.runtime.Settings;
import io.fabrichealth.runtime.TargetTrial;
import io.fabrichealth.topology.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A target without its secrets.
 *
 * @param device name of the device, or of a target that tells of many
 * @param role empty where it tells of many
 * @param seen null where it was not tried
 */
record CheckedTarget(
    String device,
    String role,
    String collector,
    String address,
    String interval,
    String authentication,
    @Nullable Seen seen) {

  /**
   * What one pass saw of it.
   *
   * @param sees families of signals, with the number of ports
   * @param doesNotSee families, with the reason
   * @param failure what was wrong with the pass; null where nothing was
   */
  record Seen(
      boolean reached,
      int devices,
      int ports,
      int probes,
      Map<String, Integer> sees,
      Map<String, String> doesNotSee,
      @Nullable String failure) {

    static Seen of(TargetTrial.Result result, List<String> families) {
      Map<String, String> missing = new TreeMap<>();
      if (result.reached()) {
        for (String family : families) {
          if (!result.families().containsKey(family)) {
            missing.put(family, result.unreadable().getOrDefault(family, "not given"));
          }
        }
      }
      return new Seen(
          result.reached(),
          result.devices(),
          result.ports(),
          result.probes(),
          new TreeMap<>(result.families()),
          missing,
          result.failure() == null ? null : result.failure() + ": " + result.message());
    }
  }

  static List<CheckedTarget> all(Settings settings) {
    List<CheckedTarget> targets = new ArrayList<>();
    settings.snmp().forEach(target -> targets.add(of(target)));
    settings.prometheus().forEach(target -> targets.add(of(target)));
    settings.gnmi().forEach(target -> targets.add(of(target)));
    settings.infiniband().forEach(target -> targets.add(of(target)));
    settings.queries().forEach(target -> targets.add(of(target)));
    settings.jobs().forEach(target -> targets.add(of(target)));
    return targets;
  }

  CheckedTarget with(Seen result) {
    return new CheckedTarget(device, role, collector, address, interval, authentication, result);
  }

  /** Collector and name, as the result of a trial has them. */
  String key() {
    return collector + " " + device;
  }

  private static CheckedTarget of(SnmpTarget target) {
    SnmpTarget.User user = target.v3();
    return new CheckedTarget(
        target.device(),
        role(target.role()),
        "snmp",
        target.address() + ":" + target.port(),
        Settings.text(target.interval()),
        user == null
            ? "v2c"
            : "v3 " + user.user() + " " + user.authProtocol() + "/" + user.privProtocol(),
        null);
  }

  private static CheckedTarget of(PrometheusTarget target) {
    PrometheusTarget.Basic basic = target.basic();
    return new CheckedTarget(
        target.device(),
        role(target.role()),
        "prometheus",
        target.address(),
        Settings.text(target.interval()),
        http(basic == null ? null : basic.user(), target.bearerToken() != null),
        null);
  }

  private static CheckedTarget of(GnmiTarget target) {
    GnmiTarget.Tls tls = target.tls();
    GnmiTarget.User user = target.user();
    String transport = tls == null ? "no TLS" : tls.certFile() == null ? "TLS" : "mutual TLS";
    return new CheckedTarget(
        target.device(),
        role(target.role()),
        "gnmi",
        target.address() + ":" + target.port() + " " + target.profile(),
        Settings.text(target.interval()),
        user == null ? transport : transport + ", user " + user.name(),
        null);
  }

  private static CheckedTarget of(InfinibandTarget target) {
    String source =
        switch (target.source()) {
          case InfinibandTarget.Tools tools ->
              String.join(" ", tools.command())
                  + (tools.command().isEmpty() ? "" : " ")
                  + "ibnetdiscover, perfquery";
          case InfinibandTarget.Saved saved -> saved.discover().toString();
        };
    return new CheckedTarget(
        target.name(), "", "infiniband", source, Settings.text(target.interval()), "none", null);
  }

  private static CheckedTarget of(QueryTarget target) {
    QueryTarget.Basic basic = target.basic();
    return new CheckedTarget(
        target.name(),
        "",
        "prometheus-query",
        target.url().getScheme()
            + "://"
            + target.url().getRawAuthority()
            + target.url().getRawPath(),
        Settings.text(target.interval()),
        http(basic == null ? null : basic.user(), target.bearerToken() != null),
        null);
  }

  private static CheckedTarget of(TorchDebugTarget target) {
    return new CheckedTarget(
        target.name(),
        "",
        "torch-debug",
        target.workers().size() + " ranks, the first at " + target.workers().getFirst().url(),
        Settings.text(target.interval()),
        "none",
        null);
  }

  private static String http(@Nullable String user, boolean bearer) {
    return user != null ? "basic " + user : bearer ? "bearer" : "none";
  }

  private static String role(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }
}
