package io.fabrichealth.collective;

import java.util.List;

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
}
