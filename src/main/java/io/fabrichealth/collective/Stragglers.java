package io.fabrichealth.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Ranks that need longer than others for the same work, all the time.
 *
 * <p>Two ways lead there. Most of the places in the program where work is done take longer than on
 * the quicker quarter of the ranks: the GPU or the host is slow, and it may be that nobody in its
 * groups is quicker. Or the rank comes to its collectives later than the other members by much of a
 * step nearly each time, be it at one place alone, as when its data come late. Both look at the
 * rank's own time only.
 */
final class Stragglers {
  private static final int FEWEST = 5;

  /**
   * What was slow in fewer steps may have been slow once: all operations of a step share whatever
   * happened in it.
   */
  private static final int FEWEST_STEPS = 3;

  private static final double LOST_SHARE = 0.1;
  private static final double LATE_MICROS = 5_000;
  private static final double LATE_STEP_SHARE = 0.1;
  private static final double PLACE_STEP_SHARE = 0.02;
  private static final double LONGER = 0.3;

  /** What an end that was only worked out may be wrong by, the transfer included. */
  private static final double ESTIMATED_MICROS = 5_000;

  /** Of an end that was only worked out, and of peers that may have waited for what is not seen. */
  private static final double ESTIMATED_FACTOR = 3;

  private static final double QUICKER_RANKS = 0.25;
  private static final double MOST_PLACES = 0.5;
  private static final double PERSISTENT = 0.7;

  private final Timeline timeline;
  private final Pace pace;
  private final int[] stepOf;
  private final double[] lost;
  private final int[] slowEntries;
  private final int[] workEntries;

  /** Before which it worked or waited: of a rank of which little is known nothing is said. */
  private final int[] unknownEntries;

  private final double[] lateMicros;
  private final int[] lateEntries;
  private final int[] comparedEntries;

  private Stragglers(Timeline timeline, Pace pace) {
    this.timeline = timeline;
    this.pace = pace;
    stepOf = pace.stepOf(timeline);
    int ranks = timeline.ranks();
    lost = new double[ranks];
    slowEntries = new int[ranks];
    workEntries = new int[ranks];
    unknownEntries = new int[ranks];
    lateMicros = new double[ranks];
    lateEntries = new int[ranks];
    comparedEntries = new int[ranks];
  }

  /**
   * A rank that is slow.
   *
   * @param rank index among those that left entries
   * @param lostMicros over the whole recording
   * @param times how often it was slow
   * @param outOf how often it could have been
   */
  record Straggler(int rank, double lostMicros, int times, int outOf) {}

  static Stragglers of(Timeline timeline, OwnTime times, Gaps gaps, Pace pace) {
    Stragglers found = new Stragglers(timeline, pace);
    found.countUnknown(times);
    for (int place = 0; place < gaps.places(); place++) {
      found.look(times, gaps, place);
    }
    return found;
  }

  private void countUnknown(OwnTime times) {
    for (int rank = 0; rank < timeline.ranks(); rank++) {
      for (int entry = timeline.firstOf(rank) + 1; entry < timeline.endOf(rank); entry++) {
        unknownEntries[rank] += Double.isNaN(times.before(entry)) ? 1 : 0;
      }
    }
  }

  /** By index of the rank. */
  List<Straggler> persistent() {
    List<Straggler> all = new ArrayList<>();
    for (int rank = 0; rank < timeline.ranks(); rank++) {
      double enough = Math.max(LOST_SHARE * pace.spanMicros(), LATE_MICROS * pace.steps());
      if (lost[rank] >= enough
          && slowEntries[rank] >= FEWEST
          && slowEntries[rank] >= MOST_PLACES * (workEntries[rank] + unknownEntries[rank])) {
        all.add(new Straggler(rank, lost[rank], slowEntries[rank], workEntries[rank]));
      } else if (lateMicros[rank] >= enough && lateEntries[rank] >= FEWEST) {
        all.add(new Straggler(rank, lateMicros[rank], lateEntries[rank], comparedEntries[rank]));
      }
    }
    return all;
  }

  private void look(OwnTime times, Gaps gaps, int place) {
    int[] bounds = bounds(gaps, place);
    int ranks = bounds.length - 1;
    double[] typical = new double[ranks];
    for (int i = 0; i < ranks; i++) {
      typical[i] = median(times, gaps, bounds[i], bounds[i + 1]);
    }
    double[] sorted = typical.clone();
    Arrays.sort(sorted);
    double quick = sorted[(int) (QUICKER_RANKS * ranks)];
    double negligible = PLACE_STEP_SHARE * pace.stepMicros();
    // How long a receive waited for its sender is not known where its end is not.
    boolean isWait = !times.isMeasured() && timeline.isReceive(gaps.entry(gaps.from(place)) - 1);
    boolean isWork = sorted[ranks - 1] > negligible && !isWait;
    double longer = times.isMeasured() ? negligible : Math.max(negligible, ESTIMATED_MICROS);
    for (int i = 0; i < ranks && ranks > 1; i++) {
      int rank = timeline.rankOf(gaps.entry(bounds[i]));
      int count = bounds[i + 1] - bounds[i];
      double more = typical[i] - quick;
      if (isWork) {
        workEntries[rank] += count;
        if (more > Math.max(LONGER * quick, longer)
            && steps(gaps, bounds[i], bounds[i + 1]) >= FEWEST_STEPS) {
          slowEntries[rank] += count;
          lost[rank] += more * count;
        }
      }
      lookAtPeers(times, gaps, rank, bounds[i], bounds[i + 1]);
    }
  }

  private void lookAtPeers(OwnTime times, Gaps gaps, int rank, int from, int to) {
    double least = times.isMeasured() ? LATE_MICROS : ESTIMATED_FACTOR * LATE_MICROS;
    double late = Math.max(least, LATE_STEP_SHARE * pace.stepMicros());
    int compared = 0;
    int count = 0;
    double sum = 0;
    for (int i = from; i < to; i++) {
      double more = times.beyondPeers(gaps.entry(i));
      if (!Double.isNaN(more)) {
        compared++;
        sum += more;
        count += more > late ? 1 : 0;
      }
    }
    if (count >= FEWEST
        && count >= PERSISTENT * compared
        && steps(gaps, from, to) >= FEWEST_STEPS) {
      lateMicros[rank] += sum;
      lateEntries[rank] += count;
      comparedEntries[rank] += compared;
    }
  }

  /** In how many steps one rank's entries are. */
  private int steps(Gaps gaps, int from, int to) {
    int steps = 0;
    int last = -1;
    for (int i = from; i < to; i++) {
      int step = stepOf[gaps.entry(i)];
      steps += step == last ? 0 : 1;
      last = step;
    }
    return steps;
  }

  /** Where each rank's entries of a place begin, and their end. */
  private int[] bounds(Gaps gaps, int place) {
    int[] bounds = new int[gaps.to(place) - gaps.from(place) + 1];
    int count = 0;
    int next = gaps.from(place);
    while (next < gaps.to(place)) {
      bounds[count++] = next;
      next = gaps.endOfRank(timeline, place, next);
    }
    bounds[count] = gaps.to(place);
    return Arrays.copyOf(bounds, count + 1);
  }

  private static double median(OwnTime times, Gaps gaps, int from, int to) {
    double[] sample = new double[to - from];
    for (int i = from; i < to; i++) {
      sample[i - from] = times.before(gaps.entry(i));
    }
    return Quantiles.median(sample);
  }
}
