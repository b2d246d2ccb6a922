package io.fabrichealth.metrics;

import io.fabrichealth.runtime.CoverageMatrix;
import io.fabrichealth.runtime.CoverageMatrix.State;
import io.fabrichealth.runtime.FabricSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.Locale;

/** What is seen of the devices and what is not. */
final class CoverageMetrics {
  private CoverageMetrics() {}

  static void add(Scrape scrape, FabricSnapshot snapshot) {
    List<CoverageMatrix.Cell> cells =
        new CoverageMatrix(snapshot.dictionary()).of(snapshot.fabric(), snapshot.readings());
    scrape.gauge(
        "fabric_coverage_ports",
        "Ports of the device by what is seen of a family of signals; states without ports are"
            + " left out, but for read.",
        series -> cells.forEach(cell -> add(series, cell)));
  }

  private static void add(Scrape.Series series, CoverageMatrix.Cell cell) {
    for (State state : State.values()) {
      int ports = cell.ports().getOrDefault(state, 0);
      if (ports > 0 || state == State.READ) {
        series.add(
            Labels.of(
                "device",
                cell.device(),
                "family",
                cell.family(),
                "state",
                state.name().toLowerCase(Locale.ROOT)),
            ports);
      }
    }
  }
}
