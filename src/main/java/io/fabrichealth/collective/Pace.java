package io.fabrichealth.collective;

import java.util.Arrays;

/**
 * How long a step of a job is, told by how often it repeats what it repeats least.
 *
 * @param steps recorded, at least 1
 * @param stepMicros the time of one
 * @param spanMicros what the ranks recorded, the median over them
 */
record Pace(int steps, double stepMicros, double spanMicros) {
  /** Of fewer repetitions nothing can be said. */
  private static final int FEWEST = 3;

  static Pace of(Timeline timeline) {
    double[] spans = new double[timeline.ranks()];
    int longest = 0;
    for (int rank = 0; rank < spans.length; rank++) {
      int first = timeline.firstOf(rank);
      int last = timeline.endOf(rank) - 1;
      spans[rank] = timeline.created(last) - timeline.created(first);
      if (last - first > timeline.endOf(longest) - timeline.firstOf(longest)) {
        longest = rank;
      }
    }
    double[] known = Arrays.stream(spans).filter(span -> !Double.isNaN(span)).toArray();
    double span = known.length == 0 ? 0 : Quantiles.median(known);
    int steps = known.length == 0 ? 1 : repetitions(timeline, longest);
    return new Pace(steps, span / steps, span);
  }

  private static int repetitions(Timeline timeline, int rank) {
    int[] count = new int[timeline.kinds()];
    for (int entry = timeline.firstOf(rank); entry < timeline.endOf(rank); entry++) {
      count[timeline.kindOf(entry)]++;
    }
    return Arrays.stream(count).filter(times -> times >= FEWEST).min().orElse(1);
  }
}
