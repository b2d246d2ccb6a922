package io.fabrichealth.metrics;

import io.fabrichealth.incident.Incidents;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.runtime.Snapshots;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;

/**
 * The fabric as Prometheus metrics. Each scrape reads one immutable snapshot, so that its series
 * belong together and no lock is held.
 */
public final class FabricMetrics implements MultiCollector {
  private final Snapshots snapshots;
  private final Incidents incidents;
  private final String version;

  /**
   * @param version of the service
   */
  public FabricMetrics(Snapshots snapshots, Incidents incidents, String version) {
    this.snapshots = snapshots;
    this.incidents = incidents;
    this.version = version;
  }

  @Override
  public MetricSnapshots collect() {
    FabricSnapshot snapshot = snapshots.current();
    Scrape scrape = new Scrape();
    scrape.info(
        "fabric_build",
        "The service itself.",
        List.of(Labels.of("version", version, "java", Runtime.version().toString())));
    scrape.gauge(
        "fabric_snapshot_timestamp_seconds",
        "When the data of this answer was put together.",
        series -> series.add(Labels.EMPTY, CollectMetrics.seconds(snapshot.at())));
    LinkMetrics.add(scrape, snapshot);
    IncidentMetrics.add(scrape, incidents, snapshot.fabric());
    PortMetrics.add(scrape, snapshot);
    CoverageMetrics.add(scrape, snapshot);
    CollectMetrics.add(scrape, snapshot.targets());
    return scrape.families();
  }
}
