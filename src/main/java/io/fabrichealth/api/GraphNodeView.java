package io.fabrichealth.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabrichealth.topology.Device;
import io.fabrichealth.topology.Link;
import io.fabrichealth.verdict.LinkState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** A device as Grafana's node graph takes it: fields have its names; the arcs add up to 1. */
record GraphNodeView(
    String id,
    String title,
    @Schema(description = "role, and rail where it has one") String subTitle,
    @Schema(description = "how many links") String mainStat,
    @Schema(description = "how many of them are not healthy") String secondaryStat,
    @JsonProperty("arc__healthy") double healthy,
    @JsonProperty("arc__suspect") double suspect,
    @JsonProperty("arc__degraded") double degraded,
    @JsonProperty("arc__down") double down,
    @JsonProperty("arc__unknown") double unknown,
    @JsonProperty("detail__role") String role,
    @JsonProperty("detail__links") int links) {

  static GraphNodeView of(Device device, List<Link> links, Function<Link, LinkState> state) {
    Map<LinkState, Integer> counts = new EnumMap<>(LinkState.class);
    links.forEach(link -> counts.merge(state.apply(link), 1, Integer::sum));
    int bad = links.size() - counts.getOrDefault(LinkState.HEALTHY, 0);
    String role = device.role().name().toLowerCase(Locale.ROOT);
    return new GraphNodeView(
        device.name(),
        device.name(),
        device.rail() == null ? role : role + ", rail " + device.rail(),
        links.size() + (links.size() == 1 ? " link" : " links"),
        bad == 0 ? "all healthy" : bad + " not healthy",
        share(counts, LinkState.HEALTHY, links.size()),
        share(counts, LinkState.SUSPECT, links.size()),
        share(counts, LinkState.DEGRADED, links.size()),
        share(counts, LinkState.DOWN, links.size()),
        links.isEmpty() ? 1 : share(counts, LinkState.UNKNOWN, links.size()),
        role,
        links.size());
  }

  private static double share(Map<LinkState, Integer> counts, LinkState state, int all) {
    return all == 0 ? 0 : (double) counts.getOrDefault(state, 0) / all;
  }
}
