package io.fabrichealth.runtime;

import io.fabrichealth.collect.gnmi.GnmiTarget;
import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.collect.snmp.SnmpTarget;
import java.util.List;

/** Checks targets as they are written, and fills in what the collectors say for all of theirs. */
final class SettingsTargets {
  private final SettingsSnmp snmp;
  private final SettingsPrometheus prometheus;
  private final SettingsGnmi gnmi;
  private final SettingsInfiniband infiniband;
  private final SettingsQueries queries;
  private final SettingsTorchDebug jobs;

  SettingsTargets(
      SettingsProperties.Collect collect, SettingsEntry entry, SettingsBundles bundles) {
    snmp = new SettingsSnmp(collect.snmp(), entry.at("snmp"));
    prometheus = new SettingsPrometheus(collect.prometheus(), entry.at("prometheus"));
    gnmi = new SettingsGnmi(collect.gnmi(), entry.at("gnmi"), bundles);
    infiniband = new SettingsInfiniband(collect.infiniband(), entry.at("infiniband"));
    queries = new SettingsQueries(collect.prometheusQuery(), entry.at("prometheus-query"));
    jobs = new SettingsTorchDebug(collect.torchDebug(), entry.at("torch-debug"));
  }

  /** Those of the main configuration. */
  void add(SettingsProperties.Collect collect, SettingsEntry entry) {
    snmp.targets().add(collect.snmp().targets(), entry.at("snmp"), "targets");
    prometheus.targets().add(collect.prometheus().targets(), entry.at("prometheus"), "targets");
    gnmi.targets().add(collect.gnmi().targets(), entry.at("gnmi"), "targets");
    infiniband.targets().add(collect.infiniband().targets(), entry.at("infiniband"), "targets");
    queries
        .targets()
        .add(collect.prometheusQuery().targets(), entry.at("prometheus-query"), "targets");
    jobs.targets().add(collect.torchDebug().jobs(), entry.at("torch-debug"), "jobs");
  }

  /** Those of a file of their own. */
  void add(TargetsFile.Content content, SettingsEntry entry) {
    snmp.targets().add(content.snmp(), entry, "snmp");
    prometheus.targets().add(content.exporters(), entry, "exporters");
    gnmi.targets().add(content.gnmi(), entry, "gnmi");
  }

  /**
   * Those that a file or an answer lists, unless something is wrong with one of them; but for
   * devices that are targets already.
   *
   * @param entry of the list
   * @param found what is wrong with the list is added here
   * @param beside what is left out is added here
   */
  void addDiscovered(
      TargetsFile.Content content,
      SettingsEntry entry,
      List<SettingsProblem> found,
      SettingsEntry beside) {
    List<SnmpTarget> switches = snmp.targets().check(content.snmp(), entry, "snmp");
    List<PrometheusTarget> exporters =
        prometheus.targets().check(content.exporters(), entry, "exporters");
    List<GnmiTarget> streams = gnmi.targets().check(content.gnmi(), entry, "gnmi");
    if (found.isEmpty()) {
      snmp.targets().addDiscovered(switches, beside, "snmp");
      prometheus.targets().addDiscovered(exporters, beside, "exporters");
      gnmi.targets().addDiscovered(streams, beside, "gnmi");
    }
  }

  SettingsSnmp snmp() {
    return snmp;
  }

  SettingsPrometheus prometheus() {
    return prometheus;
  }

  SettingsGnmi gnmi() {
    return gnmi;
  }

  SettingsInfiniband infiniband() {
    return infiniband;
  }

  SettingsQueries queries() {
    return queries;
  }

  SettingsTorchDebug jobs() {
    return jobs;
  }
}
