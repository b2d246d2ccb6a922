package io.fabrichealth.collective;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A job's roster.
 *
 * @param name {@code -} where the job is not named
 * @param ranks ascending; empty where there is no roster
 * @param groups as the roster tells them; the recorders may know more
 */
public record Job(String name, List<JobRank> ranks, List<ProcessGroup> groups) {
  /** A job of which nothing is known but what it left. */
  public static final Job UNNAMED = new Job("-", List.of(), List.of());

  public Job {
    ranks = List.copyOf(ranks);
    groups = List.copyOf(groups);
  }

  /** The host of each rank of which it is known. */
  Map<Integer, String> hosts() {
    Map<Integer, String> hosts = new HashMap<>();
    for (JobRank rank : ranks) {
      if (rank.host() != null) {
        hosts.put(rank.rank(), rank.host());
      }
    }
    return hosts;
  }
}
