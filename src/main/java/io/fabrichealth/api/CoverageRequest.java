package io.fabrichealth.api;

import io.fabrichealth.runtime.CoverageMatrix;
import io.fabrichealth.runtime.CoverageMatrix.State;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which parts of the coverage to list; a filter that is not given does not restrict. */
record CoverageRequest(
    @Nullable Set<String> device,
    @Nullable Set<String> family,
    @Nullable Set<State> state,
    @Min(value = 1, message = PageRequest.LIMIT_MESSAGE)
        @Max(value = PageRequest.LARGEST, message = PageRequest.LIMIT_MESSAGE)
        @Schema(defaultValue = "100")
        @Nullable Integer limit,
    @Schema(description = "nextCursor of the page before") @Nullable String cursor) {

  PageRequest page() {
    return PageRequest.of(
        limit, cursor, String.join(" ", "coverage", "" + device, "" + family, "" + state));
  }

  boolean matches(CoverageMatrix.Cell cell) {
    return PageRequest.allows(device, cell.device())
        && PageRequest.allows(family, cell.family())
        && PageRequest.allows(state, cell.state());
  }
}
