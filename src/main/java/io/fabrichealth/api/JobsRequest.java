package io.fabrichealth.api;

import io.fabrichealth.store.JobStore.JobHead;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;

/** Which jobs to list; a filter that is not given does not restrict. */
record JobsRequest(
    @Nullable Boolean ended,
    @Min(value = 1, message = PageRequest.LIMIT_MESSAGE)
        @Max(value = PageRequest.LARGEST, message = PageRequest.LIMIT_MESSAGE)
        @Schema(defaultValue = "100")
        @Nullable Integer limit,
    @Schema(description = "nextCursor of the page before") @Nullable String cursor) {

  PageRequest page() {
    return PageRequest.of(limit, cursor, "jobs " + ended);
  }

  boolean matches(JobHead job) {
    return ended == null || ended == job.ended();
  }
}
