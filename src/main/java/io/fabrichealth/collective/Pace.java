package io.fabrichealth.collective;

import java.util.Arrays;

/**
 * How long a step of a job is, told by how often it repeats what it repeats least.
 *
 * @param marker the kind of what it repeats least; -1 where it repeats nothing often enough
 * @param steps recorded, at least 1
 * @param stepMicros the time of one
 * @param spanMicros what the ranks recorded, the median over them
 */
record Pace(int marker, int steps, double stepMicros, double spanMicros) {
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
    int[] count = known.length == 0 ? new int[0] : counts(timeline, longest);
    int marker = rarest(count);
    int steps = marker < 0 ? 1 : count[marker];
    return new Pace(marker, steps, span / steps, span);
  }

  private static int[] counts(Timeline timeline, int rank) {
    int[] count = new int[timeline.kinds()];
    for (int entry = timeline.firstOf(rank); entry < timeline.endOf(rank); entry++) {
      count[timeline.kindOf(entry)]++;
    }
    return count;
  }

  private static int rarest(int[] count) {
    int rarest = -1;
    for (int kind = 0; kind < count.length; kind++) {
      if (count[kind] >= FEWEST && (rarest < 0 || count[kind] < count[rarest])) {
        rarest = kind;
      }
    }
    return rarest;
  }

  /** The number of the step that each entry is of, by its own rank's count. */
  int[] stepOf(Timeline timeline) {
    int[] stepOf = new int[timeline.size()];
    for (int rank = 0; rank < timeline.ranks(); rank++) {
      int step = 0;
      for (int entry = timeline.firstOf(rank); entry < timeline.endOf(rank); entry++) {
        stepOf[entry] = step;
        step += timeline.kindOf(entry) == marker ? 1 : 0;
      }
    }
    return stepOf;
  }
}
