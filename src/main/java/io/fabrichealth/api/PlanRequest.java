package io.fabrichealth.api;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** How to put a plan. */
record PlanRequest(
    @Schema(description = "true says what would be and changes nothing", defaultValue = "false")
        @Nullable Boolean dryRun) {
  boolean isDryRun() {
    return Boolean.TRUE.equals(dryRun);
  }
}
