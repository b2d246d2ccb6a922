package io.fabrichealth.collective;

import java.util.List;

/**
 * A process group as one rank knows it.
 *
 * @param name the job-wide name; may be empty in the dumps of gloo, where it means nothing
 * @param description {@code default_pg}, {@code dp}, ...
 * @param ranks the members' global ranks, ascending; empty where not known
 */
public record ProcessGroup(String name, String description, List<Integer> ranks) {
  public ProcessGroup {
    ranks = List.copyOf(ranks);
  }
}
