package io.fabrichealth.api;

import io.fabrichealth.runtime.PlanImport.Format;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/** How to import a plan. */
record PlanImportRequest(
    @NotNull(message = "is needed") @Nullable Format format,
    @Schema(description = "the device that LLDPCLI and NCCL_XML are of; they do not say it")
        @Size(max = 200, message = "may have 200 characters")
        @Nullable String device,
    @Schema(description = "true says what would be and changes nothing", defaultValue = "false")
        @Nullable Boolean dryRun,
    @Schema(
            description = "true for a plan of this alone; else it is added to the plan",
            defaultValue = "false")
        @Nullable Boolean replace) {
  boolean isDryRun() {
    return Boolean.TRUE.equals(dryRun);
  }

  boolean isReplacing() {
    return Boolean.TRUE.equals(replace);
  }
}
