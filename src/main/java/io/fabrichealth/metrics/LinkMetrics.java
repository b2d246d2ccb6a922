package io.fabrichealth.metrics;

import io.fabrichealth.finding.Subject;
import io.fabrichealth.runtime.FabricSnapshot;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Link;
import io.fabrichealth.topology.PortId;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Verdict;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Devices, links and the verdicts on them. */
final class LinkMetrics {
  private static final String[] DEVICE = {"device", "role", "vendor", "model", "rail", "plane"};
  private static final String[] LINK = {
    "link", "device", "port", "peer_device", "peer_port", "tier", "rail"
  };

  private LinkMetrics() {}

  private record Judged(Labels labels, Verdict verdict) {}

  static void add(Scrape scrape, FabricSnapshot snapshot) {
    scrape.info(
        "fabric_device",
        "A switch or host.",
        snapshot.fabric().devices().stream().map(LinkMetrics::info).toList());
    scrape.info(
        "fabric_link",
        "A link and its ends; a half-link has no peer.",
        snapshot.fabric().links().stream().map(LinkMetrics::info).toList());

    List<Judged> judged = new ArrayList<>();
    Map<LinkState, Integer> counts = new EnumMap<>(LinkState.class);
    for (Link link : snapshot.fabric().links()) {
      Verdict verdict = snapshot.verdicts().get(Subject.of(link));
      counts.merge(verdict == null ? LinkState.UNKNOWN : verdict.state(), 1, Integer::sum);
      if (verdict != null) {
        judged.add(new Judged(Labels.of("link", link.id()), verdict));
      }
    }
    scrape.gauge(
        "fabric_links",
        "Links and half-links by state.",
        series -> {
          for (LinkState state : LinkState.values()) {
            series.add(Labels.of("state", state.name()), counts.getOrDefault(state, 0));
          }
        });
    scrape.gauge(
        "fabric_link_state",
        "1 for the state that the link is in.",
        series ->
            judged.forEach(
                link -> series.add(link.labels().add("state", link.verdict().state().name()), 1)));
    scrape.gauge(
        "fabric_link_fault_probability_ratio",
        "Probability that the link is faulty.",
        series -> judged.forEach(link -> series.add(link.labels(), link.verdict().probability())));
    scrape.gauge(
        "fabric_link_coverage_ratio",
        "Share of what should be read of the link that is read.",
        series ->
            judged.forEach(link -> series.add(link.labels(), link.verdict().coverage().ratio())));
  }

  private static Labels info(Device device) {
    return Labels.of(
        DEVICE,
        new String[] {
          device.name(),
          device.role().name().toLowerCase(Locale.ROOT),
          Scrape.text(device.vendor()),
          Scrape.text(device.model()),
          Scrape.text(device.rail()),
          Scrape.text(device.plane())
        });
  }

  private static Labels info(Link link) {
    PortId peer = link.b();
    return Labels.of(
        LINK,
        new String[] {
          link.id(),
          link.a().device(),
          link.a().port(),
          peer == null ? "" : peer.device(),
          peer == null ? "" : peer.port(),
          link.tier().label(),
          Scrape.text(link.rail())
        });
  }
}
