package io.fabrichealth.runtime;

import io.fabrichealth.collect.prometheus.PrometheusTarget;
import io.fabrichealth.collect.snmp.SnmpTarget;
import io.fabrichealth.topology.Fabric;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the service, checked as a whole: files are read, secrets and defaults are in.
 *
 * @param dataDir where the service keeps its own files
 * @param topologyFile the plan's file; null where none is configured
 * @param plan what should be; null where no topology is configured
 * @param snmp switches that are read over SNMP, each device once
 * @param prometheus exporters that are scraped, each device once
 * @param files all files that the settings were read from
 */
public record Settings(
    Path dataDir,
    @Nullable Path topologyFile,
    @Nullable Fabric plan,
    List<SnmpTarget> snmp,
    List<PrometheusTarget> prometheus,
    Set<Path> files) {
  public Settings {
    snmp = List.copyOf(snmp);
    prometheus = List.copyOf(prometheus);
    files = Set.copyOf(files);
  }

  /** A duration as people write it in the configuration. */
  public static String text(Duration duration) {
    long millis = duration.toMillis();
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }
}
