package io.fabrichealth.api;

import io.fabrichealth.collective.Job;
import io.fabrichealth.runtime.JobDesk;
import io.fabrichealth.store.JobStore.JobHead;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A job: its roster, and where its last analysis is. */
record JobView(
    String job,
    boolean ended,
    @Schema(description = "empty where no roster was sent") List<JobRankView> ranks,
    List<JobGroupView> groups,
    Instant createdAt,
    Instant changedAt,
    @Schema(description = "id of the last analysis") @Nullable UUID lastAnalysis,
    @Nullable Instant analyzedAt,
    @Schema(description = "how many the last analysis has") @Nullable Integer findings) {

  static JobView of(JobDesk.Stored stored) {
    JobHead head = stored.head();
    Job roster = stored.roster() == null ? Job.UNNAMED : stored.roster();
    return new JobView(
        head.name(),
        head.ended(),
        roster.ranks().stream()
            .map(rank -> new JobRankView(rank.rank(), rank.host(), rank.gpu(), rank.port()))
            .toList(),
        roster.groups().stream()
            .map(group -> new JobGroupView(group.name(), group.description(), group.ranks()))
            .toList(),
        head.createdAt(),
        head.changedAt(),
        head.lastAnalysis(),
        head.analyzedAt(),
        head.findings());
  }

  /** Where a rank runs. */
  record JobRankView(
      int rank,
      @Nullable String host,
      @Schema(description = "index on its host") @Nullable Integer gpu,
      @Schema(description = "of the HCA", example = "mlx5_0/1") @Nullable String port) {}

  /** Ranks that call collectives together. */
  record JobGroupView(String name, String description, List<Integer> ranks) {}
}
