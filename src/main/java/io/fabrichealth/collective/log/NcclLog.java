package io.fabrichealth.collective.log;

import java.util.List;

/**
 * What NCCL's debug log tells ({@code NCCL_DEBUG=INFO} or {@code WARN}).
 *
 * @param version or empty
 * @param ranks one a process and GPU, ascending by rank
 * @param troubles in the order of the log, the same told once
 */
public record NcclLog(
    String version, List<NcclRank> ranks, List<NcclTrouble> troubles, List<NcclRing> rings) {
  public NcclLog {
    ranks = List.copyOf(ranks);
    troubles = List.copyOf(troubles);
    rings = List.copyOf(rings);
  }

  public boolean isEmpty() {
    return ranks.isEmpty() && troubles.isEmpty();
  }
}
