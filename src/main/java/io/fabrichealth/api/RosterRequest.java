package io.fabrichealth.api;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;

/** How to read a roster. */
record RosterRequest(
    @Schema(description = "where the roster names hosts only")
        @Min(value = 1, message = "must be 1 to 1024")
        @Max(value = 1024, message = "must be 1 to 1024")
        @Nullable Integer ranksPerHost) {
  int each() {
    return ranksPerHost == null ? 0 : ranksPerHost;
  }
}
