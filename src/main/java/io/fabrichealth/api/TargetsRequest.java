package io.fabrichealth.api;

import io.fabrichealth.collect.FailureCode;
import io.fabrichealth.collect.TargetStatus;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which targets to list; a filter that is not given does not restrict. */
record TargetsRequest(
    @Nullable Set<String> device,
    @Nullable Set<String> collector,
    @Schema(description = "code of the last pass") @Nullable Set<FailureCode> failure,
    @Min(value = 1, message = PageRequest.LIMIT_MESSAGE)
        @Max(value = PageRequest.LARGEST, message = PageRequest.LIMIT_MESSAGE)
        @Schema(defaultValue = "100")
        @Nullable Integer limit,
    @Schema(description = "nextCursor of the page before") @Nullable String cursor) {

  PageRequest page() {
    return PageRequest.of(limit, cursor, "targets %s %s %s".formatted(device, collector, failure));
  }

  boolean matches(TargetStatus target) {
    return PageRequest.allows(device, target.device())
        && PageRequest.allows(collector, target.collector())
        && PageRequest.allows(failure, target.failure());
  }
}
