package io.fabrichealth.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabrichealth.topology.Link;
import io.fabrichealth.verdict.LinkState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** All links between two devices as Grafana's node graph takes an edge: fields have its names. */
record GraphEdgeView(
    String id,
    String source,
    String target,
    @Schema(description = "how many links") String mainStat,
    @Schema(description = "the worst state of them") LinkState secondaryStat,
    @Schema(description = "of the worst state") String color,
    @JsonProperty("detail__tier") String tier,
    @JsonProperty("detail__links") String links) {
  private static final int MOST_NAMED = 8;
  private static final List<LinkState> BEST_TO_WORST =
      List.of(
          LinkState.HEALTHY,
          LinkState.UNKNOWN,
          LinkState.SUSPECT,
          LinkState.DEGRADED,
          LinkState.DOWN);

  /**
   * @param links at least one, all between the two devices
   */
  static GraphEdgeView of(
      String source, String target, List<Link> links, Function<Link, LinkState> state) {
    LinkState worst =
        links.stream()
            .map(state)
            .max(Comparator.comparingInt(BEST_TO_WORST::indexOf))
            .orElse(LinkState.UNKNOWN);
    String named = String.join(", ", links.stream().limit(MOST_NAMED).map(Link::id).toList());
    return new GraphEdgeView(
        source + " -- " + target,
        source,
        target,
        links.size() + (links.size() == 1 ? " link" : " links"),
        worst,
        switch (worst) {
          case HEALTHY -> "green";
          case UNKNOWN -> "gray";
          case SUSPECT -> "orange";
          case DEGRADED, DOWN -> "red";
        },
        links.getFirst().tier().label(),
        links.size() > MOST_NAMED ? named + ", ..." : named);
  }
}
