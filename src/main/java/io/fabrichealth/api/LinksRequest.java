package io.fabrichealth.api;

import io.fabrichealth.finding.Cause;
import io.fabrichealth.topology.Link;
import io.fabrichealth.verdict.LinkState;
import io.fabrichealth.verdict.Verdict;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which links to list, and in what order; a filter that is not given does not restrict.
 *
 * @param device name of a device at either end
 * @param sort {@code -} before the name: largest first; links that are alike in it are in the order
 *     of their ids
 */
record LinksRequest(
    @Nullable Set<LinkState> state,
    @Schema(description = "name of the device at either end") @Nullable Set<String> device,
    @Nullable Set<Integer> rail,
    @Schema(allowableValues = {"host-leaf", "leaf-spine", "spine-core", "other"})
        @Nullable Set<@Pattern(regexp = "host-leaf|leaf-spine|spine-core|other") String> tier,
    @Nullable Set<Cause> cause,
    @DecimalMin(value = "0", message = "must be 0 to 1")
        @DecimalMax(value = "1", message = "must be 0 to 1")
        @Nullable Double minProbability,
    @Schema(
            allowableValues = {"id", "-id", "probability", "-probability", "since", "-since"},
            defaultValue = "id")
        @Pattern(regexp = "-?(id|probability|since)")
        @Nullable String sort,
    @Min(value = 1, message = PageRequest.LIMIT_MESSAGE)
        @Max(value = PageRequest.LARGEST, message = PageRequest.LIMIT_MESSAGE)
        @Schema(defaultValue = "100")
        @Nullable Integer limit,
    @Schema(description = "nextCursor of the page before") @Nullable String cursor) {

  PageRequest page() {
    LinksRequest filters =
        new LinksRequest(state, device, rail, tier, cause, minProbability, sort, null, null);
    return PageRequest.of(limit, cursor, "links " + filters);
  }

  boolean descending() {
    return sort != null && sort.startsWith("-");
  }

  /** Grows with what the list is sorted by; links of which nothing was read come before all. */
  long key(@Nullable Verdict verdict) {
    if (sort == null || sort.endsWith("id")) {
      return 0;
    }
    if (verdict == null) {
      return Long.MIN_VALUE;
    }
    return sort.endsWith("since")
        ? microseconds(verdict.since())
        : Double.doubleToLongBits(verdict.probability());
  }

  boolean matches(Link link, @Nullable Verdict verdict) {
    return PageRequest.allows(state, verdict == null ? LinkState.UNKNOWN : verdict.state())
        && (device == null
            || device.isEmpty()
            || link.ends().stream().anyMatch(end -> device.contains(end.device())))
        && PageRequest.allows(rail, link.rail())
        && PageRequest.allows(tier, link.tier().label())
        && PageRequest.allows(cause, verdict == null ? null : verdict.cause())
        && (minProbability == null || (verdict != null && verdict.probability() >= minProbability));
  }

  private static long microseconds(Instant time) {
    return time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
  }
}
