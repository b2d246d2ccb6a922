package io.fabrichealth.collective;

import org.jspecify.annotations.Nullable;

/**
 * Where a rank of a job runs.
 *
 * @param rank the global rank, from 0
 * @param gpu the index of the GPU on its host
 * @param port the HCA's port that the GPU uses, as the topology names it: {@code mlx5_0/1}
 */
public record JobRank(
    int rank, @Nullable String host, @Nullable Integer gpu, @Nullable String port) {}
