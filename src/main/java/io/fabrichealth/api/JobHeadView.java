package io.fabrichealth.api;

import io.fabrichealth.store.JobStore.JobHead;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A job in a list. */
record JobHeadView(
    String job,
    @Schema(description = "how many its roster has; 0 without one") int ranks,
    boolean ended,
    Instant createdAt,
    Instant changedAt,
    @Schema(description = "id of the last analysis") @Nullable UUID lastAnalysis,
    @Nullable Instant analyzedAt,
    @Schema(description = "how many the last analysis has") @Nullable Integer findings) {
  static JobHeadView of(JobHead job) {
    return new JobHeadView(
        job.name(),
        job.ranks(),
        job.ended(),
        job.createdAt(),
        job.changedAt(),
        job.lastAnalysis(),
        job.analyzedAt(),
        job.findings());
  }
}
