package io.fabrichealth.runtime;

/** Checks targets as they are written, and fills in what the collectors say for all of theirs. */
final class SettingsTargets {
  private final SettingsSnmp snmp;
  private final SettingsPrometheus prometheus;
  private final SettingsGnmi gnmi;
  private final SettingsInfiniband infiniband;
  private final SettingsQueries queries;

  SettingsTargets(
      SettingsProperties.Collect collect, SettingsEntry entry, SettingsBundles bundles) {
    snmp = new SettingsSnmp(collect.snmp(), entry.at("snmp"));
    prometheus = new SettingsPrometheus(collect.prometheus(), entry.at("prometheus"));
    gnmi = new SettingsGnmi(collect.gnmi(), entry.at("gnmi"), bundles);
    infiniband = new SettingsInfiniband(collect.infiniband(), entry.at("infiniband"));
    queries = new SettingsQueries(collect.prometheusQuery(), entry.at("prometheus-query"));
  }

  /** Those of the main configuration. */
  void add(SettingsProperties.Collect collect, SettingsEntry entry) {
    snmp.add(collect.snmp().targets(), entry.at("snmp"), "targets");
    prometheus.add(collect.prometheus().targets(), entry.at("prometheus"), "targets");
    gnmi.add(collect.gnmi().targets(), entry.at("gnmi"), "targets");
    infiniband.add(collect.infiniband().targets(), entry.at("infiniband"), "targets");
    queries.add(collect.prometheusQuery().targets(), entry.at("prometheus-query"), "targets");
  }

  /** Those of a file of their own. */
  void add(TargetsFile.Content content, SettingsEntry entry) {
    snmp.add(content.snmp(), entry, "snmp");
    prometheus.add(content.exporters(), entry, "exporters");
    gnmi.add(content.gnmi(), entry, "gnmi");
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
}
