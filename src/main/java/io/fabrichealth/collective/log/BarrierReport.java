package io.fabrichealth.collective.log;

import java.util.List;

/**
 * Who did not come to a monitored barrier.
 *
 * @param reporter the rank that waited for all, in its group; -1 where not told
 * @param absent the ranks in the group, ascending
 */
public record BarrierReport(int reporter, List<Integer> absent, long waitedMillis, long line) {
  public BarrierReport {
    absent = List.copyOf(absent);
  }
}
