package io.fabrichealth.api;

import io.fabrichealth.collective.KnownCollective;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of an operation in a group of ranks. */
record JobCollectiveView(
    String group,
    String description,
    @Schema(description = "global ranks of the group; empty where not recorded")
        List<Integer> members,
    @Schema(example = "all_reduce") String operation,
    @Schema(example = "nccl") String backend,
    @Schema(description = "how many recorded it") int ranks,
    long entries,
    long firstSequence,
    @Schema(description = "that the rank furthest on enqueued") long lastSequence,
    @Schema(description = "that the rank furthest back enqueued") long leastSequence,
    @Schema(description = "that enqueued one which had not completed")
        List<Integer> unfinishedRanks,
    @Schema(description = "null where no duration was recorded") @Nullable Double meanSeconds) {
  static JobCollectiveView of(KnownCollective one) {
    return new JobCollectiveView(
        one.group(),
        one.description(),
        one.members(),
        one.operation(),
        one.backend(),
        one.ranks(),
        one.entries(),
        one.firstSequence(),
        one.lastSequence(),
        one.leastSequence(),
        one.unfinishedRanks(),
        one.meanSeconds());
  }
}
