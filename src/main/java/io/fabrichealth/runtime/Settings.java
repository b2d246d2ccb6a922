package io.fabrichealth.runtime;

import io.fabrichealth.collect.gnmi.GnmiTarget;
import io.fabrichealth.collect.infiniband.InfinibandTarget;
import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.collect.query.QueryTarget;
import io.fabrichealth.collect.snmp.SnmpTarget;
import io.fabrichealth.collect.torchdebug.TorchDebugTarget;
import io.fabrichealth.detect.Thresholds;
import io.fabrichealth.notify.Receiver;
import io.fabrichealth.topology.Fabric;
import io.fabrichealth.topology.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the service, checked as a whole: files are read, secrets and defaults are in.
 *
 * @param dataDir where the service keeps its own files
 * @param topologyFile the plan's file; null where none is configured
 * @param plan what should be; null where no topology is configured
 * @param snmp switches that are read over SNMP, each device once
 * @param prometheus exporters that are scraped, each device once
 * @param gnmi switches that are subscribed to, each device once
 * @param infiniband subnets that are read by tools, each name once
 * @param queries time-series databases that are asked, each name once
 * @param jobs running jobs whose ranks are asked, each name once
 * @param uploads how much is taken of what jobs leave behind, and where it is looked for
 * @param receivers who is told of incidents, each name once
 * @param thresholds those of the service with the values that the site gives some of them
 * @param leftOut what is wrong with lists of targets, and stops nothing else
 * @param maxReadingsPerDevice readings that one pass over a device may bring
 * @param files all files that the settings were read from
 */
public record Settings(
    Path dataDir,
    @Nullable Path topologyFile,
    @Nullable Fabric plan,
    List<SnmpTarget> snmp,
    List<PrometheusTarget> prometheus,
    List<GnmiTarget> gnmi,
    List<InfinibandTarget> infiniband,
    List<QueryTarget> queries,
    List<TorchDebugTarget> jobs,
    SettingsJobs uploads,
    List<Receiver> receivers,
    Thresholds thresholds,
    List<SettingsProblem> leftOut,
    int maxReadingsPerDevice,
    Set<Path> files) {
  public Settings {
    snmp = List.copyOf(snmp);
    prometheus = List.copyOf(prometheus);
    gnmi = List.copyOf(gnmi);
    infiniband = List.copyOf(infiniband);
    queries = List.copyOf(queries);
    jobs = List.copyOf(jobs);
    receivers = List.copyOf(receivers);
    leftOut = List.copyOf(leftOut);
    files = Set.copyOf(files);
  }

  /** The same, with more that was left out. */
  Settings without(List<SettingsProblem> more) {
    return with(plan, snmp, prometheus, Stream.concat(leftOut.stream(), more.stream()).toList());
  }

  /** The same with another plan and more targets. */
  Settings with(
      @Nullable Fabric other, List<SnmpTarget> switches, List<PrometheusTarget> exporters) {
    return with(
        other,
        Stream.concat(snmp.stream(), switches.stream()).toList(),
        Stream.concat(prometheus.stream(), exporters.stream()).toList(),
        leftOut);
  }

  private Settings with(
      @Nullable Fabric other,
      List<SnmpTarget> switches,
      List<PrometheusTarget> exporters,
      List<SettingsProblem> missing) {
    return new Settings(
        dataDir,
        topologyFile,
        other,
        switches,
        exporters,
        gnmi,
        infiniband,
        queries,
        jobs,
        uploads,
        receivers,
        thresholds,
        missing,
        maxReadingsPerDevice,
        files);
  }

  /** Every device that is a target of its own, with its role. */
  public Map<String, Role> devices() {
    Map<String, Role> devices = new LinkedHashMap<>();
    snmp.forEach(target -> devices.put(target.device(), target.role()));
    gnmi.forEach(target -> devices.putIfAbsent(target.device(), target.role()));
    prometheus.forEach(target -> devices.putIfAbsent(target.device(), target.role()));
    return devices;
  }

  /** Collector and name of every target. */
  Set<String> targetKeys() {
    Set<String> keys = new HashSet<>();
    snmp.forEach(target -> keys.add(SourceLedger.key(target.device(), "snmp")));
    prometheus.forEach(target -> keys.add(SourceLedger.key(target.device(), "prometheus")));
    gnmi.forEach(target -> keys.add(SourceLedger.key(target.device(), "gnmi")));
    infiniband.forEach(target -> keys.add(SourceLedger.key(target.name(), "infiniband")));
    queries.forEach(target -> keys.add(SourceLedger.key(target.name(), "prometheus-query")));
    jobs.forEach(target -> keys.add(SourceLedger.key(target.name(), "torch-debug")));
    return keys;
  }

  /** A duration as people write it in the configuration. */
  public static String text(Duration duration) {
    long millis = duration.toMillis();
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }
}
