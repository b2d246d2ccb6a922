package io.fabrichealth.collective;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The entries in order of their place in the program, and within a place by rank. A place is what
 * an operation is together with what was issued before it: the same work lies between them on every
 * rank.
 */
final class Gaps {
  private final int[] entries;
  private final int[] placeFrom;

  private Gaps(int[] entries, int[] placeFrom) {
    this.entries = entries;
    this.placeFrom = placeFrom;
  }

  static Gaps of(Timeline timeline, OwnTime times) {
    Map<Long, Integer> places = new HashMap<>();
    int[] placeOf = new int[timeline.size()];
    Arrays.fill(placeOf, -1);
    for (int rank = 0; rank < timeline.ranks(); rank++) {
      for (int entry = timeline.firstOf(rank) + 1; entry < timeline.endOf(rank); entry++) {
        if (!Double.isNaN(times.before(entry))) {
          long place =
              (long) timeline.kindOf(entry - 1) * timeline.kinds() + timeline.kindOf(entry);
          placeOf[entry] = places.computeIfAbsent(place, fresh -> places.size());
        }
      }
    }
    int[] from = new int[places.size() + 1];
    for (int place : placeOf) {
      if (place >= 0) {
        from[place + 1]++;
      }
    }
    Arrays.parallelPrefix(from, Integer::sum);
    int[] next = from.clone();
    int[] sorted = new int[from[places.size()]];
    for (int entry = 0; entry < placeOf.length; entry++) {
      if (placeOf[entry] >= 0) {
        sorted[next[placeOf[entry]]++] = entry;
      }
    }
    return new Gaps(sorted, from);
  }

  int places() {
    return placeFrom.length - 1;
  }

  /** Index of a place's first entry. */
  int from(int place) {
    return placeFrom[place];
  }

  int to(int place) {
    return placeFrom[place + 1];
  }

  /** Behind the last index of the rank whose entry stands at an index. */
  int endOfRank(Timeline timeline, int place, int index) {
    int rank = timeline.rankOf(entries[index]);
    int end = index;
    while (end < placeFrom[place + 1] && timeline.rankOf(entries[end]) == rank) {
      end++;
    }
    return end;
  }

  int entry(int index) {
    return entries[index];
  }
}
